import { type Token, tokensOf } from '../language/tokens.ts'
import { clauseStarts } from '../language/vocabulary.ts'
import { printed, type Word } from '../language/words.ts'
import { isLimiting } from './differences.ts'
import { nearQuote } from './closest-sentences.ts'
import { type Outcome, outcome } from './outcome.ts'
import { quotationsIn } from './quotations.ts'
import {
  findExact,
  type Place,
  type SourcePassage,
  type SourceSentence,
  sentencesAt,
} from './source-passage.ts'

/** Fewer words than this say nothing by standing somewhere, unless they are a whole sentence. */
const fewestWords = 3
/** A quotation of which less stands anywhere in this order is no misquotation: it is from elsewhere. */
const closeEnough = 0.5
/** Words in quotes that are a term and no quotation: a few, without a capital or a digit. */
const longestTerm = 3

/** What is found when the whole statement stands in a passage as it is; `undefined` where it does not. */
export function wordForWord(
  statement: string,
  passages: readonly SourcePassage[],
): Outcome | undefined {
  const tokens = tokensOf(statement)
  const places = passages.flatMap((passage) => findExact(passage, tokens) ?? [])
  const telling = places.filter(
    (place) => isWhole(place) || tokens.filter(isSpoken).length >= fewestWords,
  )
  const free = telling.filter((place) => limitOn(place) === undefined)
  const whole = free.filter(
    (place) => isWhole(place) || isClause(place) || saysTheSame(statement, place),
  )
  if (whole.length > 0)
    return outcome('verbatim', 'Word for word.', onePerSource(whole.map(widened)))
  const [limited] = telling
  const limit = limited && limitOn(limited)
  if (limit === undefined) return undefined
  return outcome(
    'unchecked',
    `Word for word, but "${printed(limit)}" in its sentence was left out.`,
    [limited as Place],
  )
}

/**
 * What is found when the statement quotes: `altered` or `not_found` for a quotation that stands in no passage as it is,
 * `verbatim` where the statement is nothing but quotations that do; `undefined` otherwise. The title of a cited source
 * may stand in quotes.
 */
export function quotedWords(
  statement: string,
  passages: readonly SourcePassage[],
  titles: readonly string[],
): Outcome | undefined {
  const quotations = quotationsIn(statement).filter(
    ({ text }) => isSpokenText(text) && !titles.includes(text),
  )
  const isOnly = quotations.length === 1 && !isSpokenText(withoutQuotations(statement))
  const places: Place[] = []
  for (const { text } of quotations) {
    const found = placesOf(text, passages)
    if (found === undefined && !isOnly && isTerm(text)) return undefined
    if (found === undefined) return misquoted(text, passages)
    places.push(...found)
  }
  if (quotations.length === 0 || isSpokenText(withoutQuotations(statement))) return undefined
  return outcome('verbatim', 'Word for word.', places)
}

function isTerm(text: string): boolean {
  return !/[\p{Lu}\p{N}]/u.test(text) && tokensOf(text).filter(isSpoken).length <= longestTerm
}

/** Whether quotations make up most of the statement, so that they may be said to hold although the rest is undecided. */
export function quotesMuch(statement: string): boolean {
  const quoted = quotationsIn(statement).reduce(
    (count, { text }) => count + tokensOf(text).filter(isSpoken).length,
    0,
  )
  return quoted >= 4 || quoted * 2 >= tokensOf(statement).filter(isSpoken).length
}

/** Where the pieces of a quotation stand, in one passage and in order; "…" stands for what was left out. */
function placesOf(quotation: string, passages: readonly SourcePassage[]): Place[] | undefined {
  const pieces = quotation.split(/\[?(?:…|\.\s?\.\s?\.)\]?/).filter(isSpokenText)
  for (const passage of passages) {
    const places = pieces.map((piece) => findExact(passage, tokensOf(piece)))
    const found = places.filter((place) => place !== undefined)
    const inOrder = found.every(
      (place, index) => index === 0 || (found[index - 1] as Place).end <= place.start,
    )
    if (found.length === pieces.length && inOrder) return found
  }
  return undefined
}

function misquoted(quotation: string, passages: readonly SourcePassage[]): Outcome {
  const near = nearQuote(quotation, passages)
  const shown = quotation.length > 80 ? `${quotation.slice(0, 79)}…` : quotation
  if (near === undefined || near.closeness < closeEnough)
    return outcome('not_found', `The quotation "${shown}" stands in no passage that was read.`)
  return outcome('altered', `The quotation is not word for word: ${near.difference}.`, near.places)
}

