import { checkClaims } from '../../claims/check/check-claim.ts'
import { splitClaims } from '../../claims/check/parse-claims.ts'
import { citeSentence, findCitations, withoutCitations } from '../language/cited-text.ts'
import { findDateSpans } from '../language/dates.ts'
import { findNameSpans, joinNameLists, type NameSpan } from '../language/names.ts'
import { isEmptyWord, relatedStems } from '../language/word-families.ts'
import { fold, readWords, toStem } from '../language/words.ts'
import { endMarks } from '../question/end-marks.ts'
import { type Question, readQuestion } from '../question/question.ts'
import { type AnswerKind, readQuestionForm } from '../question/question-form.ts'
import { findAmounts, findPeople, findPlaces } from './answer-candidates.ts'
import { isDenied } from './answer-fit.ts'
import { type Evidence, readEvidence, type Sentence } from './evidence.ts'

/**
 * The words of the cited sentences that answer a question on their own, quoted with their number: `"Bath,
 * Maine" [4].` `undefined` if there is no candidate of the wanted kind, more than one, or if the words alone
 * say less than their sentence; then the answer is the sentences themselves.
 */
export function findShortAnswer(asked: string, cited: readonly string[]): string | undefined {
  const wanted = readWanted(asked)
  if (wanted === undefined) return undefined
  const passages = cited.flatMap(toPassage)
  const evidence = readEvidence(passages)
  const isOverBridge = new Set(passages.map(({ n }) => n)).size > 1
  const hasFocus = (sentence: Sentence) =>
    wanted.focus !== undefined && sentence.stems.has(wanted.focus)
  const focused = evidence.sentences.filter(hasFocus)
  const sentences = focused.length > 0 || isOverBridge ? focused : evidence.sentences
  const found = sentences.map((sentence) => ({
    n: sentence.passage.n,
    text: isDenied(wanted.question, sentence) ? null : findSpan(wanted, evidence, sentence),
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

function toPassage(sentence: string, index: number) {
  const [n] = findCitations(sentence)
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

/** The answering words of a sentence; `undefined` if there are none, `null` if there are several candidates. */
type Found = string | undefined | null

function findSpan(wanted: Wanted, evidence: Evidence, sentence: Sentence): Found {
  switch (wanted.kind) {
    case 'time':
      return findNearest(wanted, sentence, findDateSpans(sentence.text, wanted.isYear))
    case 'amount':
      return onlyOne(findAmountSpans(wanted.question, sentence))
    case 'person':
      return findPerson(wanted, evidence, sentence)
    case 'place':
      return findOfClass(wanted, sentence) ?? findPlace(wanted, sentence)
    default:
      return findOfClass(wanted, sentence)
  }
}

function onlyOne(spans: readonly { readonly text: string }[]): Found {
  return spans.length > 1 ? null : spans[0]?.text
}

/** The only span, or the one nearest to the word for the action. */
function findNearest(
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
  const [focus, ...others] = findFocus(wanted, sentence)
  if (focus === undefined || others.length > 0) return null
  const [best, next] = fresh
    .map(({ text, index }) => ({ text, far: distance(index, focus) }))
    .toSorted((left, right) => left.far - right.far)
  return best !== undefined && next !== undefined && next.far > farther * best.far
    ? best.text
    : null
}

/** "from 1918 to 1920": two dates that answer only together. */
function isSpan(text: string): boolean {
  return /\b(?:from|between) [^.;]{0,30}\d{3,4} (?:to|and|until|till) [^.;]{0,20}\d{3,4}|\d{4}\s?[–—-]\s?\d{4}/.test(
    text,
  )
}

/** Another candidate must be this many times as far from the action. */
const farther = 2

/** Distance in words; words before the action count as farther away. */
function distance(index: number, focus: number): number {
  return index > focus ? index - focus : 1.5 * (focus - index)
}

/** The positions of the word for the action. */
function findFocus({ focus }: Wanted, { words }: Sentence): readonly number[] {
  return words.flatMap(({ stem }, index) => (stem === focus ? [index] : []))
}

function findNewNames({ question }: Wanted, sentence: Sentence): readonly NameSpan[] {
  return findNameSpans(sentence).filter(({ text }) => !includesWords(question.text, text))
}

function findPerson(wanted: Wanted, evidence: Evidence, sentence: Sentence): Found {
  const asked = new Set(wanted.question.terms.map(({ stem }) => stem))
  const people = findPeople(sentence, evidence, asked)
  const isPerson = ({ index, words }: NameSpan) =>
    people.some((person) => person.index >= index && person.index < index + words)
  const names = joinNameLists(sentence.text, findNewNames(wanted, sentence).filter(isPerson))
  if (names.some((name) => isOneOfTwo(sentence.text, name))) return null
  const [at] = findFocus(wanted, sentence)
  if (at === undefined) return onlyOne(names)
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

/** "she and her husband Pierre Curie": one of two people; the other is not named here. */
function isOneOfTwo(text: string, { start }: NameSpan): boolean {
  return /\band (?:his|her|their) (?:\p{Ll}+ ){0,3}$/u.test(text.slice(0, start))
}

function findPlace(wanted: Wanted, sentence: Sentence): Found {
  const asked = new Set(wanted.question.terms.map(({ stem }) => stem))
  const places = findPlaces(sentence, asked)
  const isOrigin = /\bfrom\W*$/i.test(wanted.question.text)
  const names = findNewNames(wanted, sentence).filter(
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
  return findNearest(wanted, sentence, whole)
}

/** "Which film festival": the only name that contains the class ("the 2016 Cannes Film Festival"). */
function findOfClass(wanted: Wanted, sentence: Sentence): Found {
  const { classStem } = wanted
  if (classStem === undefined) return undefined
  return onlyOne(
    findNewNames(wanted, sentence).filter(
      ({ text, words }) => words > 1 && readWords(text).some(({ stem }) => stem === classStem),
    ),
  )
}

const hedges =
  /(?:about|around|roughly|approximately|nearly|almost|over|more than|at least|up to|less than|fewer than|some|only)\s+$/i
const unit =
  /^(?:\s?%|\s?°\s?[CFK]?|\s?(?:km|m|ft|mi)\/(?:h|s)|(?:\s|-)(?:(?:hundred|thousand|million|billion|trillion)\s)?(?:(?:per cent|square|cubic|degrees?|metric|nautical)\s?)?\p{L}+(?:\s(?:per|an?)\s\p{L}+)?)/u

/** The figures of a sentence that can answer a question about an amount, each with its hedge and its unit or what it counts. */
function findAmountSpans(
  question: Question,
  sentence: Sentence,
): readonly { readonly text: string }[] {
  const { amount } = question
  if (amount === undefined) return []
  const counted = new Set([...amount.counted].flatMap((stem) => [...relatedStems(stem)]))
  const asked = new Set(question.terms.map(({ stem }) => stem))
  const candidates = findAmounts(sentence, amount, counted).filter(
    ({ text }) => !asked.has(text.split(' ')[0] as string),
  )
  const named = [...amount.counted].filter((stem) => stem !== question.action?.stem)
  const things = new Set(named.length > 0 ? named : amount.counted)
  const all = candidates.map(({ index }) => toAmountSpan(sentence, index, things))
  const spans = amount.counted.size === 0 ? all : all.filter(({ isNamed }) => isNamed)
  const most = Math.max(
    0,
    ...spans.map(({ near }) => near.filter((stem) => asked.has(stem)).length),
  )
  return spans.filter(({ near }) => near.filter((stem) => asked.has(stem)).length === most)
}

const maxFollowingWords = 4

/**
 * A figure with its hedge, up to its unit or what it counts. `isNamed`: whether what it counts follows;
 * `near`: the stems that follow it.
 */
function toAmountSpan({ text, words }: Sentence, index: number, counted: ReadonlySet<string>) {
  const word = words[index] as Sentence['words'][number]
  const before = text.slice(0, word.start)
  const money = /[$€£¥]\s?$/.exec(before)?.[0].length ?? 0
  const hedge = hedges.exec(before.slice(0, before.length - money))?.[0].length ?? 0
  const following = words.slice(index + 1, index + 1 + maxFollowingWords)
  const joint = following.findIndex(({ plain }) => /^(?:and|or|but|with|of|in)$/.test(plain))
  const thing = following
    .slice(0, joint < 0 ? maxFollowingWords : joint)
    .findLast(({ stem }) => counted.has(stem))
  const end = word.start + word.text.length
  const unitEnd = end + (unit.exec(text.slice(end))?.[0].length ?? 0)
  const to = thing === undefined ? unitEnd : thing.start + thing.text.length
  return {
    text: text.slice(word.start - money - hedge, to),
    isNamed: thing !== undefined,
    near: following.map(({ stem }) => stem),
  }
}

/** What a short answer to a question must be. */
interface Wanted {
  readonly question: Question
  readonly kind: AnswerKind
  /** The stem of the word that the answer is expected near: the action. */
  readonly focus: string | undefined
  /** For "which film festival", the stem of "festival". */
  readonly classStem: string | undefined
  /** Whether the question asks for a year rather than a day. */
  readonly isYear: boolean
}

const latePattern =
  /(\p{L}+)(?:,? (?:by|in|at|to|from|of|for|with|on|during|as|near))? (?:(?:what|which) (?:[\p{L}\p{N}’'-]+ ?){1,5}|who|whom|where)$/iu
const classPattern =
  /\b(?:what|which) (?!(?:is|are|was|were|did|does|do|has|have|had|can)\b)((?:[\p{L}\p{N}’'-]+ ){0,4}?[\p{L}-]+)(?=$|,| (?:is|are|was|were|did|does|do|has|have|had|can|in|of|for|at|on|by|from|with|to|that|who|which|where|when|whose|located|based|\p{L}+ed)\b)/iu
const notAClass =
  /^(?:name|kind|type|sort|year|date|time|day|part|thing|way|number|amount|nationality|role|position|person|people|man|woman|director|actor|actress|singer|author)s?$/i

/** What a short answer to the question must be; `undefined` if only sentences can answer it. */
function readWanted(asked: string): Wanted | undefined {
  const question = readQuestion(asked)
  if (question.wantsAll || /^(?:yes-no|reason|definition|meaning|manner)$/.test(question.kind))
    return undefined
  const text = question.text.replace(endMarks, '')
  const late = latePattern.exec(text)
  const isLate = late !== null && late.index > 0
  const phrase = isLate ? late[0].slice(late[0].search(/\b(?:what|which|who|whom|where)\b/i)) : text
  const kind = isLate && question.kind === 'general' ? readQuestionForm(phrase).kind : question.kind
  const noun = classPattern.exec(phrase)?.[1]?.split(' ').at(-1)
  const word = isLate && !isEmptyWord((late[1] as string).toLowerCase()) ? late[1] : undefined
  const isClass = noun !== undefined && !notAClass.test(noun)
  const classStem = isClass ? toStem(fold(noun)) : undefined
  if (kind === 'general' && classStem === undefined) return undefined
  return {
    question,
    kind,
    focus: word === undefined ? question.action?.stem : toStem(fold(word)),
    classStem,
    isYear: /\b(?:what|which) year\b/i.test(text),
  }
}
