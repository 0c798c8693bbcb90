import { checkClaims } from '../claims/check/check-claim.ts'
import { splitClaims } from '../claims/check/parse-claims.ts'
import { amountSpans } from './amount-span.ts'
import { peopleIn, placesIn } from './answer-signs.ts'
import { citationsIn, citeSentence, withoutCitations } from './cited-text.ts'
import { dateSpans } from './date-span.ts'
import { type Evidence, readEvidence, type Sentence } from './evidence.ts'
import { type NameSpan, nameSpans, withLists } from './name-span.ts'
import { isDenied } from './person-fit.ts'
import { type Wanted, wantedOf } from './wanted-answer.ts'
import { readWords } from './words.ts'

/**
 * The words of the cited sentences that answer a question by themselves, as a quotation with its number: `"Bath, Maine" [4].`
 * `undefined` where there is none of the wanted kind or more than one that it could be, or where the words say less than they
 * do in their sentence: then the sentences must speak for themselves.
 */
export function findShortAnswer(asked: string, cited: readonly string[]): string | undefined {
  const wanted = wantedOf(asked)
  if (wanted === undefined) return undefined
  const passages = cited.flatMap(asPassage)
  const evidence = readEvidence(passages)
  const isOverBridge = new Set(passages.map(({ n }) => n)).size > 1
  const hasFocus = (sentence: Sentence) =>
    wanted.focus !== undefined && sentence.stems.has(wanted.focus)
  const focused = evidence.sentences.filter(hasFocus)
  const sentences = focused.length > 0 || isOverBridge ? focused : evidence.sentences
  const found = sentences.map((sentence) => ({
    n: sentence.passage.n,
    text: isDenied(wanted.question, sentence) ? null : spanIn(wanted, evidence, sentence),
  }))
  const [first] = found.filter(({ text }) => text !== undefined)
  if (first === undefined || typeof first.text !== 'string') return undefined
  const { text, n } = first
  if (!found.every((other) => other.text === undefined || isSame(other.text, text)))
    return undefined
  const line = citeSentence(`"${text.replaceAll('"', "'")}".`, n)
  const [claim] = checkClaims(splitClaims(line), passages, [
    { n, sourceId: 'source' as never, title: '' },
  ])
  return claim?.verdict === 'verbatim' ? line : undefined
}

function isSame(one: string | null, other: string): boolean {
  return one !== null && (includesWords(one, other) || includesWords(other, one))
}

function asPassage(sentence: string, index: number) {
  const [n] = citationsIn(sentence)
  const text = withoutCitations(sentence)
  const id = `p${index}`
  return n === undefined
    ? []
    : {
        n,
        passageId: id as never,
        sourceId: id as never,
        start: 0,
        end: text.length,
        text,
        title: '',
      }
}

function includesWords(text: string, part: string): boolean {
  const words = readWords(text).map(({ plain }) => plain)
  return readWords(part).every(({ plain }) => words.includes(plain))
}

/** The words of a sentence that answer; `undefined`: none; `null`: several that it could be. */
type Found = string | undefined | null

function spanIn(wanted: Wanted, evidence: Evidence, sentence: Sentence): Found {
  switch (wanted.kind) {
    case 'time':
      return nearest(wanted, sentence, dateSpans(sentence.text, wanted.isYear))
    case 'amount':
      return only(amountSpans(wanted.question, sentence))
    case 'person':
      return personIn(wanted, evidence, sentence)
    case 'place':
      return ofClass(wanted, sentence) ?? placeIn(wanted, sentence)
    default:
      return ofClass(wanted, sentence)
  }
}

function only(spans: readonly { readonly text: string }[]): Found {
  return spans.length > 1 ? null : spans[0]?.text
}

/** The one span there is, or the one beside the word for what was done. */
function nearest(
  wanted: Wanted,
  sentence: Sentence,
  spans: readonly { readonly text: string; readonly start: number }[],
): Found {
  const placed = spans.map(({ text, start }) => ({
    text,
    index: sentence.words.findIndex((word) => word.start >= start),
  }))
  const fresh = placed.filter(({ text }) => !includesWords(wanted.question.text, text))
  if (wanted.kind === 'time' && fresh.length > 0 && isSpan(sentence.text)) return null
  if (fresh.length < 2) return fresh[0]?.text
  const [focus, ...others] = focusIn(wanted, sentence)
  if (focus === undefined || others.length > 0) return null
  const [best, next] = fresh
    .map(({ text, index }) => ({ text, far: distance(index, focus) }))
    .toSorted((left, right) => left.far - right.far)
  return best !== undefined && next !== undefined && next.far > farther * best.far
    ? best.text
    : null
}

