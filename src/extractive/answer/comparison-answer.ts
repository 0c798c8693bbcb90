import { noEvidenceText } from '../../citations/role-requests.ts'
import { splitCitedSentences, withoutCitations } from '../language/cited-text.ts'
import { findDate } from '../language/dates.ts'
import { findDemonyms, isDemonym } from '../language/names.ts'
import { isEmptyWord } from '../language/word-families.ts'
import { readWords } from '../language/words.ts'
import { type Comparison, isGraded } from '../question/comparison.ts'
import { readTerms } from '../question/question.ts'

/** The answer to a comparison, from the sentences found for its two things. */
export interface ComparisonAnswer {
  /** The line that answers above the quoted sentences; `undefined` if the sentences are the answer. */
  readonly line: string | undefined
  /** Whether the sentences say anything about what is asked. */
  readonly isAnswered: boolean
}

const undecided: ComparisonAnswer = { line: undefined, isAnswered: true }
const unanswered: ComparisonAnswer = { line: undefined, isAnswered: false }

/** Answers a comparison from the results for its things, in the same order, where code can tell. */
export function answerComparison(
  comparison: Comparison,
  results: readonly string[],
): ComparisonAnswer {
  const texts = results.map((result) => (isEmpty(result) ? [] : splitCitedSentences(result)))
  if (texts.length !== 2) return undecided
  switch (comparison.asks) {
    case 'both':
      return answerBoth(comparison, texts)
    case 'same':
      return answerSame(comparison, texts)
    case 'shared':
      return texts.every(({ length }) => length > 0)
        ? toOpeningLine(
            findSharedClass(texts as [readonly string[], readonly string[]], comparison.predicate),
          )
        : undecided
    case 'which':
      return answerWhich(comparison, texts)
    default:
      return undecided
  }
}

type Texts = readonly (readonly string[])[]

function isEmpty(result: string): boolean {
  return result.trim() === '' || result.trim() === noEvidenceText
}

function toOpeningLine(short: string | undefined, basis = 'what is'): ComparisonAnswer {
  const opening = short?.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
  return { line: opening && `${opening}, by ${basis} quoted here:`, isAnswered: true }
}

/** "Are A and B both P": yes if a sentence says so of each; no if one is of another nation. */
function answerBoth({ predicate }: Comparison, texts: Texts): ComparisonAnswer {
  const holds = texts.map((sentences) =>
    sentences.some((sentence) => statesPredicate(sentence, predicate)),
  )
  if (holds.every(Boolean)) return toOpeningLine('Yes')
  const isNational = isDemonym(predicate.trim())
  const others = texts.map((sentences) => findDemonyms(withoutCitations(sentences.join(' '))))
  const isElsewhere = others.some(
    (nations) => nations.size > 0 && !nations.has(predicate.trim().toLowerCase()),
  )
  if (isNational && isElsewhere) return toOpeningLine('No')
  return holds.some(Boolean) ? undecided : unanswered
}

/** "Are A and B of the same nationality", "in the same year". */
function answerSame({ predicate }: Comparison, texts: Texts): ComparisonAnswer {
  if (!texts.every(({ length }) => length > 0)) return undecided
  const values = texts.map((sentences) => findComparedValues(predicate, sentences.join(' ')))
  const [left, right] = values as [ReadonlySet<string>, ReadonlySet<string>]
  if (left.size === 0 || right.size === 0) return undecided
  return toOpeningLine([...left].some((value) => right.has(value)) ? 'Yes' : 'No')
}

function findComparedValues(predicate: string, cited: string): ReadonlySet<string> {
  const text = withoutCitations(cited)
  if (/\b(?:nationality|nationalities|nation|country)\b/i.test(predicate)) return findDemonyms(text)
  const date = findDate(text, undefined)
  if (date === undefined) return new Set()
  if (/\byear\b/i.test(predicate)) return new Set([String(date.year)])
  if (/\bdecade\b/i.test(predicate)) return new Set([String(Math.floor(date.year / 10))])
  return new Set()
}

