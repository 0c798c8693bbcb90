import { anaphors, generalSubjects, linkVerbs } from '../language/vocabulary.ts'
import type { Word } from '../language/words.ts'
import { isTelling } from './alteration.ts'
import type { SourceSentence } from './source-text.ts'

/** A claim that is the beginning of one sentence with the end of another, which says it of something else. */
export interface Splice {
  /** What the claim is about. */
  readonly claim: readonly Word[]
  /** What the source says it of. */
  readonly source: readonly Word[]
  readonly sentences: readonly SourceSentence[]
}

/** The least that the end of the other sentence must have, its verb included. */
const shortestEnd = 3

/**
 * The splice that a claim is, `undefined` if it is none: its words are the first of one sentence and the last, from a verb
 * on, of another, whose own beginning names something else and does not point back ("This", "The …").
 */
export function spliceOf(
  claim: readonly Word[],
  sentences: readonly SourceSentence[],
): Splice | undefined {
  const starts = sentences.map((sentence) => sharedStart(claim, sentence.words))
  const longest = Math.max(0, ...starts)
  const first = sentences[starts.indexOf(longest)]
  if (first === undefined || longest === 0) return undefined
  for (const second of sentences) {
    const end = second === first ? 0 : sharedEnd(claim, second.words)
    if (longest + end < claim.length) continue
    const at = verbIn(claim, Math.max(1, claim.length - end), longest)
    if (at === undefined || claim.length - at < shortestEnd) continue
    const [mine, theirs] = [
      claim.slice(0, at),
      second.words.slice(0, second.words.length - (claim.length - at)),
    ]
    if (first.words.length > at && areOtherSubjects(mine, theirs) && !pointsBack(second))
      return { claim: mine, source: theirs, sentences: [first, second] }
  }
  return undefined
}

function sharedStart(claim: readonly Word[], source: readonly Word[]): number {
  let count = 0
  while (count < claim.length && claim[count]?.key === source[count]?.key) count++
  return count
}

function sharedEnd(claim: readonly Word[], source: readonly Word[]): number {
  let count = 0
  while (count < claim.length && claim.at(-1 - count)?.key === source.at(-1 - count)?.key) count++
  return count
}

/** The last place from `from` to `to` at which a verb stands. */
function verbIn(claim: readonly Word[], from: number, to: number): number | undefined {
  for (let at = Math.min(to, claim.length - 1); at >= from; at--) {
    const word = claim[at] as Word
    if (linkVerbs.has(word.lemma) || /[^e]ed$/.test(word.plain)) return at
  }
  return undefined
}

function areOtherSubjects(mine: readonly Word[], theirs: readonly Word[]): boolean {
  const [own, others] = [mine.filter(isTelling), theirs.filter(isTelling)]
  if (own.length === 0 || !others.some(({ lemma }) => !generalSubjects.has(lemma))) return false
  if (theirs.some(({ lemma }) => anaphors.has(lemma))) return false
  return !others.some(({ key }) => own.some((word) => word.key === key))
}

function pointsBack({ passage, start }: SourceSentence): boolean {
  const [first = ''] = /^\p{L}+/u.exec(passage.read.text.slice(start, start + 24)) ?? []
  return anaphors.has(first.toLowerCase())
}
