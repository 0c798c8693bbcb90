import { type Token, tokenize } from '../language/tokens.ts'
import { clauseStarts } from '../language/vocabulary.ts'
import { printWord, type Word } from '../language/words.ts'
import { compareWithClosest } from './closest-sentences.ts'
import { isLimiting } from './differences.ts'
import { createOutcome, type Outcome } from './outcome.ts'
import { findQuotations } from './quotations.ts'
import {
  findExact,
  findSentencesAt,
  type PassageSpan,
  type SourcePassage,
  type SourceSentence,
} from './source-passage.ts'

/** Fewer words than this prove nothing, unless they are a whole sentence. */
const minWords = 3
/** A quotation less close than this to any passage is from elsewhere, not misquoted. */
const minCloseness = 0.5
/** Quoted words without a capital or a digit, up to this many, are a term rather than a quotation. */
const maxTermWords = 3

/** The outcome if the whole statement is verbatim in a passage, otherwise `undefined`. */
export function checkVerbatim(
  statement: string,
  passages: readonly SourcePassage[],
): Outcome | undefined {
  const tokens = tokenize(statement)
  const places = passages.flatMap((passage) => findExact(passage, tokens) ?? [])
  const meaningful = places.filter(
    (place) => isWholeSentence(place) || tokens.filter(isSpoken).length >= minWords,
  )
  const free = meaningful.filter((place) => findLimit(place) === undefined)
  const whole = free.filter(
    (place) => isWholeSentence(place) || isClause(place) || isSameStatement(statement, place),
  )
  if (whole.length > 0)
    return createOutcome('verbatim', 'Verbatim.', pickOnePerSource(whole.map(widenToSentence)))
  const [limited] = meaningful
  const limit = limited && findLimit(limited)
  if (limit === undefined) return undefined
  return createOutcome(
    'unchecked',
    `Verbatim, but "${printWord(limit)}" in the source sentence was left out.`,
    [limited as PassageSpan],
  )
}

/**
 * The outcome for a statement that quotes: `altered` or `not_found` if a quotation is not verbatim in any passage,
 * `verbatim` if the statement consists of quotations that are; otherwise `undefined`. Titles of cited sources may be in
 * quotes.
 */
export function checkQuotations(
  statement: string,
  passages: readonly SourcePassage[],
  titles: readonly string[],
): Outcome | undefined {
  const quotations = findQuotations(statement).filter(
    ({ text }) => isSpokenText(text) && !titles.includes(text),
  )
  const isOnly = quotations.length === 1 && !isSpokenText(removeQuotations(statement))
  const places: PassageSpan[] = []
  for (const { text } of quotations) {
    const found = findPlaces(text, passages)
    if (found === undefined && !isOnly && isTerm(text)) return undefined
    if (found === undefined) return toMisquotation(text, passages)
    places.push(...found)
  }
  if (quotations.length === 0 || isSpokenText(removeQuotations(statement))) return undefined
  return createOutcome('verbatim', 'Verbatim.', places)
}

function isTerm(text: string): boolean {
  return !/[\p{Lu}\p{N}]/u.test(text) && tokenize(text).filter(isSpoken).length <= maxTermWords
}

/** Whether most of the statement is quoted, so that it can be `partial` even if the rest is undecided. */
export function isMostlyQuoted(statement: string): boolean {
  const quoted = findQuotations(statement).reduce(
    (count, { text }) => count + tokenize(text).filter(isSpoken).length,
    0,
  )
  return quoted >= 4 || quoted * 2 >= tokenize(statement).filter(isSpoken).length
}

/** Finds the pieces of a quotation in one passage, in order; "…" marks an omission. */
function findPlaces(
  quotation: string,
  passages: readonly SourcePassage[],
): PassageSpan[] | undefined {
  const pieces = quotation.split(/\[?(?:…|\.\s?\.\s?\.)\]?/).filter(isSpokenText)
  for (const passage of passages) {
    const places = pieces.map((piece) => findExact(passage, tokenize(piece)))
    const found = places.filter((place) => place !== undefined)
    const inOrder = found.every(
      (place, index) => index === 0 || (found[index - 1] as PassageSpan).end <= place.start,
    )
    if (found.length === pieces.length && inOrder) return found
  }
  return undefined
}