function answerWhich(comparison: Comparison, texts: Texts): ComparisonAnswer {
  const { order, things, steps, predicate } = comparison
  if (order === 'earlier' || order === 'later') {
    const dates = texts.map((sentences, index) =>
      findDate(
        withoutCitations(sentences.join(' ')),
        /\bborn\?$/.test(steps[index] ?? '') ? 'born' : undefined,
      ),
    )
    const [left, right] = dates
    if (left === undefined || right === undefined || left.key === right.key) return undecided
    if (left.year === right.year && left.key.length !== right.key.length) return undecided
    const isLeft = left.key < right.key === (order === 'earlier')
    return toOpeningLine(isLeft ? things[0] : things[1], 'the dates')
  }
  if (isGraded(predicate)) return undecided
  const holds = texts.map((sentences) =>
    sentences.some((sentence) => statesPredicate(sentence, predicate)),
  )
  if (holds.filter(Boolean).length !== 1) return holds.some(Boolean) ? undecided : unanswered
  return toOpeningLine(holds[0] ? things[0] : things[1])
}

/** Whether a sentence has every required word of a predicate and no negation. */
function statesPredicate(sentence: string, predicate: string): boolean {
  const text = withoutCitations(sentence)
  if (/\b(?:not|never|neither|nor|no longer|without)\b|n['’]t\b/i.test(text)) return false
  const stems = new Set(readWords(text).map(({ stem }) => stem))
  const terms = readTerms(`x ${predicate}`, new Set()).filter(({ isWeak }) => !isWeak)
  return (
    terms.length > 0 && terms.every(({ related }) => [...related].some((stem) => stems.has(stem)))
  )
}

const classPattern =
  /\b(?:is|was|are|were) (?:an?|the|one of the)? ?(.{3,200}?)(?:[.;(]|\b(?:who|which|that|\p{L}+ed|from|in|by|for|of|to)\b|$)/u
const maxClassWords = 3

/**
 * The words that both texts use for what their subject is, after "is a" and up to the next clause: "film
 * director" for two film directors. Words of the question do not count. `undefined` if they share none.
 */
function findSharedClass(
  texts: readonly [readonly string[], readonly string[]],
  predicate: string,
): string | undefined {
  const asked = new Set(readWords(predicate).map(({ stem }) => stem))
  const [left, right] = texts.map((sentences) => readClassWords(sentences))
  if (left === undefined || right === undefined) return undefined
  for (let size = maxClassWords; size > 0; size--) {
    const known = new Set(collectRuns(right, size).map(({ key }) => key))
    const shared = collectRuns(left, size).find(
      ({ key, words }) => known.has(key) && words.some(({ stem }) => !asked.has(stem)),
    )
    if (shared !== undefined) return shared.words.map(({ text }) => text).join(' ')
  }
  return undefined
}

type ClassWord = Pick<ReturnType<typeof readWords>[number], 'text' | 'stem' | 'isJoined'>

function readClassWords(sentences: readonly string[]): readonly ClassWord[] | undefined {
  const found = sentences.flatMap(
    (sentence) => classPattern.exec(withoutCitations(sentence))?.[1] ?? [],
  )
  return found.length === 0 ? undefined : readWords(found[0] as string)
}

function collectRuns(
  words: readonly ClassWord[],
  size: number,
): readonly { readonly key: string; readonly words: readonly ClassWord[] }[] {
  return words.flatMap((_word, at) => {
    const run = words.slice(at, at + size)
    const isRun =
      run.length === size &&
      run.every(
        ({ text, isJoined }, index) =>
          !isEmptyWord(text.toLowerCase()) && (index === 0 || isJoined),
      ) &&
      /^\p{Ll}/u.test(run.at(-1)?.text ?? '')
    return isRun ? [{ key: run.map(({ stem }) => stem).join(' '), words: run }] : []
  })
}
