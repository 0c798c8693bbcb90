import { isEmptyWord, isWeakStem, relatedStems } from '../language/word-families.ts'
import { oneLine, readWords, type Word } from '../language/words.ts'
import { type QuestionForm, readQuestionForm } from './question-form.ts'

/** A question as the engine understands it. */
export interface Question extends Omit<QuestionForm, 'topic' | 'taken'> {
  readonly text: string
  readonly words: readonly Word[]
  readonly terms: readonly Term[]
  readonly topic: readonly Word[]
  /** The word for the action or state; `undefined` in a question that consists of names. */
  readonly action: Term | undefined
  /** Whether it asks for the earliest of several. */
  readonly wantsFirst: boolean
  /** Whether it asks for more than one answer ("which women have"). */
  readonly wantsAll: boolean
  /** Whether it is the only question, so that an answer may leave its subject unnamed ("It was …"). */
  readonly isAlone: boolean
}

const maxChars = 1000

/** Reads what a research request asks, at most its first 1,000 characters. */
export function readQuestion(request: string, isAlone = false): Question {
  const spoken = oneLine(request).slice(0, maxChars).replace(politeness, '')
  const text = spoken.replace(instruction, '').trim() || spoken
  const { topic = '', taken, ...form } = readQuestionForm(text)
  const terms = readTerms(text, taken)
  return {
    ...form,
    text,
    words: readWords(text),
    terms,
    action: findAction({ ...form, taken }, terms),
    topic: readWords(topic),
    wantsFirst: /\b(?:first|earliest|originally)\b/i.test(text),
    wantsAll: severalPattern.test(text),
    isAlone,
  }
}

