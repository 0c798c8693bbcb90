// Asks a question under some environment, several times, and tells how long each took and what sending the rest at the end did.
import { fileURLToPath } from 'node:url'
import { createApp } from '../../src/index.ts'

/** The result of one question. */
export interface Told {
  readonly askMs: number
  readonly closeMs: number
  readonly cpuMs: number
  readonly status: string
}

const [home = '', baseUrl = '', endpoint = ''] = process.argv.slice(2)
const samples = fileURLToPath(new URL('../../samples/library', import.meta.url))

async function ask(question: string): Promise<Told> {
  const app = createApp({
    home,
    environment: endpoint === '' ? {} : { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint },
    models: { default: { name: 'openai-compatible:bench', baseUrl } },
  })
  const startMs = performance.now()
  const cpu = process.cpuUsage()
  const { status } = await app.ask({ question, sources: [samples] })
  const askMs = performance.now() - startMs
  await app.close()
  const { user, system } = process.cpuUsage(cpu)
  return {
    askMs,
    closeMs: performance.now() - startMs - askMs,
    cpuMs: (user + system) / 1_000,
    status,
  }
}

process.on('message', async (question: string) => {
  process.send?.(await ask(question))
})
process.send?.('ready')
