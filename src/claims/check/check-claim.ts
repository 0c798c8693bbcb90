import type { Claim, Coverage, ReadPassage, Verdict } from '../../citations/claim.ts'
import type { MintedNumber } from '../../citations/ledger.ts'
import { areOtherLanguages } from '../language/languages.ts'
import { hasMissingNumbers, isSupported, isUncited } from '../verify/opinions.ts'
import { findMissingNumbers } from './check-numbers.ts'
import { checkQuotations, checkVerbatim, isMostlyQuoted } from './check-verbatim.ts'
import { compareWithClosest } from './closest-sentences.ts'
import { createOutcome, type Outcome } from './outcome.ts'
import type { CitedSentence } from './parse-claims.ts'
import { createPassagePreparer, type PreparePassage, type SourcePassage } from './source-passage.ts'

/**
 * Checks each claim by code against the passages read under the numbers it cites. A passage with an empty text counts as
 * no longer readable. `citations` is the run's index: which numbers exist and the titles of their sources. A claim that
 * cites nothing is `not_found`. A claim that some of its sources support, and another contradicts or does not mention, is
 * `partial`. Code never gives `contradicted`.
 */
export function checkClaims(
  claims: readonly CitedSentence[],
  passages: readonly ReadPassage[],
  citations: readonly MintedNumber[],
  prepare = createPassagePreparer(),
): Claim[] {
  return claims.map((claim) => {
    const cited = passages.filter(({ n }) => claim.citations.includes(n))
    const outcome = checkClaim(claim, cited, citations, prepare)
    return { text: claim.text, citations: claim.citations, judge: 'code', ...outcome }
  })
}

function checkClaim(
  claim: CitedSentence,
  cited: readonly ReadPassage[],
  citations: readonly MintedNumber[],
  prepare: PreparePassage,
): Outcome {
  const numbers = claim.citations
  if (numbers.length === 0) return createOutcome('not_found', 'It has no citation.')
  const unknown = numbers.filter((number) => !citations.some(({ n }) => n === number))
  if (unknown.length > 0)
    return createOutcome(
      'not_found',
      `${formatMarks(unknown)} does not refer to a source: ${describeRange(citations)}.`,
    )
  if (cited.length === 0)
    return createOutcome('not_found', `No passage was read under ${formatMarks(numbers)}.`)
  const readable = cited.filter(({ text }) => text !== '')
  const lost = new Set(cited.filter(({ text }) => text === '').map(({ n }) => n))
  const titles = citations.filter(({ n }) => numbers.includes(n)).map(({ title }) => title)
  const statement = removeAttribution(claim.plain, titles)
  const under = (own: readonly number[]) => {
    const passages = readable.filter(({ n }) => own.includes(n)).map(prepare)
    return checkStatement(statement, passages, titles, formatMarks(own))
  }
  const found = under(numbers)
  const isLost = found.verdict === 'not_found' && lost.size > 0
  const held = numbers.filter((n) => !lost.has(n))
  if (!isLost) return checkEachSource(found, held, (n) => under([n]))
  return createOutcome(
    'unavailable',
    `The text that was read under ${formatMarks([...lost])} is no longer available.`,
  )
}

/**
 * Checks a claim that several sources support together against each source that had no part in it: one that also supports
 * it is added as evidence, one that does not makes the claim `partial`, and one that code cannot judge is named.
 */
function checkEachSource(
  found: Outcome,
  numbers: readonly number[],
  alone: (n: number) => Outcome,
): Outcome {
  const shown = new Set(found.evidence.map(({ n }) => n))
  if (!isSupported(found)) return found
  const others = numbers.filter((n) => !shown.has(n)).map((n) => ({ n, ...alone(n) }))
  const evidence = [...found.evidence, ...others.filter(isSupported).flatMap((one) => one.evidence)]
  if (others.length === 0) return found
  const against = others.filter(({ verdict }) => verdict === 'altered' || verdict === 'not_found')
  const open = others.filter((one) => !isSupported(one) && !against.includes(one))
  const reason = [
    against.length === 0
      ? found.reason
      : `Supported by ${formatMarks(evidence.map(({ n }) => n))}.`,
    ...against.map((one) => (one.verdict === 'altered' ? `[${one.n}]: ${one.reason}` : one.reason)),
    ...(open.length === 0
      ? []
      : [`Undecided whether ${formatMarks(open.map(({ n }) => n))} supports it too.`]),
  ].join(' ')
  return { verdict: against.length === 0 ? found.verdict : 'partial', reason, evidence }
}

