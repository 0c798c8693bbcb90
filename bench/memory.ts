import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Memory of this process after garbage collection. */
export interface HeldMemory {
  readonly heapBytes: number
  readonly rssBytes: number
}

/** Collects garbage, several times since finalizers free more, and says what is still held. It needs no flag of Node. */
export async function measureHeldMemory(): Promise<HeldMemory> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let round = 0; round < 5; round++) {
    await sleep(20)
    collect()
  }
  const { heapUsed, rss } = process.memoryUsage()
  return { heapBytes: heapUsed, rssBytes: rss }
}
