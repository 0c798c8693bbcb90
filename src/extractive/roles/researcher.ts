import {
  noEvidenceText,
  type ResearcherInput,
  type ResearcherOutput,
  type SearchOutput,
} from '../../citations/role-requests.ts'
import { chooseSentences } from '../answer/choose-sentences.ts'
import { scoreDefinition } from '../answer/definition-fit.ts'
import { type Evidence, readEvidence, type Sentence } from '../answer/evidence.ts'
import { hasOtherScope } from '../answer/rank-sentences.ts'
import { chooseChain, findBridgeQueries } from '../answer/sentence-chain.ts'
import { nextTableMove, type TableMove } from '../answer/table-answer.ts'
import { citeSentence, isQuotedIn } from '../language/cited-text.ts'
import { relatedWords } from '../language/word-families.ts'
import { isGraded, readComparison } from '../question/comparison.ts'
import { type Question, readQuestion, type Term } from '../question/question.ts'
import type { AnswerKind } from '../question/question-form.ts'
import type { ToolOutcomes } from '../role-request.ts'

/** The next move: search, read more, or answer. */
export type ResearchMove =
  | { readonly search: { readonly query: string; readonly limit: number } }
  | Extract<TableMove, { readonly read: unknown }>
  | { readonly answer: ResearcherOutput }

const maxSearches = 2
/** One more if the question needs a second page to answer. */
const maxSearchesOverBridge = 3
const passagesPerSearch = 10

/**
 * Chooses the next move for a request: at most three searches since the last instruction, each with new words,
 * then an answer. It searches again only if the last search gave no answer or a weak one, or if the question
 * leads to a second page.
 */
export function research(
  input: ResearcherInput,
  outcomes: ToolOutcomes,
  offered: ReadonlySet<string>,
): ResearchMove {
  const canSearch = offered.has('search_library')
  const known = [...outcomes.earlier, ...outcomes.now]
  const searches = collectSearches(known)
  const reads = known.filter(({ tool }) => tool === 'read_source')
  const table =
    input.feedback === null
      ? nextTableMove(input.request, collectTables(known), reads, offered.has('read_source'))
      : undefined
  if (table !== undefined) return 'read' in table ? table : { answer: { result: table.rows } }
  const { answer, isSure, bridges } = composeAnswer(input, searches)
  const most = bridges.length > 0 ? maxSearchesOverBridge : maxSearches
  const searchesNow = outcomes.now.filter(({ tool }) => tool === 'search_library').length
  const isAnswered = searchesNow > 0 && isSure && answer.result !== noEvidenceText
  if (!canSearch || isAnswered || searchesNow >= most) return { answer }
  const failedNow = searchesNow - collectSearches(outcomes.now).length
  const query = listNewQueries(input, searches, bridges)[failedNow]
  return query === undefined ? { answer } : { search: { query, limit: passagesPerSearch } }
}

function collectSearches(outcomes: ToolOutcomes['now']): readonly SearchOutput[] {
  return outcomes.flatMap((outcome) =>
    outcome.tool === 'search_library' && 'output' in outcome
      ? [outcome.output as SearchOutput]
      : [],
  )
}

/** Everything found or read, which may contain tables. */
function collectTables(outcomes: ToolOutcomes['now']): Evidence {
  return readEvidence(
    outcomes.flatMap((outcome) =>
      'output' in outcome && 'passages' in outcome.output ? outcome.output.passages : [],
    ),
  )
}

/** A definition that fits less well is worth another search. */
const sureFit = 0.7

/** An answer from what was found, and what to search for to improve it. */
interface Attempt {
  readonly answer: ResearcherOutput
  readonly isSure: boolean
  readonly bridges: readonly string[]
}

function composeAnswer(
  { question, request, feedback }: ResearcherInput,
  searches: readonly SearchOutput[],
): Attempt {
  const asked = readQuestion(request, question.trim() === request.trim())
  const evidence = readEvidence(searches.flatMap(({ passages }) => passages))
  const usable = withoutRejected(evidence, feedback)
  const found = choose(asked, usable)
  const sentences = found.length > 0 ? found : describeThing(question, request, usable)
  const isWhole = sentences.length > 0 && findMissingTerms(asked, sentences).length === 0
  const bridges = isWhole ? [] : findBridgeQueries(asked, usable)
  if (sentences.length === 0) return { answer: { result: noEvidenceText }, isSure: false, bridges }
  const cited = sentences.map(({ text, passage }) => citeSentence(text, passage.n))
  return {
    answer: { result: cited.join(' ') },
    isSure: isConfident(asked, sentences) && bridges.length === 0,
    bridges,
  }
}