function toMisquotation(quotation: string, passages: readonly SourcePassage[]): Outcome {
  const near = compareWithClosest(quotation, passages)
  const shown = quotation.length > 80 ? `${quotation.slice(0, 79)}…` : quotation
  if (near === undefined || near.closeness < minCloseness)
    return createOutcome('not_found', `The quotation "${shown}" is in no passage that was read.`)
  const reason = `The quotation is not verbatim: ${near.difference}.`
  return { ...createOutcome('altered', reason, near.places), alteration: 'quotation' }
}

function removeQuotations(statement: string): string {
  let rest = ''
  let from = 0
  for (const { start, end } of findQuotations(statement)) {
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

/** The words of the first and last sentence before and after a span. */
function restOf(place: PassageSpan): {
  before: readonly Word[]
  after: readonly Word[]
  sentences: readonly SourceSentence[]
} {
  const sentences = findSentencesAt(place)
  const [first, last] = [sentences[0], sentences.at(-1)]
  const before = (first?.words ?? []).filter(
    (word) => (first?.start ?? 0) + word.start < place.start,
  )
  const after = (last?.words ?? []).filter((word) => (last?.start ?? 0) + word.start >= place.end)
  return { before, after, sentences }
}

/** Whether the omitted rest of the sentence is a separate clause that limits nothing: "… and …", "…; …", ", which …". */
function isClause(place: PassageSpan): boolean {
  const { before, after, sentences } = restOf(place)
  const [next] = after
  const isWholeBefore =
    before.length === 0 ||
    standsAlone(sentences[0]?.words[before.length]) ||
    introducesFinding(place)
  const isSetOff = next === undefined || next.markBefore === ';' || addedClauses.has(next.lemma)
  return isWholeBefore && isSetOff && !after.some(({ lemma }) => circumstances.has(lemma))
}

/** Whether the words before a clause only introduce a finding: "The paper of 2012 showed that …". */
function introducesFinding(place: PassageSpan): boolean {
  const [first] = findSentencesAt(place)
  return finding.test(place.passage.read.text.slice(first?.start ?? place.start, place.start))
}

const finding =
  /\b(?:show(?:s|ed|n)?|finds?|found|demonstrate[sd]?|confirm(?:s|ed)?|establish(?:es|ed)?|reveal(?:s|ed)?|observe[sd]?|proves?|proved|discover(?:s|ed)?|conclude[sd]?) that\s*$/i

const addedClauses: ReadonlySet<string> = new Set(['and', 'which', 'who', 'whose', 'where'])
/** Words that may apply to both clauses: "no deaths occurred and nobody was hurt before day 30". */
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

/** Whether part of a sentence keeps its meaning alone: what was left out is judged like any other difference. */
function isSameStatement(statement: string, { passage }: PassageSpan): boolean {
  return compareWithClosest(statement, [passage])?.verdict === 'supported'
}

function isWholeSentence(place: PassageSpan): boolean {
  const { before, after } = restOf(place)
  return before.length + after.length === 0
}

/** Widens a span of whole sentences to include their last marks. */
function widenToSentence(place: PassageSpan): PassageSpan {
  const { before, after, sentences } = restOf(place)
  const start = before.length === 0 ? (sentences[0]?.start ?? place.start) : place.start
  const end = after.length === 0 ? (sentences.at(-1)?.end ?? place.end) : place.end
  return { ...place, start, end }
}

/** A word around the span that limits it: "not true that …", "… if it rains". */
function findLimit(place: PassageSpan): Word | undefined {
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

function pickOnePerSource(places: readonly PassageSpan[]): PassageSpan[] {
  return places.filter(
    (place, index) =>
      places.findIndex((other) => other.passage.read.n === place.passage.read.n) === index,
  )
}