function withoutQuotations(statement: string): string {
  let rest = ''
  let from = 0
  for (const { start, end } of quotationsIn(statement)) {
    rest += statement.slice(from, start)
    from = end
  }
  return rest + statement.slice(from)
}

function isSpoken({ exact }: Token): boolean {
  return /[\p{L}\p{N}]/u.test(exact)
}

function isSpokenText(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text)
}

/** The words of the first and last sentence of a place that stand before and after it. */
function restOf(place: Place): {
  before: readonly Word[]
  after: readonly Word[]
  sentences: readonly SourceSentence[]
} {
  const sentences = sentencesAt(place)
  const [first, last] = [sentences[0], sentences.at(-1)]
  const before = (first?.words ?? []).filter(
    (word) => (first?.start ?? 0) + word.start < place.start,
  )
  const after = (last?.words ?? []).filter((word) => (last?.start ?? 0) + word.start >= place.end)
  return { before, after, sentences }
}

/** Whether what was left out of the sentence is a clause beside it that narrows nothing: "… and …", "…; …", ", which …". */
function isClause(place: Place): boolean {
  const { before, after, sentences } = restOf(place)
  const [next] = after
  const isWholeBefore =
    before.length === 0 || standsAlone(sentences[0]?.words[before.length]) || tells(place)
  const isSetOff = next === undefined || next.markBefore === ';' || addedClauses.has(next.lemma)
  return isWholeBefore && isSetOff && !after.some(({ lemma }) => circumstances.has(lemma))
}

/** Whether the words before a clause only say that it was found: "The paper of 2012 showed that …". */
function tells(place: Place): boolean {
  const [first] = sentencesAt(place)
  return finding.test(place.passage.read.text.slice(first?.start ?? place.start, place.start))
}

const finding =
  /\b(?:show(?:s|ed|n)?|finds?|found|demonstrate[sd]?|confirm(?:s|ed)?|establish(?:es|ed)?|reveal(?:s|ed)?|observe[sd]?|proves?|proved|discover(?:s|ed)?|conclude[sd]?) that\s*$/i

const addedClauses: ReadonlySet<string> = new Set(['and', 'which', 'who', 'whose', 'where'])
/** What may belong to both clauses: "no deaths occurred and nobody was hurt before day 30". */
const circumstances: ReadonlySet<string> = new Set(
  'before after when while during until till without within unless if except than only according'.split(
    ' ',
  ),
)

function standsAlone(first: Word | undefined): boolean {
  return (
    first !== undefined &&
    (first.markBefore === ';' || first.lemma === 'but' || clauseStarts.has(first.lemma))
  )
}

/** Whether a part of a sentence says by itself what it says there: what was left out is judged like any other difference. */
function saysTheSame(statement: string, { passage }: Place): boolean {
  return nearQuote(statement, [passage])?.verdict === 'supported'
}

function isWhole(place: Place): boolean {
  const { before, after } = restOf(place)
  return before.length + after.length === 0
}

/** A place of whole sentences with their last marks. */
function widened(place: Place): Place {
  const { before, after, sentences } = restOf(place)
  const start = before.length === 0 ? (sentences[0]?.start ?? place.start) : place.start
  const end = after.length === 0 ? (sentences.at(-1)?.end ?? place.end) : place.end
  return { ...place, start, end }
}

/** A word around the place that limits what it says: "not true that …", "… if it rains". */
function limitOn(place: Place): Word | undefined {
  const { before, after, sentences } = restOf(place)
  const first = sentences[0]?.words[before.length]
  const clauseEnd = after.findIndex(({ markBefore }) => /[,;:]/.test(markBefore))
  const clause = clauseEnd === -1 ? after : after.slice(0, clauseEnd)
  return (
    (standsAlone(first) ? undefined : before.find(isLimiting)) ??
    clause.find((word) => /^\p{L}/u.test(word.plain) && !word.inBrackets && isLimiting(word)) ??
    after.find(({ lemma }) => conditions.has(lemma))
  )
}

const conditions: ReadonlySet<string> = new Set([
  'if',
  'unless',
  'except',
  'only',
  'until',
  'whether',
])

function onePerSource(places: readonly Place[]): Place[] {
  return places.filter(
    (place, index) =>
      places.findIndex((other) => other.passage.read.n === place.passage.read.n) === index,
  )
}
