import type { SeenCall } from './serve-model.ts'

/**
 * The longest chain of dependent calls, in milliseconds: of the chains in which each call came after the one before it had
 * been answered, the one whose calls take longest together. A call that came before another had its answer cannot depend
 * on it, so of calls that ran at once only one is counted; between calls nothing is, since that time is the program's own.
 */
export function criticalPathMs(calls: readonly SeenCall[]): number {
  const ended = calls.toSorted((one, other) => one.endMs - other.endMs)
  const longest: number[] = []
  for (const [index, call] of ended.entries()) {
    const before = ended.findLastIndex((earlier, at) => at < index && earlier.endMs <= call.startMs)
    const through = call.endMs - call.startMs + (longest[before] ?? 0)
    longest.push(Math.max(through, longest[index - 1] ?? 0))
  }
  return longest.at(-1) ?? 0
}