const politeness =
  /^(?:(?:please|hi|hello|hey|ok|okay|so|well|and|but)[\s,!]+|(?:can|could|would|will) you (?:please )?(?:tell me|explain(?: to me)?|say|find out|describe|show me)(?: about)?\s+|(?:do you know|i(?: would|'d)? (?:want|like) to know|i wonder|tell me|explain(?: to me)?)\s+(?=wh|how|if|in which))+/i

/** "Find information about …", "Identify …": how a step of a plan may begin. */
const instruction =
  /^(?:find(?: out)?|search(?: for)?|research|look up|gather|collect|identify|determine|retrieve)\s+(?:(?:information|details|data|evidence|facts|passages|sources)\s+)?(?:(?:about|on|for|regarding|concerning)\s+)?/i

const severalPattern =
  /^(?:which|what) (?:\p{L}+ )?(?:women|men|people|\p{L}+[^s\W]s)\s+(?:are|were|have|had|did|do|\p{L}+ed)\b|^list\b/iu

/** A word of a question that an answer is compared with. */
export interface Term {
  readonly text: string
  readonly stem: string
  /** Index among the question's words, from 0. */
  readonly index: number
  /** The stems that count as this word, including its own. */
  readonly related: ReadonlySet<string>
  /** `name`: capitalised; `number`: digits. */
  readonly form: 'name' | 'number' | 'word'
  /** Whether an answer may lack it. */
  readonly isWeak: boolean
  /** Whether it is in a subordinate clause, where it counts less. */
  readonly isSide: boolean
  /** Whether it is in quotation marks and must appear unchanged. */
  readonly isQuoted: boolean
  /** The index of the run of capitalised words it belongs to, from 0. */
  readonly nameSpan?: number
}

/** The content words of a question, each once. `taken` are stems that the question's form already covers. */
export function readTerms(text: string, taken: ReadonlySet<string>): readonly Term[] {
  const words = readWords(text)
  const quotes = findQuotedSpans(text)
  const sideFrom = findSideClause(text)
  const isShouting =
    words.length > 3 && (!/\p{Ll}/u.test(text) || words.every((word) => word.isCapital))
  const terms: Term[] = []
  let nameSpan = -1
  for (const [index, word] of words.entries()) {
    const isQuoted = quotes.some(([start, end]) => word.start >= start && word.start < end)
    const isName = !isShouting && isNameAt(words, index)
    if (!isQuoted && !isName && (isEmptyWord(word.plain) || taken.has(word.stem))) continue
    if (word.plain.length < 2 && !word.isNumber && !isName) continue
    if (terms.some((term) => term.stem === word.stem)) continue
    if (isName && !continuesName(words, index)) nameSpan++
    terms.push({
      text: word.text,
      stem: word.stem,
      index,
      related: isName ? new Set([word.stem]) : relatedStems(word.stem),
      form: word.isNumber ? 'number' : isName ? 'name' : 'word',
      isWeak: !isName && !word.isNumber && !isQuoted && isWeakAt(words, index),
      isSide: word.start >= sideFrom,
      isQuoted,
      ...(isName ? { nameSpan } : {}),
    })
  }
  return terms
}

/** Whether a capital shows a name: not on the question's first word, and on function words only inside a run of capitals. */
function isNameAt(words: readonly Word[], index: number): boolean {
  const word = words[index] as Word
  if (!word.isCapital) return false
  const next = words[index + 1]
  const isFollowed = next?.isCapital === true && next.isJoined
  if (index === 0)
    return !isEmptyWord(word.plain) && (isFollowed || !/^\p{Lu}\p{Ll}*$/u.test(word.text))
  if (!isEmptyWord(word.plain)) return true
  return (
    !/^(?:the|an?)$/.test(word.plain) && index > 1 && (isFollowed || continuesName(words, index))
  )
}

function continuesName(words: readonly Word[], index: number): boolean {
  const before = words[index - 1]
  if (before?.isCapital !== true || (words[index] as Word).isJoined === false) return false
  return index > 1 || !isEmptyWord(before.plain)
}

/** Whether a word may be missing: a weak one, but not an ordinal that distinguishes ("the second"). */
function isWeakAt(words: readonly Word[], index: number): boolean {
  const word = words[index] as Word
  const isOrdinal = /^(?:first|second|third|last)$/.test(word.plain)
  if (isOrdinal) return word.plain === 'first' && words[index - 1]?.plain !== 'the'
  const isPortion = portion.test(word.plain) && words[index + 1]?.plain === 'of'
  if (isPortion && /^(?:an?|one|each|per)$/.test(words[index - 1]?.plain ?? '')) return true
  return isWeakStem(word.stem)
}

/** "A cup of tea": the question is about the tea. */
const portion = /^(?:cup|glass|mug|shot|serving|portion|piece|slice|bottle|can|bowl|bit)$/

function findQuotedSpans(text: string): readonly [number, number][] {
  const matches = [...text.matchAll(/["“«]([^"”»]{1,80})["”»]/g)]
  return matches.map((match) => [match.index, match.index + match[0].length])
}

/** The earliest position of a subordinate clause. */
const firstClauseChars = 8
const sideClause =
  /(?<!\bit)[\s,](?:that|when|while|because|after|before|although|if|since|who|which|whose) (?=\S)/i

/** Where a subordinate clause begins ("…, that", "… when", "… because"), or infinity. */
function findSideClause(text: string): number {
  const match = sideClause.exec(text.slice(firstClauseChars))
  return match === null ? Number.POSITIVE_INFINITY : match.index + firstClauseChars
}

/**
 * The word for the action or state ("invented", "die"): in questions of time, place, manner or reason a past
 * participle if there is one, otherwise the first required word that is not a name.
 */
function findAction(form: QuestionForm, terms: readonly Term[]): Term | undefined {
  const words = terms.filter(
    ({ form: kind, isWeak, isSide, text }) =>
      kind === 'word' && !isWeak && !isSide && !/^(?:first|second|third|last)$/i.test(text),
  )
  const [first, second] = words
  if (first !== undefined && namesPeople(form, first)) return second
  const isSubjectFirst = /^(?:time|place|manner|reason|amount)$/.test(form.kind)
  return isSubjectFirst ? (words.find(({ text }) => isParticiple(text)) ?? first) : first
}

/** "Which women won": the first word says who is wanted, not what was done. */
function namesPeople({ kind, isChoice }: QuestionForm, { text }: Term): boolean {
  const isPeople = /^(?:wom[ae]n|m[ae]n|actress(?:es)?)$/i.test(text)
  return kind === 'person' && isChoice === true && isPeople
}

const irregularParticiple =
  /^(?:made|built|found|born|written|won|held|sold|sent|shot|led|known|taken|given|shown|grown|drawn|broken|chosen|seen|kept|lost|left|paid|told|taught|bought|brought|caught|begun|sunk|sung|spoken|stolen|struck|thrown|worn|fought)$/i

function isParticiple(word: string): boolean {
  return /..[^e]ed$/i.test(word) || irregularParticiple.test(word)
}