/** "from 1918 to 1920": two dates that only together say when. */
function isSpan(text: string): boolean {
  return /\b(?:from|between) [^.;]{0,30}\d{3,4} (?:to|and|until|till) [^.;]{0,20}\d{3,4}|\d{4}\s?[–—-]\s?\d{4}/.test(
    text,
  )
}

/** Another candidate must stand so many times as far from what was done. */
const farther = 2

/** In words; what stands before the word for what was done is farther from it. */
function distance(index: number, focus: number): number {
  return index > focus ? index - focus : 1.5 * (focus - index)
}

/** Which words of a sentence are the one for what was done or is asked. */
function focusIn({ focus }: Wanted, { words }: Sentence): readonly number[] {
  return words.flatMap(({ stem }, index) => (stem === focus ? [index] : []))
}

function namesOf({ question }: Wanted, sentence: Sentence): readonly NameSpan[] {
  return nameSpans(sentence).filter(({ text }) => !includesWords(question.text, text))
}

function personIn(wanted: Wanted, evidence: Evidence, sentence: Sentence): Found {
  const asked = new Set(wanted.question.terms.map(({ stem }) => stem))
  const people = peopleIn(sentence, evidence, asked)
  const isPerson = ({ index, words }: NameSpan) =>
    people.some((person) => person.index >= index && person.index < index + words)
  const names = withLists(sentence.text, namesOf(wanted, sentence).filter(isPerson))
  if (names.some((name) => isOneOfTwo(sentence.text, name))) return null
  const [at] = focusIn(wanted, sentence)
  if (at === undefined) return only(names)
  const by = sentence.words.findIndex(
    ({ plain }, index) => index > at && index <= at + 6 && plain === 'by',
  )
  if (by > 0) {
    const agent = names.find(({ index }) => index > by && index <= by + 3)
    return agent?.text ?? null
  }
  if (names.length < 2) return names[0]?.text
  const subjects = names.filter(({ index, words }) => index + words <= at)
  return subjects.length === 1 ? subjects[0]?.text : null
}

/** "she and her husband Pierre Curie": one of two, of whom the other has no name here. */
function isOneOfTwo(text: string, { start }: NameSpan): boolean {
  return /\band (?:his|her|their) (?:\p{Ll}+ ){0,3}$/u.test(text.slice(0, start))
}

function placeIn(wanted: Wanted, sentence: Sentence): Found {
  const asked = new Set(wanted.question.terms.map(({ stem }) => stem))
  const places = placesIn(sentence, asked)
  const isOrigin = /\bfrom\W*$/i.test(wanted.question.text)
  const names = namesOf(wanted, sentence).filter(
    ({ index, words, start }) =>
      places.some((place) => place.index >= index && place.index < index + words) &&
      (!isOrigin || /\bfrom (?:the )?$/i.test(sentence.text.slice(0, start))),
  )
  const spans = names.map(({ start, end }) => {
    const rest = sentence.text.slice(end)
    const region = /^, \p{Lu}[\p{L}-]+(?: \p{Lu}[\p{L}-]+)*(?=[.,;)]|$)/u.exec(rest)
    return { text: sentence.text.slice(start, end + (region?.[0].length ?? 0)), start }
  })
  const whole = spans.filter(
    (span) => !spans.some((other) => other.start < span.start && other.text.endsWith(span.text)),
  )
  return nearest(wanted, sentence, whole)
}

/** "Which film festival": the one name that says itself to be one ("the 2016 Cannes Film Festival"). */
function ofClass(wanted: Wanted, sentence: Sentence): Found {
  const { classStem } = wanted
  if (classStem === undefined) return undefined
  return only(
    namesOf(wanted, sentence).filter(
      ({ text, words }) => words > 1 && readWords(text).some(({ stem }) => stem === classStem),
    ),
  )
}
