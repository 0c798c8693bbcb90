import { ScholiumError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { CslItem, SourceId } from '../source.ts'

/** What a number of an index stands for: a source that was read, an address, or both. JSON only. */
export type IndexEntry = {
  /** Counts from 1 in the order of minting. */
  readonly n: number
  /** As it was first given. */
  readonly url?: string
  readonly sourceId?: SourceId
  readonly title?: string
  readonly csl?: CslItem
  /** Other addresses of the same source. */
  readonly aliases?: readonly string[]
  readonly tags?: readonly string[]
  readonly metadata?: JsonObject
}

/** What is given to an index: at least a URL or a source's id. */
export type NewEntry = Omit<IndexEntry, 'n'>

/** What of an index is needed to find what a number stands for. */
export interface CitedNumbers {
  /** Numbers go from 1 to this. */
  readonly size: number
  /** What a number stands for; `undefined` for one that was not minted. */
  entry(n: number): IndexEntry | undefined
}

/** Which numbers there are, as a sentence for models and people. */
export function rangeText(size: number): string {
  return size === 0 ? 'There are no numbers yet.' : `Numbers go from 1 to ${size}.`
}

/** What a number stands for. @throws `invalid_input` for a number that was not minted, naming those that were */
export function requireEntry(numbers: CitedNumbers, n: number): IndexEntry {
  const found = numbers.entry(n)
  if (found !== undefined) return found
  const text = `The number ${n} does not refer to a source. ${rangeText(numbers.size)}`
  throw new ScholiumError('invalid_input', text, { details: { n, count: numbers.size } })
}
