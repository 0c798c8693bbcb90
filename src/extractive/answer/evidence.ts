import type { ShownPassage } from '../../citations/role-requests.ts'
import { readWords, toStem, type Word } from '../language/words.ts'
import { isLabelledLine, isSentence, splitQuotable, toQuotable } from './quotable.ts'

/** A sentence that may be quoted, with its context. */
export interface Sentence {
  /** The text as it is quoted: on one line, without citation marks and markup. */
  readonly text: string
  readonly words: readonly Word[]
  readonly stems: ReadonlySet<string>
  readonly passage: PassageView
  /** The sentence before it in the same paragraph. */
  readonly before: Sentence | undefined
  /** Whether it is a label with its value: "Warranty: 3 years". */
  readonly isNote: boolean
  /** Position within the passage. */
  readonly index: number
}

/** A passage with the stems of its headings and of its text. */
export interface PassageView {
  readonly n: number
  readonly passageId: string
  /** Position in the order in which searches returned the passages, from 0. */
  readonly rank: number
  /** Offset in the source, in UTF-16 code units. */
  readonly start: number
  readonly title: ReadonlySet<string>
  /** The stems of the name in the title, in order: without anything in brackets or after a comma or colon. */
  readonly name: readonly string[]
  readonly section: ReadonlySet<string>
  readonly stems: ReadonlySet<string>
  /** Stems of all passages found of the same source. */
  readonly sourceStems: ReadonlySet<string>
}

/** Everything that the searches found. */
export interface Evidence {
  readonly sentences: readonly Sentence[]
  /** Words that are capitalised inside some sentence: names, not sentence openers. */
  readonly nameWords: ReadonlySet<string>
  /** Words that also appear in lower case often enough to be ordinary words. */
  readonly plainWords: ReadonlySet<string>
}

/** Reads the sentences of passages. A passage found twice counts once, at its first position. */
export function readEvidence(found: readonly ShownPassage[]): Evidence {
  const passages = found.filter(
    (passage, index) =>
      found.findIndex(({ passageId }) => passageId === passage.passageId) === index,
  )
  const bySource = new Map<string, Set<string>>()
  const sentences = passages.flatMap((passage, rank) => {
    const sourceStems = bySource.get(passage.sourceId) ?? new Set<string>()
    bySource.set(passage.sourceId, sourceStems)
    return readPassage(passage, rank, sourceStems)
  })
  return { sentences, ...countWordUse(sentences) }
}

/** A word is plain if it appears in lower case at least once for this many capitalised uses. */
const capitalsPerPlain = 5

function countWordUse(sentences: readonly Sentence[]): Pick<Evidence, 'nameWords' | 'plainWords'> {
  const capitals = new Map<string, number>()
  const plain = new Map<string, number>()
  for (const { words } of sentences) {
    for (const [index, word] of words.entries()) {
      if (word.isCapital && index === 0) continue
      const counts = word.isCapital ? capitals : plain
      counts.set(word.plain, (counts.get(word.plain) ?? 0) + 1)
    }
  }
  const isPlain = ([word, count]: [string, number]) =>
    count * capitalsPerPlain >= (capitals.get(word) ?? 0)
  const plainWords = [...plain].filter(isPlain).map(([word]) => word)
  return { nameWords: new Set(capitals.keys()), plainWords: new Set(plainWords) }
}

function readPassage(
  passage: ShownPassage,
  rank: number,
  sourceStems: Set<string>,
): readonly Sentence[] {
  const stems = new Set<string>()
  const view: PassageView = {
    n: passage.n,
    passageId: passage.passageId,
    rank,
    start: passage.start,
    title: readHeadingStems(passage.title),
    name: readWords(passage.title.replace(/[\s,:]*[(,:].*$/, '')).map(({ stem }) => stem),
    section: readHeadingStems(passage.section ?? ''),
    stems,
    sourceStems,
  }
  const sentences: Sentence[] = []
  let lastEnd = 0
  let before: Sentence | undefined
  for (const { start, end } of splitQuotable(passage.text)) {
    const isNewParagraph = /\n\s*\n/.test(passage.text.slice(lastEnd, start))
    lastEnd = end
    const raw = passage.text.slice(start, end)
    const text = toQuotable(raw)
    const words = readWords(text)
    for (const { stem } of words) stems.add(stem)
    for (const { stem } of words) sourceStems.add(stem)
    if (isNewParagraph) before = undefined
    if (!isSentence(raw, text, words, passage)) continue
    const sentence: Sentence = {
      text,
      words,
      stems: collectStems(text, words),
      passage: view,
      before,
      isNote: isLabelledLine(text),
      index: sentences.length,
    }
    sentences.push(sentence)
    before = sentence
  }
  return sentences
}

const fromYearToYear =
  /\b(?:last(?:ed|s)|ran|runs|took place|raged|reigned|held) from [^,;]{0,20}\d{4}s? (?:to|until|till) /i

/** The stems of a sentence's words, without second parts of compounds ("Polish-born", "man-made"). */
function collectStems(text: string, words: readonly Word[]): ReadonlySet<string> {
  const isSecondPart = ({ start, plain }: Word): boolean =>
    text[start - 1] === '-' && /(?:ed|born|made|built|written|known|led)$/.test(plain)
  const stems = new Set(words.filter((word) => !isSecondPart(word)).map(({ stem }) => stem))
  if (fromYearToYear.test(text)) for (const stem of ['start', 'end'].map(toStem)) stems.add(stem)
  return stems
}

function readHeadingStems(heading: string): ReadonlySet<string> {
  return new Set(readWords(heading).map(({ stem }) => stem))
}

const pronounFirst = /^(?:he|she|it|they|this|these|those|its|his|her|their|such|here|both)$/
/** "This paper", "these authors": refers to the document itself, not to the sentence before. */
const ownDocument =
  /^th(?:is|ese) (?:paper|study|work|article|report|thesis|section|chapter|book|page|review|survey|authors?)\b/i
/** "A friend of the house, he opened it." */
const pronounAfterComma = /^[^,]{3,80}, (?:he|she|they) /

/** Whether a sentence begins by referring to the one before: with a pronoun, or with "the" and a word from there. */
export function refersBack({ words, text, before }: Sentence): boolean {
  const [first, second] = words
  if (first === undefined || ownDocument.test(text)) return false
  if (pronounFirst.test(first.plain) || pronounAfterComma.test(text)) return true
  if (first.plain !== 'the' || second === undefined || second.isCapital) return false
  const isTold = /^The \p{Ll}+ of \p{N}/u.test(text)
  return !isTold && before?.stems.has(second.stem) === true
}
