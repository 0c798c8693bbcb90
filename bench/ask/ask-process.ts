// Asks a question several times in a process of its own and tells how long each took, from the call to the answer.
import { fileURLToPath } from 'node:url'
import type { Depth } from '../../src/ask/result.ts'
import { keepCompiledCode } from '../../src/files/cache-folder.ts'

const [home = '', baseUrl = '', library = ''] = process.argv.slice(2)
// As the command does, before it loads anything.
keepCompiledCode(process.env)
const { createApp }: typeof import('../../src/index.ts') = await import(library)

/** What the process is told: to ask a question, or to make that many calls one after the other and no more than that. */
export type Order = { readonly isStreamed: boolean } & (
  | { readonly question: string; readonly depth: Depth }
  | { readonly bareCalls: number }
)

/** What it tells. */
export interface Told {
  readonly wallMs: number
  readonly status: string
}

const samples = fileURLToPath(new URL('../../samples/library', import.meta.url))

let app: ReturnType<typeof createApp> | undefined

async function ask(
  { question, depth }: { question: string; depth: Depth },
  isStreamed: boolean,
): Promise<string> {
  app ??= createApp({
    home,
    environment: {},
    models: { default: { name: 'openai-compatible:bench', baseUrl, isStreamed } },
  })
  return (await app.ask({ question, depth, sources: [samples] })).status
}

async function callBare(count: number, isStreamed: boolean): Promise<string> {
  const messages = [{ role: 'user', content: 'x'.repeat(5_000) }]
  const body = JSON.stringify({ model: 'bench', stream: isStreamed, messages })
  for (let call = 0; call < count; call++) {
    const response = await fetch(`${baseUrl}/chat/completions`, { method: 'POST', body })
    await response.text()
  }
  return 'answered'
}

process.on('message', async (order: Order) => {
  const { isStreamed } = order
  const startMs = performance.now()
  const status = await ('question' in order
    ? ask(order, isStreamed)
    : callBare(order.bareCalls, isStreamed))
  const told: Told = { wallMs: performance.now() - startMs, status }
  process.send?.(told)
})
process.send?.('ready')
