// Hears a stream of chunks by plain fetch and through a session, and says how late each was.
import { createApp } from '../../src/app.ts'

/** Milliseconds from the server's write of each chunk until it was heard. */
export interface Delays {
  readonly plain: readonly number[]
  readonly session: readonly number[]
}

const [root = '.', url = ''] = process.argv.slice(2)
const now = () => performance.timeOrigin + performance.now()
const timesIn = (text: string) =>
  [...text.matchAll(/<([\d.]+)>/g)].map(([, time]) => now() - Number(time))

async function plainDelays(): Promise<readonly number[]> {
  const delays: number[] = []
  const response = await fetch(`${url}/chat/completions`, { method: 'POST', body: '{}' })
  const decoder = new TextDecoder()
  for await (const bytes of response.body ?? []) delays.push(...timesIn(decoder.decode(bytes)))
  return delays
}

async function sessionDelays(): Promise<readonly number[]> {
  const delays: number[] = []
  const app = createApp({
    home: `${root}/home`,
    folder: root,
    models: { default: 'openai-compatible:m' },
    environment: { OPENAI_BASE_URL: url, PATH: process.env.PATH },
  })
  const session = await app.code(
    {},
    {
      onEvent: (event) =>
        event.type === 'delta' ? delays.push(...timesIn(event.text)) : undefined,
    },
  )
  await session.send('one')
  // The first request loads what it needs.
  delays.length = 0
  await session.send('two')
  await session.close()
  await app.close()
  return delays
}

await plainDelays()
const plain = await plainDelays()
const session = await sessionDelays()
const delays: Delays = { plain, session }
process.send?.(delays)