/** If nothing answers the question for one of two things: what that thing is, so that both can be compared. */
function describeThing(question: string, request: string, evidence: Evidence): readonly Sentence[] {
  const comparison = readComparison(question)
  const thing = comparison?.things[comparison.steps.indexOf(request)]
  if (comparison === undefined || thing === undefined) return []
  const { asks, predicate, order } = comparison
  const isWhether = asks === 'both' || (asks === 'which' && order === null && !isGraded(predicate))
  return isWhether ? chooseSentences(readQuestion(`What is ${thing}?`), evidence).slice(0, 1) : []
}

/** The answer from one source, unless two sources together cover more of the question. */
function choose(asked: Question, evidence: Evidence): readonly Sentence[] {
  const direct = chooseSentences(asked, evidence)
  const lacking = direct.length === 0 ? asked.terms : findMissingTerms(asked, direct)
  if (lacking.length === 0) return direct
  const chain = chooseChain(asked, evidence)
  return chain === undefined || chain.missing.length >= lacking.length
    ? direct
    : [chain.first, chain.second]
}

/** The required words of a question that are in neither the sentences nor their titles. */
function findMissingTerms({ terms }: Question, sentences: readonly Sentence[]): readonly Term[] {
  return terms.filter(
    ({ isWeak, related }) =>
      !isWeak &&
      !sentences.some(({ stems, passage }) =>
        [...related].some((stem) => stems.has(stem) || passage.title.has(stem)),
      ),
  )
}

function isConfident(asked: Question, sentences: readonly Sentence[]): boolean {
  if (asked.kind === 'amount') return !sentences.every((sentence) => hasOtherScope(asked, sentence))
  if (asked.kind !== 'definition') return true
  return sentences.some((sentence) => scoreDefinition(sentence, asked.topic) >= sureFit)
}

/** Sentences that a critic quoted as wrong are not used again. */
function withoutRejected(evidence: Evidence, feedback: string | null): Evidence {
  if (feedback === null) return evidence
  const sentences = evidence.sentences.filter(({ text }) => !isQuotedIn(feedback, text))
  return { ...evidence, sentences }
}

/** Queries for a request that have not been tried yet. With a critic's feedback, the plain request is skipped. */
function listNewQueries(
  { request, feedback }: ResearcherInput,
  searches: readonly SearchOutput[],
  bridges: readonly string[],
): readonly string[] {
  const asked = new Set(searches.map(({ query }) => query))
  const [plain = '', ...others] = listQueries(request)
  const wordings = [...(feedback === null ? [plain] : []), ...bridges, ...others]
  return wordings.filter((wording) => !asked.has(wording))
}

const maxQueryChars = 500
const relativesPerWord = 4

/** Words that appear where a text says what a thing is. */
const openingWords: Partial<Record<AnswerKind, readonly string[]>> = {
  definition: ['introduction', 'abstract', 'called', 'defined', 'introduce', 'present'],
  meaning: ['introduction', 'abstract', 'called', 'stands for', 'short for', 'abbreviation'],
}

/** Queries for a request: the request itself, its key words with related words, and its names or longest words. */
function listQueries(request: string): readonly string[] {
  const { kind, terms } = readQuestion(request)
  const strong = terms.filter(({ isWeak }) => !isWeak)
  const words = strong.map(({ text }) => text)
  const relatives = strong.flatMap(({ form, stem, text }) => {
    const others = form === 'word' ? relatedWords(stem) : []
    return others.filter((word) => word !== text.toLowerCase()).slice(0, relativesPerWord)
  })
  const names = strong.filter(({ form }) => form !== 'word').map(({ text }) => text)
  const longest = words.toSorted((left, right) => right.length - left.length).slice(0, 2)
  const narrow = names.length > 0 ? names : longest
  const opening = openingWords[kind] ?? []
  const wordings = [request, [...words, ...relatives, ...opening].join(' '), narrow.join(' ')]
  const cut = wordings.map((wording) => wording.slice(0, maxQueryChars).trim())
  return [...new Set(cut)].filter((wording) => wording !== '')
}
