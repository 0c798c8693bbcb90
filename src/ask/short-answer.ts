import { parseNumbers } from '../citations/markup/brackets.ts'
import { saysNothing } from '../citations/role-requests.ts'
import { functionWords } from '../claims/language/function-words.ts'
import { lemma } from '../claims/language/lemma.ts'
import { findUnit } from '../claims/language/quantities.ts'
import { tokenize } from '../claims/language/tokens.ts'
import { parseWords, type Word } from '../claims/language/words.ts'
import { toInertMarkdown } from '../claims/verify/inert-markdown.ts'
import { citedNumbers } from '../team/evidence.ts'
import { areNumbersStated, derivesNewValue } from './calculated.ts'
import { type AskPatch, type AskState, withFields } from './state.ts'

/**
 * The basis of a short answer without citations: the text it was made from. Its sentences are checked as the answer's
 * claims, since a bare number or name states nothing that could be looked up.
 */
export function createBasisPatch({ question, answer }: AskState, finalAnswer: string): AskPatch {
  const isBare = citedNumbers(finalAnswer).length === 0 && !saysNothing(finalAnswer)
  return question.answerFormat === 'short' && isBare
    ? { answer: { basis: toInertMarkdown(answer.draft) } }
    : {}
}

/** The state with the text to check as its final answer: a short answer's basis, else the answer itself. */
export function withBasis(state: AskState): AskState {
  const { basis } = state.answer
  return basis === '' ? state : withFields(state, { answer: { text: basis } })
}

/** Whether the text that a short answer was made from supports it; `unsure`: code cannot tell. */
export type ShortAnswerSupport = 'supported' | 'unsure' | 'unsupported'

/**
 * Whether a short answer is supported by its basis: each of its numbers, with sign and unit, is stated there or was calculated, and
 * each of its content words occurs there, inflected or not. A yes or no is only known to be supported where the basis begins with one.
 */
export function assessShortAnswer(state: AskState): ShortAnswerSupport {
  const { calculations } = state.answer
  const { citations } = state.research
  if (state.answer.basis === '') return 'supported'
  const results = calculations.filter(derivesNewValue).map(({ result }) => result)
  const basis = [withoutMarks(state.answer.basis, citations), ...results].join(' ; ')
  const answer = withoutMarks(state.answer.text, citations)
  const [, word, rest = ''] = startsWithYesOrNo.exec(answer) ?? []
  if (word === undefined || (rest !== '' && !yesNoQuestion.test(state.question.text)))
    return isContainedIn(answer, basis) ? 'supported' : 'unsupported'
  return isContainedIn(rest, basis) ? assessYesOrNo(state, word.toLowerCase()) : 'unsupported'
}

const startsWithYesOrNo = /^\W*(yes|no|true|false)\b(?:\s*[,.;:–—-]\s*(\S.*)|\W*)$/is

/** Whether another text contains each number of a text, with its sign and unit, and each of its content words. */
function isContainedIn(text: string, basis: string): boolean {
  const [words, there] = [readWords(text), readWords(basis)]
  const keys = new Set(there.flatMap(({ key, plain }) => [key, lemma(plain)]))
  const areNumbersThere =
    areNumbersStated(text, basis) ||
    words.every(({ kind, key }) => kind !== 'number' || keys.has(key))
  const isThere = (one: Word, index: number) => {
    const { kind, key, plain } = one
    if (kind === 'unit') return isUnitThere(words, index, there)
    if (kind === 'negator') return there.some((other) => other.kind === 'negator')
    if (kind === 'number' && /\d/.test(plain)) return true
    if (kind === 'word' && functionWords.has(one.lemma)) return true
    const unit = findUnit(plain)
    return (
      keys.has(key) ||
      keys.has(lemma(plain)) ||
      (unit !== undefined && there.some((other) => isSameUnit(other, unit))) ||
      (withoutSpaces.test(plain) && basis.toLowerCase().includes(plain))
    )
  }
  return areNumbersThere && words.every(isThere)
}

/** Scripts that do not separate words by spaces. */
const withoutSpaces = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

function readWords(text: string): readonly Word[] {
  return parseWords(text, tokenize(text))
}

/** A text without its citation marks. Brackets with other numbers are no marks: a list such as `[4, 5]`. */
function withoutMarks(text: string, citations: AskState['research']['citations']): string {
  const minted = new Set(citations.map(({ n }) => n))
  return text.replaceAll(/(?:\[\d[\d,;–—\s-]*\])+/g, (run) => {
    const lists = run.slice(1, -1).split('][')
    return lists.flatMap(parseNumbers).some((n) => minted.has(n)) ? ' ' : ` ${lists.join(' ; ')} `
  })
}

/** The same number must have the same unit there; for `degrees Celsius`, each word is one. */
function isUnitThere(words: readonly Word[], index: number, there: readonly Word[]): boolean {
  const { unit } = words[index] as Word
  if (unit === undefined) return false
  const number = findAdjacentNumber(words, index)
  return there.some(
    (other, at) =>
      isSameUnit(other, unit) &&
      (number === undefined || isSameNumber(findAdjacentNumber(there, at), number)),
  )
}

function isSameUnit({ unit }: Word, { dimension, factor }: NonNullable<Word['unit']>): boolean {
  return unit?.dimension === dimension && unit.factor === factor
}

/** The number before a unit, possibly with other units between, or directly after it: `$5`. */
function findAdjacentNumber(words: readonly Word[], index: number): Word | undefined {
  let at = index - 1
  while (words[at]?.kind === 'unit') at--
  if (words[at]?.kind === 'number') return words[at]
  const next = words[index + 1]
  return next?.kind === 'number' ? next : undefined
}

function isSameNumber(one: Word | undefined, other: Word): boolean {
  const [text, number] = [one, other].map((word) =>
    word === undefined ? '' : word.sentence.slice(word.start, word.end),
  )
  return one !== undefined && (one.key === other.key || areNumbersStated(number ?? '', text ?? ''))
}

/** Yes-or-no questions: they begin with a verb, mention both answers, or ask whether. */
const yesNoQuestion =
  /(?:^|[.!?:;,\n]\s*)(?:(?:and|so|but|then)\s+)?(?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|should|shall|may|might|must|isn't|aren't|wasn't|weren't|don't|doesn't|didn't|hasn't|haven't|can't|couldn't|won't|wouldn't)\b[^.!?]*\?|\bwhether\b|\byes\b|\btrue\b|\bfalse\b/i

function assessYesOrNo(
  { question, answer: { basis } }: AskState,
  word: string,
): ShortAnswerSupport {
  if (!yesNoQuestion.test(question.text)) return 'unsupported'
  const said = /^\W*(yes|no|true|false)\b/i.exec(basis)?.[1]?.toLowerCase()
  if (said === undefined) return 'unsure'
  return isAffirmative(said) === isAffirmative(word) ? 'supported' : 'unsupported'
}

function isAffirmative(word: string): boolean {
  return word === 'yes' || word === 'true'
}

/** Whether an answer is more than citation marks and punctuation. */
export function hasContent({ answer, research }: AskState): boolean {
  return /[^\s\p{P}]/u.test(withoutMarks(answer.text, research.citations))
}
