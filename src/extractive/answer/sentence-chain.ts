import { findNameSpans } from '../language/names.ts'
import { readWords, type Word } from '../language/words.ts'
import type { Question, Term } from '../question/question.ts'
import { scoreAnswerFit } from './answer-fit.ts'
import { requiredWordsPerMissing, type Weights, weighTerms } from './coverage.ts'
import type { Evidence, Sentence } from './evidence.ts'

/** Two sentences from two sources that answer together: the first names what the second is about. */
export interface SentenceChain {
  readonly first: Sentence
  readonly second: Sentence
  /** The required words of the question that neither has. */
  readonly missing: readonly Term[]
  /** 0 to about 1.3; higher is better. */
  readonly score: number
}

/** A sentence with how near it is to each word of the question, 0 to 1. */
interface ScoredSentence {
  readonly sentence: Sentence
  readonly levels: readonly number[]
}

const ownLevel = 1
const relatedLevel = 0.9
const titleLevel = 0.8
const passageLevel = 0.5
/** How many sentences are tried with each other; the rest cover too little of the question. */
const maxTriedSentences = 60

/**
 * The two sentences from different sources that cover a question together, where one names what the other's
 * page is about ("the band of the man whom X married"). A word counts once, so the second sentence must add to
 * the first. `undefined` if no two cover the question.
 * @see https://aclanthology.org/P11-1052/ (choosing sentences by what they cover together)
 */
export function chooseChain(question: Question, evidence: Evidence): SentenceChain | undefined {
  if (!isLongEnough(question)) return undefined
  const weights = weighTerms(question, evidence)
  const links = evidence.sentences
    .map((sentence) => ({ sentence, levels: measureLevels(question, sentence) }))
    .filter(({ levels }) => levels.some((level) => level > 0))
    .toSorted(
      (left, right) => sumWeights(question, weights, right) - sumWeights(question, weights, left),
    )
    .slice(0, maxTriedSentences)
  let best: SentenceChain | undefined
  for (const first of links) {
    for (const second of links) {
      const chain = tryChain(question, evidence, weights, first, second)
      if (chain !== undefined && (best === undefined || chain.score > best.score)) best = chain
    }
  }
  return best
}

const maxBridges = 2
const maxSources = 3

/**
 * Further queries when nothing answers yet: names from the sentences that cover most of the question, with the
 * words that these lack.
 */
export function findBridgeQueries(question: Question, evidence: Evidence): readonly string[] {
  if (!isLongEnough(question)) return []
  const weights = weighTerms(question, evidence)
  const partial = evidence.sentences
    .map((sentence) => ({ sentence, levels: measureLevels(question, sentence) }))
    .toSorted(
      (left, right) => sumWeights(question, weights, right) - sumWeights(question, weights, left),
    )
    .slice(0, maxSources)
  const queries = partial.flatMap(({ sentence, levels }) => {
    const lacking = question.terms.filter((term, index) => !term.isWeak && levels[index] === 0)
    const names = findNameSpans(sentence).filter(
      ({ text }) =>
        !readWords(text).every(({ stem }) => question.terms.some((term) => term.stem === stem)),
    )
    return lacking.length === 0
      ? []
      : names.map(({ text }) => [text, ...lacking.map((term) => term.text)].join(' '))
  })
  return [...new Set(queries)].slice(0, maxBridges)
}

/** Shorter questions ask for one thing; two pages that share their words do not answer it. */
const minTerms = 4

function isLongEnough({ kind, terms }: Question): boolean {
  return (
    !/^(?:definition|meaning)$/.test(kind) &&
    terms.filter(({ isWeak }) => !isWeak).length >= minTerms
  )
}

/** A page's title counts for its sentences if the question names it: "He" on the page about that person. */
function measureLevels(
  { terms, words }: Question,
  { stems, passage }: Sentence,
): readonly number[] {
  const isAsked = passage.name.length > 0 && containsRun(passage.name, words)
  return terms.map(({ related, stem }) => {
    if (stems.has(stem)) return ownLevel
    if ([...related].some((other) => stems.has(other))) return relatedLevel
    if (isAsked && passage.title.has(stem)) return titleLevel
    return passage.stems.has(stem) ? passageLevel : 0
  })
}

function sumWeights(
  { terms }: Question,
  { weightOf }: Weights,
  { levels }: ScoredSentence,
): number {
  return terms.reduce((sum, term, index) => {
    return sum + (weightOf.get(term) ?? 1) * (levels[index] as number)
  }, 0)
}

const minShare = 0.6
const linkBonus = 0.1
const minFit = 0.5

function tryChain(
  question: Question,
  evidence: Evidence,
  weights: Weights,
  first: ScoredSentence,
  second: ScoredSentence,
): SentenceChain | undefined {
  if (first.sentence.passage.n === second.sentence.passage.n) return undefined
  const link = scoreLink(question, first.sentence, second.sentence)
  if (link === 0) return undefined
  const { terms } = question
  const joint = terms.map((_term, index) =>
    Math.max(first.levels[index] as number, second.levels[index] as number),
  )
  const missing = terms.filter(
    (term, index) => !term.isWeak && (joint[index] as number) < minLevel(question, term),
  )
  if (!mayBeMissing(question, missing)) return undefined
  const total = terms.reduce((sum, term) => sum + (weights.weightOf.get(term) ?? 1), 0)
  const covered = terms.reduce(
    (sum, term, index) => sum + (weights.weightOf.get(term) ?? 1) * (joint[index] as number),
    0,
  )
  const share = total === 0 ? 0 : covered / total
  if (share < minShare) return undefined
  const isFitting = [first, second].some(
    ({ sentence }) => scoreAnswerFit(question, evidence, sentence, undefined).fit >= minFit,
  )
  if (!isFitting) return undefined
  return {
    first: first.sentence,
    second: second.sentence,
    missing,
    score: share + linkBonus * link,
  }
}

/** How near a word must be to count: figures, quoted words and the action must be in one of the two sentences itself. */
function minLevel({ kind, action }: Question, term: Term): number {
  if (term.form === 'number' || term.isQuoted) return titleLevel
  const isDeed = term === action && /^(?:person|time|place)$/.test(kind)
  return isDeed ? relatedLevel : passageLevel
}

function mayBeMissing({ terms, action }: Question, missing: readonly Term[]): boolean {
  if (missing.some(({ form, isQuoted }) => form !== 'word' || isQuoted)) return false
  if (action !== undefined && missing.includes(action)) return false
  return (
    missing.length <=
    Math.floor(terms.filter(({ isWeak }) => !isWeak).length / requiredWordsPerMissing)
  )
}

/**
 * Whether a sentence names what the other's page is about, and the question does not: 1 for the full name, 0.5
 * for its first words.
 */
function scoreLink(question: Question, from: Sentence, to: Sentence): number {
  const { name } = to.passage
  if (name.length === 0 || containsRun(name, question.words)) return 0
  if (containsRun(name, from.words)) return 1
  const opening = name.slice(0, titleOpeningWords)
  return name.length > titleOpeningWords && containsRun(opening, from.words) ? 0.5 : 0
}

/** The number of words that are enough to name a longer title: "UNLV Rebels" for "UNLV Rebels football". */
const titleOpeningWords = 2

/** Whether the stems follow one another in the words, the first of them capitalised. */
function containsRun(stems: readonly string[], words: readonly Word[]): boolean {
  return words.some(
    ({ isCapital, isNumber }, at) =>
      (isCapital || isNumber) && stems.every((stem, offset) => words[at + offset]?.stem === stem),
  )
}
