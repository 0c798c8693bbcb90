import type { Question } from '../question/question.ts'
import { isAboutSomebodyElse, isDenied, scoreAnswerFit } from './answer-fit.ts'
import {
  type Coverage,
  measureCoverage,
  requiredWordsPerMissing,
  type Weights,
  weighTerms,
} from './coverage.ts'
import { type Evidence, refersBack, type Sentence } from './evidence.ts'
import { isCompleteSentence } from './quotable.ts'

/** A sentence that may answer the question, with the one before it when it cannot stand alone. */
export interface RankedSentence {
  readonly sentence: Sentence
  readonly lead: Sentence | undefined
  readonly coverage: Coverage
  /** The possible answers in it: names, dates, figures. */
  readonly candidates: readonly string[]
  /** About 0 to 1.2; higher is better. */
  readonly score: number
}

/** What sentences are scored against. */
interface RankingContext {
  readonly question: Question
  readonly evidence: Evidence
  readonly weights: Weights
}

/** How much better a sentence must score with its lead than without. */
const leadCost = 0.02

/** All sentences that could answer the question, best first. */
export function rankSentences(question: Question, evidence: Evidence): readonly RankedSentence[] {
  const trial: RankingContext = { question, evidence, weights: weighTerms(question, evidence) }
  const candidates = evidence.sentences.flatMap((sentence) => {
    if (leavesActionToPrevious(trial, sentence) || onlyReports(question, sentence)) return []
    if (onlyAsks(question, sentence)) return []
    const alone = scoreCandidate(trial, sentence, undefined)
    const led = scoreWithLead(trial, sentence)
    if (led === undefined) return alone ?? []
    return alone === undefined || led.score > alone.score + leadCost ? led : alone
  })
  return candidates.toSorted(
    (left, right) =>
      right.score - left.score ||
      left.sentence.passage.rank - right.sentence.passage.rank ||
      left.sentence.index - right.sentence.index,
  )
}

const minFit = 0.5
const denialFactor = 0.75

function scoreCandidate(
  trial: RankingContext,
  sentence: Sentence,
  lead: Sentence | undefined,
): RankedSentence | undefined {
  const { question, evidence, weights } = trial
  const coverage = measureCoverage(question, weights, sentence, lead)
  if (!isCovered(question, coverage)) return undefined
  const { fit, candidates } = scoreAnswerFit(question, evidence, sentence, lead)
  if (fit < minFit) return undefined
  const denied = isDenied(question, sentence)
  if (isNegated(question) && !isDenied(question, sentence, question.action)) return undefined
  const denial = question.kind !== 'yes-no' && !isNegated(question) && denied ? denialFactor : 1
  const bonus = computeBonus(trial, sentence, lead, coverage) - (lead === undefined ? 0 : 0.05)
  return { sentence, lead, coverage, candidates, score: coverage.share * fit * denial + bonus }
}