function checkStatement(
  statement: string,
  passages: readonly SourcePassage[],
  titles: readonly string[],
  cited: string,
): Outcome {
  const exact = checkVerbatim(statement, passages) ?? checkQuotations(statement, passages, titles)
  if (exact !== undefined) return exact
  const near = compareWithClosest(statement, passages)
  if (near?.isNear === true && near.verdict === 'supported')
    return createOutcome('supported', 'The same in nearly identical words.', near.places)
  if (near?.isNear === true && near.verdict === 'altered')
    return {
      ...createOutcome('altered', `${near.difference}.`, near.places),
      alteration: near.isNumeric ? 'number' : 'words',
    }
  const numbers = findMissingNumbers(statement, passages)
  if (numbers.length > 0)
    return { ...createOutcome('not_found', describeMissing(numbers, cited)), numbers }
  if (near?.isNear !== true && isTranslated(statement, passages))
    return createOutcome(
      'unchecked',
      `It is in another language than what was read under ${cited}.`,
    )
  if (near?.isNear !== true)
    return createOutcome('not_found', `Nothing similar was found in what was read under ${cited}.`)
  const undecided = `Undecided by code: ${near.difference}.`
  if (!isMostlyQuoted(statement)) return createOutcome('unchecked', undecided, near.places)
  return createOutcome('partial', `The quotation is verbatim. ${undecided}`, near.places)
}

function describeMissing(numbers: readonly string[], cited: string): string {
  const which = [...new Set(numbers)].join(', ')
  return numbers.length === 1
    ? `The number ${which} was not found in what was read under ${cited}.`
    : `The numbers ${which} were not found in what was read under ${cited}.`
}

/** How much of each passage tells the language of all, in UTF-16 code units; a table alone may look like any. */
const sampleUnits = 200

/** Whether a statement is in another language than its passages, so that words cannot be compared. */
function isTranslated(statement: string, passages: readonly SourcePassage[]): boolean {
  const sample = passages.map(({ read }) => read.text.slice(0, sampleUnits)).join(' ')
  return areOtherLanguages(statement, sample)
}

function formatMarks(numbers: readonly number[]): string {
  return [...new Set(numbers)].map((n) => `[${n}]`).join('')
}

function describeRange(citations: readonly MintedNumber[]): string {
  return citations.length === 0 ? 'nothing was read' : `valid numbers are 1 to ${citations.length}`
}

/** Counts the claims by verdict. */
export function measureCoverage(claims: readonly Claim[]): Coverage {
  const cited = claims.filter((claim) => !isUncited(claim))
  const count = (verdict: Verdict): number =>
    cited.filter((claim) => claim.verdict === verdict).length
  const [unchecked, unavailable] = [count('unchecked'), count('unavailable')]
  return {
    claims: claims.length,
    checked: cited.length - unchecked - unavailable,
    uncited: claims.length - cited.length,
    verbatim: count('verbatim'),
    supported: count('supported'),
    altered: count('altered'),
    partial: count('partial'),
    contradicted: count('contradicted'),
    notFound: count('not_found'),
    numbersNotFound: cited.filter(hasMissingNumbers).length,
    unavailable,
    unchecked,
  }
}

/** General names for a source. */
const generalNames =
  '(?:the|this|that) (?:same )?(?:source|text|document|article|paper|page|passage|study|report|file|authors?)'
const reportingVerbs =
  '(?:says?|said|states?|stated|reports?|reported|notes?|noted|writes?|wrote|explains?|explained|describes?|puts it)'

/**
 * Removes words that only name the source: "According to <title>, …", "<title> states that …", "…, according to <title>".
 * A name that is not a cited title stays, since nothing shows that it is the source.
 */
function removeAttribution(plain: string, titles: readonly string[]): string {
  const lower = plain.toLowerCase()
  const named = titles
    .filter((title) => lower.includes(title.toLowerCase()))
    .map((title) => buildFrames(toTitlePattern(title)))
  for (const { before, after } of [...named, generalFrames]) {
    const opening = before.exec(plain)
    if (opening !== null) return plain.slice(opening[0].length)
    const closing = after.exec(plain)
    if (closing !== null)
      return plain.slice(0, closing.index) + plain.slice(closing.index + closing[0].length)
  }
  return plain
}

interface Frames {
  readonly before: RegExp
  readonly after: RegExp
}

function buildFrames(name: string): Frames {
  const marked = `["“‘*_]*${name}["”’*_]*`
  return {
    before: new RegExp(
      `^(?:according to ${marked},?["”’]?|(?:in )?${marked},? ${reportingVerbs}(?: that\\b)?[,:]?)\\s+(?=\\S)`,
      'iu',
    ),
    after: new RegExp(`,\\s+according to ${marked}(?=[.!]?$)`, 'iu'),
  }
}

const generalFrames = buildFrames(generalNames)

function toTitlePattern(title: string): string {
  return `(?:the )?${title.trim().replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}`
}
