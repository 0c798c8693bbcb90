// Puts papers together several times in a process of its own and tells how long each took, from the call to the answer.
import { keepCompiledCode } from '../../src/files/cache-folder.ts'

const [home = '', baseUrl = '', library = ''] = process.argv.slice(2)
// As the command does, before it loads anything.
keepCompiledCode(process.env)
const { createApp }: typeof import('../../src/index.ts') = await import(library)

/** What the process is told: which papers, and whether they are added to those of the run before. */
export interface Order {
  readonly files: readonly string[]
  readonly isAdded: boolean
}

/** What it tells. */
export interface Told {
  readonly wallMs: number
  /** The time of processors that it took, in all threads. */
  readonly cpuMs: number
  readonly status: string
  /** Papers of the answer that were analysed and kept. */
  readonly kept: number
  /** The most memory that the process has had so far, with the threads that read PDFs. */
  readonly peakBytes: number
}

const query = 'What do these papers say of language models?'
let app: ReturnType<typeof createApp> | undefined

async function ask({ files, isAdded }: Order) {
  app ??= createApp({
    home,
    environment: {},
    models: { default: { name: 'openai-compatible:bench', baseUrl } },
  })
  const settings = { concurrency: 4, fresh: true }
  return isAdded
    ? app.papers({ continue: 'last', add: files, ...settings })
    : app.papers({ query, sources: files, count: files.length, ...settings })
}

process.on('message', async (order: Order) => {
  const startMs = performance.now()
  const before = process.cpuUsage()
  const { status, papers } = await ask(order)
  const wallMs = performance.now() - startMs
  const { user, system } = process.cpuUsage(before)
  const cpuMs = (user + system) / 1_000
  const kept = papers.filter((paper) => paper.status === 'kept').length
  const peakBytes = process.resourceUsage().maxRSS * 1_024
  const told: Told = { wallMs, cpuMs, status, kept, peakBytes }
  process.send?.(told)
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
