import { printWord, type Word } from '../language/words.ts'
import { align, type Difference } from './align.ts'
import { type AlterationKind, type Contrast, findAlteration } from './alterations.ts'
import { type Change, isExplained, type SourceContext } from './differences.ts'
import { findOrderChanges, type OrderChange } from './word-order.ts'

/** How a claim compares with one place of its source. */
export interface Judgement {
  readonly verdict: 'supported' | 'altered' | 'unchecked'
  /** The share of the claim's words that the place has in the same order, 0 to 1. */
  readonly closeness: number
  /** The differences that decide the verdict. */
  readonly findings: readonly Finding[]
}

/** Below this closeness, or with more undecided differences, the claim is a rewording rather than an alteration. */
const minCloseness = 0.6
const maxUndecided = 2

/** One difference: the words that differ, or two pieces that have changed places. */
export interface Finding {
  readonly kind: AlterationKind | 'undecided'
  readonly claim: readonly Word[]
  readonly source: readonly Word[]
  readonly isOrder: boolean
}

/**
 * Judges a claim by its differences from the source: `supported` if all are explained; `altered` if one changes a number,
 * a unit, a name, a term, a negation, a direction, a degree or a role; otherwise `unchecked`. In other languages than English
 * only numbers can be altered.
 */
export function compareWords(
  claim: readonly Word[],
  source: readonly Word[],
  context: SourceContext,
): Judgement {
  const { matched, differences } = align(claim, source)
  const changes = differences.flatMap((difference) =>
    splitTail(toChange(difference, claim, source)).flatMap(expandAbbreviations),
  )
  const explained = changes.filter((change) => isExplained(change, context))
  const open = changes.filter((change) => !explained.includes(change))
  const orders = findOrderChanges(claim, source, open, explained)
  const rest = open.filter((change) => !orders.some(({ changes }) => changes.includes(change)))
  const findings = [
    ...orders.flatMap((order) => toOrderFindings(order, context)),
    ...rest.map((change) => toFinding(change, context, rest)),
  ]
  const closeness = claim.length === 0 ? 0 : matched / claim.length
  return { ...conclude(findings, closeness), closeness }
}

function toChange(difference: Difference, claim: readonly Word[], source: readonly Word[]): Change {
  const { claimFrom, claimTo, sourceFrom, sourceTo } = difference
  const isEnd = claimTo === claim.length && sourceTo === source.length
  const next = claim[claimTo]
  return {
    ...(next === undefined || isEnd ? {} : { next }),
    ...difference,
    claim: claim.slice(claimFrom, claimTo),
    source: source.slice(sourceFrom, sourceTo),
    at: claimFrom === 0 && sourceFrom === 0 ? 'start' : isEnd ? 'end' : 'middle',
  }
}

/** A change with an abbreviation on one side, compared word by word with the long form. */
function expandAbbreviations(change: Change): Change[] {
  const [claim, source] = [expandParts(change.claim), expandParts(change.source)]
  const isSpelled = claim.length > change.claim.length !== source.length > change.source.length
  if (!isSpelled || change.claim.length === 0 || change.source.length === 0) return [change]
  return align(claim, source).differences.map((part) => ({
    ...change,
    claim: claim.slice(part.claimFrom, part.claimTo),
    source: source.slice(part.sourceFrom, part.sourceTo),
  }))
}

function expandParts(words: readonly Word[]): Word[] {
  return words.flatMap((word) => word.parts ?? [word])
}

/** At the end of the sentence, splits off what follows the source's last comma or semicolon. */
function splitTail(change: Change): Change[] {
  const { source, sourceFrom, sourceTo, claimTo, at } = change
  const from =
    at === 'end'
      ? source.findIndex(({ markBefore }, index) => index > 0 && /[,;]/.test(markBefore))
      : -1
  if (from === -1 || change.claim.length === 0) return [change]
  const head: Change = {
    ...change,
    source: source.slice(0, from),
    sourceTo: sourceFrom + from,
    at: 'middle',
  }
  return [
    head,
    {
      ...change,
      claim: [],
      claimFrom: claimTo,
      source: source.slice(from),
      sourceFrom: sourceFrom + from,
      sourceTo,
    },
  ]
}

function toOrderFindings(
  { kind, first, second }: OrderChange,
  { isEnglish }: SourceContext,
): Finding[] {
  if (kind === 'same') return []
  const found = isEnglish ? kind : 'undecided'
  return [{ kind: found, claim: first, source: second, isOrder: true }]
}

function toFinding(change: Change, context: SourceContext, open: readonly Change[]): Finding {
  const others = open.filter((other) => other !== change)
  const found = findAlteration(change, context, others)
  const altered = context.isEnglish || found?.kind === 'number' ? found : undefined
  const { kind, claim, source } = altered ?? { ...change, kind: 'undecided' }
  return { kind, claim, source, isOrder: false }
}

function conclude(
  findings: readonly Finding[],
  closeness: number,
): Pick<Judgement, 'verdict' | 'findings'> {
  if (findings.length === 0) return { verdict: 'supported', findings }
  const alterations = findings.filter(({ kind }) => kind !== 'undecided')
  const undecided = findings.length - alterations.length
  const isClose = closeness >= minCloseness && undecided <= maxUndecided
  const isAltered = alterations.length > 0 && isClose && !mayCancelOut(alterations)
  return isAltered
    ? { verdict: 'altered', findings: alterations }
    : { verdict: 'unchecked', findings }
}

/** Two reversals may cancel out: "B is lower than A" for "A is higher than B". */
function mayCancelOut(alterations: readonly Finding[]): boolean {
  const reversals = alterations.filter(
    ({ kind }) => kind === 'negation' || kind === 'direction' || kind === 'role',
  )
  return reversals.length === alterations.length && reversals.length % 2 === 0
}

/** The words that differ, the claim's first: `"2012" in the answer, "2011" in the source`; at most three differences. */
export function describeDifferences({ findings }: Judgement): string {
  if (findings.length === 0) return 'it differs in spelling, inflection or a synonym'
  const [own, leftOut] = [
    findings.filter(({ claim }) => claim.length > 0),
    findings.filter(({ claim }) => claim.length === 0),
  ]
  return [...own, ...leftOut].slice(0, 3).map(describeFinding).join('; ')
}

function describeFinding({ kind, claim, source, isOrder }: Finding): string {
  const [mine, theirs] = [quoteWords(claim), quoteWords(source)]
  if (isOrder && kind === 'undecided') return `${mine} is elsewhere in the source`
  if (isOrder && claim.length > 0 && source.length > 0) return `${mine} and ${theirs} are swapped`
  return describeContrast({ claim, source })
}

/** The words that differ: `"rats" in the answer, "mice" in the source`. */
export function describeContrast({ claim, source }: Contrast): string {
  if (source.length === 0) return `${quoteWords(claim)} in the answer, not in the source`
  if (claim.length === 0) return `${quoteWords(source)} in the source, not in the answer`
  return `${quoteWords(claim)} in the answer, ${quoteWords(source)} in the source`
}

function quoteWords(words: readonly Word[]): string {
  const text = [...new Set(words.map(printWord))].join(' ')
  return `"${text.length > 80 ? `${text.slice(0, 79)}…` : text}"`
}
