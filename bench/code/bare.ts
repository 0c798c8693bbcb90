// What a Node takes that does nothing.
import type { Waiting } from './waiting.ts'

const ms = performance.now()
const { user, system } = process.cpuUsage()
const rssMb = process.memoryUsage().rss / 2 ** 20
const waiting: Waiting = { ms, cpuMs: (user + system) / 1_000, rssMb }
process.send?.(waiting)
