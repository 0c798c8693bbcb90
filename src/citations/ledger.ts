import { ScholiumError } from '../kernel/errors.ts'
import type { PassageReference } from './claim.ts'
import type { PassageId, SourceId } from './source.ts'

/** A citation number and the source that it stands for. */
export type MintedNumber = {
  readonly n: number
  readonly sourceId: SourceId
  readonly title: string
}

/** A passage that is read: where it stands and its source's title. */
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
 * The run's index: mints a source's number when the source is first read, and keeps which passages were read under it. The
 * same readings in the same order give the same numbers.
 */
export class EvidenceLedger {
  private readonly minted: MintedNumber[]
  private readonly readPassages: PassageReference[]

  constructor(citations: readonly MintedNumber[] = [], passages: readonly PassageReference[] = []) {
    this.minted = [...citations]
    this.readPassages = [...passages]
  }

  /** The numbers so far, from 1. */
  get citations(): readonly MintedNumber[] {
    return [...this.minted]
  }

  /** The passages so far, in the order of their reading, each once. */
  get passages(): readonly PassageReference[] {
    return [...this.readPassages]
  }

  /** A source's number: the one it has, or the next. */
  mint(sourceId: SourceId, title: string): number {
    const known = this.minted.find((entry) => entry.sourceId === sourceId)
    if (known !== undefined) return known.n
    const n = this.minted.length + 1
    this.minted.push({ n, sourceId, title })
    return n
  }

  /** Takes a passage in and gives its reference with its source's number. */
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

  /** What a number stands for. @throws `invalid_input` for a number that was not minted, naming those that were */
  sourceOf(n: number): MintedNumber {
    const found = this.minted[n - 1]
    if (found !== undefined) return found
    const range =
      this.minted.length === 0
        ? 'There are no numbers yet.'
        : `Numbers go from 1 to ${this.minted.length}.`
    throw new ScholiumError('invalid_input', `The number ${n} stands for no source. ${range}`, {
      details: { n, count: this.minted.length },
    })
  }

  /**
   * Takes another ledger in, in its order, and gives the number here for each number there: for branches that numbered on
   * their own.
   */
  merge(other: EvidenceLedger): ReadonlyMap<number, number> {
    const numbers = new Map(
      other.citations.map(({ n, sourceId, title }) => [n, this.mint(sourceId, title)] as const),
    )
    for (const reference of other.passages) {
      const isKnown = this.readPassages.some(({ passageId }) => passageId === reference.passageId)
      if (!isKnown) this.readPassages.push({ ...reference, n: numbers.get(reference.n) as number })
    }
    return numbers
  }
}
