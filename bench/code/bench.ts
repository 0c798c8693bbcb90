import type { Bench, BenchSize, Measure } from '../bench.ts'
import { libraryUrl } from '../library-url.ts'
import { start, talk } from '../processes.ts'
import { median, quantile } from '../timing.ts'
import type { Delays } from './streamed.ts'
import type { Waiting } from './waiting.ts'

interface Amounts {
  readonly starts: number
  /** How long a session waits before its memory is measured. */
  readonly waitMs: number
  readonly chunks: number
}

const amounts: Readonly<Record<BenchSize, Amounts>> = {
  smoke: { starts: 1, waitMs: 0, chunks: 20 },
  quick: { starts: 5, waitMs: 2_000, chunks: 600 },
  full: { starts: 11, waitMs: 2_000, chunks: 2_000 },
}
const chunkEveryMs = 5

/** How soon a coding session accepts its first prompt, its memory while it waits, and what it adds to each streamed chunk. */
export const bench: Bench = {
  title: 'The coding agent',
  async run({ size, folder }) {
    return [
      ...(await measureWaiting(folder, amounts[size])),
      ...(await measureChunks(folder, amounts[size].chunks)),
    ]
  },
}

/** In new processes with Node's compile cache, in turns with a Node that does nothing. The first of each is not counted. */
async function measureWaiting(
  folder: string,
  { starts, waitMs }: Amounts,
): Promise<readonly Measure[]> {
  const library = libraryUrl()
  const bare: Waiting[] = []
  const sessions: Waiting[] = []
  for (let count = 0; count <= starts; count++) {
    bare.push(await runOnce<Waiting>('./bare.ts'))
    sessions.push(await runOnce<Waiting>('./waiting.ts', folder, String(waitMs), library))
  }
  const medianOf = (all: readonly Waiting[], value: (one: Waiting) => number) =>
    median(all.slice(1).map(value))
  const row = (
    what: string,
    unit: string,
    value: (one: Waiting) => number,
    target?: Measure['target'],
  ): Measure => ({
    what,
    value: medianOf(sessions, value),
    unit,
    yardstick: { what: 'a bare Node', value: medianOf(bare, value) },
    ...(target && { target }),
  })
  return [
    row('from the start of Node to the first prompt; median', 'ms', ({ ms }) => ms, { atMost: 6 }),
    row('the same, processor time; median', 'ms', ({ cpuMs }) => cpuMs),
    {
      what: `memory ${waitMs / 1_000} s later; median`,
      value: medianOf(sessions, ({ rssMb }) => rssMb),
      unit: 'MB',
      target: { atMost: 120 },
    },
  ]
}

/** The time from the model's write of a chunk until it is heard: by plain fetch, and by a listener of a session. */
async function measureChunks(folder: string, chunks: number): Promise<readonly Measure[]> {
  const server = start(
    new URL('./stream-server.ts', import.meta.url),
    String(chunks),
    String(chunkEveryMs),
  )
  try {
    const url = await talk<string>(server)
    const { plain, session } = await runOnce<Delays>('./streamed.ts', folder, url)
    return [0.5, 0.99].map((share) => ({
      what: `a streamed chunk until it is heard, of ${chunks}; ${share === 0.5 ? 'median' : 'p99'}`,
      value: quantile(session, share),
      unit: 'ms',
      yardstick: { what: 'plain fetch', value: quantile(plain, share) },
      ...(share === 0.5 && { target: { atMost: 3 } }),
    }))
  } finally {
    server.kill()
  }
}

async function runOnce<Said>(module: string, ...args: readonly string[]): Promise<Said> {
  const child = start(new URL(module, import.meta.url), ...args)
  const said = await talk<Said>(child)
  child.kill()
  return said
}
