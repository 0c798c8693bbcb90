import { hasMissingNumbers, isSupported, isUncited } from '../../claims/verify/opinions.ts'
import { hasUndecided, scoreClaims } from '../../claims/verify/score-claims.ts'
import type { Answer } from '../arguments/app-settings.ts'
import type { Paint } from './paint.ts'
import { asShown, cut, oneLine } from './text.ts'

type Claim = Answer['claims'][number]

/** A line about claims, with the indentation of its continuation lines. */
export interface ClaimLine {
  readonly text: string
  readonly indent: string
  /** The word to paint, and how. */
  readonly mark?: { readonly word: string; readonly paint: (text: string) => string }
}

/** How to paint lines, and the terminal's width; without one, nothing is wrapped. */
interface ClaimStyle {
  readonly paint: Paint
  readonly columns: number | undefined
}

/** Verdicts in words. */
export const verdictWords: Readonly<Record<Claim['verdict'], string>> = {
  verbatim: 'verbatim',
  supported: 'supported',
  altered: 'altered',
  partial: 'partial',
  contradicted: 'contradicted',
  not_found: 'not found',
  unavailable: 'unavailable',
  unchecked: 'unchecked',
}

/** The verdicts: the score, every unsupported or disputed claim, and what else could be done. */
export function claimLines(
  { claims, models }: Pick<Answer, 'claims' | 'models'>,
  style: ClaimStyle,
): readonly ClaimLine[] {
  if (claims.length === 0) return []
  const isByCode = (models.verifier ?? 'extractive') === 'extractive'
  return [
    { text: scoreLine(claims), indent: '  ' },
    ...claims.filter(isDoubtful).map((claim) => doubtLine(claim, style)),
    ...numbersLine(claims),
    ...(isByCode && hasUndecided(claims) ? [{ text: verifierHint, indent: '  ' }] : []),
  ]
}

/** The numbers of claims that stand nowhere in what they cite, each once; what was calculated is none of them. */
function numbersLine(claims: readonly Claim[]): readonly ClaimLine[] {
  const numbers = new Set(claims.filter(hasMissingNumbers).flatMap(({ numbers = [] }) => numbers))
  if (numbers.size === 0) return []
  return [{ text: `  numbers not found: ${[...numbers].map(oneLine).join(', ')}`, indent: '    ' }]
}

const verifierHint =
  'Claims were checked by code only. To have a language model judge the rest, add --model verifier=NAME'

/** The score, always with how much of the answer it covers. */
export function scoreLine(all: readonly Claim[]): string {
  const { claims, checked, supported, verbatim, uncited, notChecked } = scoreClaims(all)
  const open = notChecked.reduce((sum, { count }) => sum + count, 0)
  const parts = [...(verbatim === 0 ? [] : [`${verbatim} verbatim`]), ...byModels(all)]
  const exact = parts.length === 0 ? '' : ` (${parts.join(', ')})`
  const reasons = notChecked.map(({ reason, count }) =>
    notChecked.length === 1 ? oneLine(reason) : `${count} ${oneLine(reason)}`,
  )
  return [
    `Claims: ${claims}`,
    `checked ${checked}`,
    ...(checked === 0 ? [] : [`supported ${supported}${exact}`]),
    ...failures(all),
    ...(uncited === 0 ? [] : [`without citation ${uncited}`]),
    ...(open === 0 ? [] : [`not checked ${open} (${reasons.join('; ')})`]),
  ].join(' · ')
}

/** How many claims are supported according to a model, by its name. */
function byModels(claims: readonly Claim[]): readonly string[] {
  const own = claims.filter((claim) => isSupported(claim) && claim.judge !== 'code')
  return [...Map.groupBy(own, ({ judge }) => judge)].map(
    ([judge, judged]) => `${judged.length} judged by ${oneLine(judge)}`,
  )
}

function failures(claims: readonly Claim[]): readonly string[] {
  return (['altered', 'partial', 'contradicted', 'not_found'] as const).flatMap((verdict) => {
    const count = claims.filter((claim) => claim.verdict === verdict && !isUncited(claim)).length
    return count === 0 ? [] : [`${verdictWords[verdict]} ${count}`]
  })
}

function isDoubtful({ verdict, secondOpinion }: Claim): boolean {
  const isDisputed = secondOpinion !== undefined && secondOpinion.verdict !== 'unchecked'
  return isDisputed || (verdict !== 'verbatim' && verdict !== 'supported')
}

const mostColumnsOfClaim = 200

function doubtLine(given: Claim, { paint, columns }: ClaimStyle): ClaimLine {
  const { verdict, text, reason, secondOpinion } = given
  const claim = cut(oneLine(asShown(text, { columns })), mostColumnsOfClaim)
  if (isUncited(given)) {
    const word = 'without citation'
    const more = reason === 'It has no citation.' ? '' : ` ${oneLine(reason)}`
    const mark = { word, paint: paint.yellow }
    return { text: `  ${word}: “${claim}”${more}`, indent: '    ', mark }
  }
  const word = verdictWords[verdict] ?? verdict
  const isBad = ['altered', 'partial', 'contradicted', 'not_found'].includes(verdict)
  return {
    text: `  ${word}: “${claim}” ${oneLine(reason)}${otherVoice(secondOpinion)}`,
    indent: '    ',
    mark: { word, paint: isBad ? paint.red : paint.yellow },
  }
}

function otherVoice(opinion: Claim['secondOpinion']): string {
  if (opinion === undefined) return ''
  const { judge, verdict, reason } = opinion
  return verdict === 'unchecked'
    ? ` ${oneLine(reason)}`
    : ` But ${oneLine(judge)} says: ${verdictWords[verdict] ?? verdict}. ${oneLine(reason)}`
}
