import { ScholiumError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { CslItem, SourceId } from '../source.ts'

/** What a number of an index stands for: a source that was read, an address, or both. JSON only. */
export type IndexEntry = {
  /** Counts from 1 in the order of minting. */
  readonly n: number
  /** As first given. */
  readonly url?: string
  readonly sourceId?: SourceId
  readonly title?: string
  readonly csl?: CslItem
  /** Other addresses of the same source. */
  readonly aliases?: readonly string[]
  readonly tags?: readonly string[]
  readonly metadata?: JsonObject
}

/** A new entry: at least a URL or a source's id. */
export type NewEntry = Omit<IndexEntry, 'n'>

/** The part of an index needed to look up numbers. */
export interface CitedNumbers {
  /** Numbers go from 1 to this. */
  readonly size: number
  /** The entry of a number; `undefined` if it was not minted. */
  entry(n: number): IndexEntry | undefined
}

/** The existing numbers, as a sentence for models and people. */
export function describeRange(size: number): string {
  return size === 0 ? 'There are no numbers yet.' : `Numbers go from 1 to ${size}.`
}

/** The entry of a number. @throws `invalid_input` for a number that was not minted, naming the existing numbers */
export function requireEntry(numbers: CitedNumbers, n: number): IndexEntry {
  const found = numbers.entry(n)
  if (found !== undefined) return found
  const text = `The number ${n} does not refer to a source. ${describeRange(numbers.size)}`
  throw new ScholiumError('invalid_input', text, { details: { n, count: numbers.size } })
}
