// A library in a process of its own, started by bench.ts: LIBRARY IS_STORED URL FOLDER. Reports when it has carried out an order.
import { measureHeldMemory } from '../memory.ts'
import { timeMs } from '../timing.ts'
import type { OpenLibrary } from './library.ts'

/** To answer the question, or to tell the bytes of memory that the process holds. */
export type Order = 'whole' | 'streamed' | 'memory'

/** What one conversation took. */
export interface Cost {
  readonly ms: number
  /** Processor time of all threads. */
  readonly cpuMs: number
  /** What the kernel counts as output to a disk, whole pages each time; nothing in a folder in memory. */
  readonly writtenBytes: number
}

const [library, isStored, url = '', folder = ''] = process.argv.slice(2)
const { open }: { readonly open: OpenLibrary } = await import(`./libraries/${library}.ts`)
const ask = await open({ url, folder, isStored: isStored === 'true' })

async function measure(isStreamed: boolean): Promise<Cost> {
  const before = process.resourceUsage()
  const ms = await timeMs(() => ask(isStreamed))
  const after = process.resourceUsage()
  const cpuMicroseconds =
    after.userCPUTime + after.systemCPUTime - before.userCPUTime - before.systemCPUTime
  // Linux counts blocks of 512 bytes.
  const writtenBytes = (after.fsWrite - before.fsWrite) * 512
  return { ms, cpuMs: cpuMicroseconds / 1_000, writtenBytes }
}

process.on('message', async (order: Order) => {
  const isMemory = order === 'memory'
  process.send?.(
    isMemory ? (await measureHeldMemory()).rssBytes : await measure(order === 'streamed'),
  )
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