/** "Who did not win": only a sentence that denies it can answer. */
function isNegated({ kind, text }: Question): boolean {
  return (
    !/^(?:reason|manner|definition|meaning)$/.test(kind) &&
    /\b(?:not|never|no longer|\p{L}+n['’]t)\b/iu.test(text)
  )
}

/**
 * Scores a sentence together with the one before it if it refers back, or if the one before covers the whole
 * question and leaves the answer to this one ("Sources differ on when it was made. One says 80 BC.").
 */
function scoreWithLead(trial: RankingContext, sentence: Sentence): RankedSentence | undefined {
  const { before } = sentence
  if (before === undefined) return undefined
  if (!announcesMore(trial, before) && !refersBack(sentence)) return undefined
  return scoreCandidate(trial, sentence, before)
}

/** "She was born in May. She lives in Rome.": the second sentence refers back, but not to the action asked about. */
function leavesActionToPrevious(trial: RankingContext, sentence: Sentence): boolean {
  const { question } = trial
  const { before } = sentence
  const isOfDeeds = /^(?:person|time|place)$/.test(question.kind)
  if (!isOfDeeds || before === undefined || !refersBack(sentence)) return false
  const spoken = question.terms.filter(({ form, isWeak }) => form === 'word' && !isWeak)
  const isIn = ({ stems }: Sentence) =>
    spoken.some(({ related }) => [...related].some((stem) => stems.has(stem)))
  return !isIn(sentence) && isIn(before) && !announcesMore(trial, before)
}

/** "A study found that it began in 205 BC" does not say when something was found. */
function onlyReports({ kind, action }: Question, { words }: Sentence): boolean {
  if (action?.stem !== 'find' || !/^(?:person|time|place)$/.test(kind)) return false
  const at = words.flatMap(({ stem }, index) => (stem === action.stem ? [index] : []))
  return at.length > 0 && at.every((index) => words[index + 1]?.plain === 'that')
}

const asking =
  /\b(?:aim(?:s|ed)?|objectives?|purpose|goal|hypothesi[sz]\w*|sought) (?:of|was|were|is|that|to)\b|^(?:[\p{Lu} ]+:? )?To (?:determine|assess|evaluate|investigate|examine|compare|study|test|analy[sz]e|identify|explore|describe|estimate|establish|find|report)\b|\b(?:determine|assess|evaluate|investigate|examine|test|explore|analy[sz]e|ask|study|know|clarify|see)(?:s|d|ed)? (?:\p{L}+ ){0,3}?(?:whether|if)\b/iu

/** "To assess whether it helps", "The aim was to see if": repeats the question without answering it. */
function onlyAsks({ kind }: Question, { text }: Sentence): boolean {
  return kind === 'yes-no' && asking.test(text)
}

const announcing =
  /\b(?:differ|disagree|var(?:y|ies)|depends?|estimates?|disput|debat|uncertain|unknown|unclear|contested|several|following)|:$/i

function announcesMore({ question, evidence, weights }: RankingContext, before: Sentence): boolean {
  if (!isDefining(question) && !announcing.test(before.text)) return false
  const coverage = measureCoverage(question, weights, before, undefined)
  if (coverage.missing.length > 0 || coverage.ownShare < minOwnShare) return false
  return isDefining(question) || scoreAnswerFit(question, evidence, before, undefined).fit === 0
}

function hasAction(question: Question, sentence: Sentence): boolean {
  const action = question.action
  return action === undefined || [...action.related].some((stem) => sentence.stems.has(stem))
}

/** "was discovered" for "discovered", not "the discovery". */
function hasActionAsAsked(
  question: Question,
  sentence: Sentence,
  lead: Sentence | undefined,
): boolean {
  const asked = question.action?.text.toLowerCase()
  return [...sentence.words, ...(lead?.words ?? [])].some(({ plain }) => plain === asked)
}

function isDefining({ kind }: Question): boolean {
  return kind === 'definition' || kind === 'meaning'
}

const minShare = 0.6
const minShareOfDefinition = 0.5
const minOwnShare = 0.25
/** The minimum for kinds of questions whose answers no name, date or figure shows. */
const minOwnShareOfDescription = 0.5

/** Whether the question's words that a sentence lacks can be left out: never a name, a number or the action. */
function isCovered(question: Question, { share, ownShare, missing }: Coverage): boolean {
  if (missing.some(({ form, isQuoted }) => form !== 'word' || isQuoted)) return false
  if (isDefining(question)) return share >= minShareOfDefinition
  const action = question.action
  if (action !== undefined && missing.includes(action)) return false
  const main = question.terms.filter(({ isWeak, isSide }) => !isWeak && !isSide).length
  const missingMain = missing.filter(({ isSide }) => !isSide).length
  if (missingMain > Math.floor(main / requiredWordsPerMissing)) return false
  const isTelling = question.kind === 'general' || question.kind === 'manner'
  return share >= minShare && ownShare >= (isTelling ? minOwnShareOfDescription : minOwnShare)
}

const longSentenceWords = 45
const limitedTo = /^(?:In|At|Among|For|Outside) (?:the )?\p{Lu}/u

/** Whether a sentence is limited to a place, time or group that the question does not name: "In the United States …". */
export function hasOtherScope({ terms }: Question, { words, text }: Sentence): boolean {
  const opening = words.slice(1, 5)
  return (
    limitedTo.test(text) && !opening.some(({ stem }) => terms.some((term) => term.stem === stem))
  )
}

/** Adjusts the score by signals other than the words shared with the question. */
function computeBonus(
  { question, evidence }: RankingContext,
  sentence: Sentence,
  lead: Sentence | undefined,
  coverage: Coverage,
): number {
  const { terms } = question
  const { passage, words, text } = sentence
  const isUnderHeading = terms.some(
    ({ stem, form }) => form === 'word' && passage.section.has(stem) && !passage.title.has(stem),
  )
  const parts: readonly (readonly [boolean, number])[] = [
    [!hasAction(question, sentence), -0.1],
    [hasActionAsAsked(question, sentence, lead), 0.03],
    [isUnderHeading, 0.04],
    [question.wantsFirst && sentence.stems.has('first'), 0.05],
    [coverage.isCorrection, -0.2],
    [words.length > longSentenceWords, isDefining(question) ? -0.1 : -0.03],
    [!sentence.isNote && !isCompleteSentence(text), -0.05],
    [/\?["”’)]*$/.test(text), -0.2],
    [hasOtherScope(question, sentence), -0.2],
    [isAboutSomebodyElse(question, evidence, sentence), -0.15],
  ]
  const fixed = parts.reduce((sum, [applies, value]) => sum + (applies ? value : 0), 0)
  const place = 0.04 * Math.max(0, 1 - passage.rank / 10)
  const form =
    0.05 * computeDensity(question, sentence) +
    0.03 * Math.min(2, countSharedPairs(question, sentence))
  return fixed + place + form + 0.25 * coverage.ownShare - 0.1 * coverage.missing.length
}

/** The share of the sentence's words that are in the question, 0 to 1. Shorter sentences say the same more plainly. */
function computeDensity({ terms }: Question, { words }: Sentence): number {
  const shared = words.filter(({ stem }) => terms.some(({ related }) => related.has(stem)))
  return shared.length / Math.max(1, words.length)
}

/** How many adjacent pairs of the question's words are also adjacent in the sentence. */
function countSharedPairs({ terms }: Question, { words }: Sentence): number {
  const pairs = terms.flatMap((term, index) => {
    const next = terms[index + 1]
    return next !== undefined && next.index === term.index + 1 ? [[term, next] as const] : []
  })
  return pairs.filter(([left, right]) =>
    words.some(({ stem }, at) => stem === left.stem && words[at + 1]?.stem === right.stem),
  ).length
}
