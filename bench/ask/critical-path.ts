import type { SeenCall } from './serve-model.ts'

/**
 * The longest chain of dependent calls, in milliseconds: of all chains in which each call began after the one before it was
 * answered, the one whose calls take longest together. Of parallel calls, it contains one. Time between calls is not counted.
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
