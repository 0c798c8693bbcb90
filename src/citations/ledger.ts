import { ScholiumError } from '../kernel/errors.ts'
import type { PassageReference } from './claim.ts'
import { CitationIndex } from './numbers/citation-index.ts'
import { type IndexEntry, requireEntry } from './numbers/index-entry.ts'
import type { PassageId, SourceId } from './source.ts'

/** A citation number and its source. */
export type MintedNumber = {
  readonly n: number
  readonly sourceId: SourceId
  readonly title: string
}

/** A passage that is read: its position and its source's title. */
export type PassageRead = {
  readonly passageId: PassageId
  readonly sourceId: SourceId
  readonly title: string
  readonly start: number
  readonly end: number
  readonly page?: number
  readonly section?: string
}

/**
 * What a run has read: an index whose numbers are minted when a source is first read, and the passages read under them.
 * The same readings in the same order give the same numbers.
 */
export class EvidenceLedger {
  /** All numbers, including those cited but not read. */
  readonly index: CitationIndex
  private readonly readPassages: PassageReference[]

  /** @throws `invalid_input` if the numbers are not 1, 2, 3 … */
  constructor(citations: readonly IndexEntry[] = [], passages: readonly PassageReference[] = []) {
    this.index = CitationIndex.fromJSON(citations)
    this.readPassages = [...passages]
  }

  /** The numbers of sources so far. */
  get citations(): readonly MintedNumber[] {
    return this.index.entries.flatMap(({ n, sourceId, title = '' }) =>
      sourceId === undefined ? [] : [{ n, sourceId, title }],
    )
  }

  /** The passages so far, in reading order, each once. */
  get passages(): readonly PassageReference[] {
    return [...this.readPassages]
  }

  /** A source's number: the one it has, or the next. */
  mint(sourceId: SourceId, title: string): number {
    return this.index.add({ sourceId, title }).n
  }

  /** Adds a passage and returns its reference with its source's number. */
  read(passage: PassageRead): PassageReference {
    const known = this.readPassages.find((reference) => reference.passageId === passage.passageId)
    if (known !== undefined) return known
    const { passageId, sourceId, title, start, end, page, section } = passage
    const reference: PassageReference = {
      n: this.mint(sourceId, title),
      passageId,
      sourceId,
      start,
      end,
      ...(page === undefined ? {} : { page }),
      ...(section === undefined ? {} : { section }),
    }
    this.readPassages.push(reference)
    return reference
  }

  /** The source of a number. @throws `invalid_input` for a number without a source, naming the existing numbers */
  requireSource(n: number): MintedNumber {
    const { sourceId, title = '' } = requireEntry(this.index, n)
    if (sourceId !== undefined) return { n, sourceId, title }
    const numbers = this.citations.map((source) => source.n).join(', ')
    const text = `The number ${n} is an address that was not read. Numbers of sources: ${numbers || 'none'}.`
    throw new ScholiumError('invalid_input', text, { details: { n } })
  }

  /**
   * Merges another ledger in its order, and returns the number here for each number there. For branches with their own
   * numbers.
   */
  merge(other: EvidenceLedger): ReadonlyMap<number, number> {
    const numbers = this.index.merge(other.index)
    for (const reference of other.passages) {
      const isKnown = this.readPassages.some(({ passageId }) => passageId === reference.passageId)
      if (!isKnown) this.readPassages.push({ ...reference, n: numbers.get(reference.n) as number })
    }
    return numbers
  }
}
