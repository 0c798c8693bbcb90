import { isSupported } from '../claims/verify/opinions.ts'
import type { DraftPoints } from './draft-points.ts'
import type { PaperStance, RefusedPoint, Synthesis } from './result.ts'
import { standsOnPage } from './stances.ts'
import type { PapersClaimPolicy } from './state.ts'

/** The stances of each side of a draft's points, in their order. */
export interface PointStances {
  readonly consensus: readonly (readonly PaperStance[])[]
  readonly contradictions: readonly {
    readonly a: readonly PaperStance[]
    readonly b: readonly PaperStance[]
  }[]
  readonly gaps: readonly (readonly PaperStance[])[]
}

/** The points that stand on pages, and those that do not with the reason. */
export interface HeldPoints extends Pick<Synthesis, 'consensus' | 'contradictions' | 'gaps'> {
  readonly refused: readonly RefusedPoint[]
}

/**
 * What is left of a draft's points when its stances are checked. A paper of which no page shows a point is taken from it; a
 * consensus needs two papers that are left, each side of a contradiction one. Under `strict` only what is borne out counts.
 */
export function holdPoints(
  points: DraftPoints,
  stances: PointStances,
  policy: PapersClaimPolicy,
): HeldPoints {
  const refused: RefusedPoint[] = [...points.refused]
  const isSupport = supportUnder(policy)
  const refuse = (kind: RefusedPoint['kind'], text: string, lost: readonly PaperStance[]) => {
    const reason = `${whyLost(kind, policy)} ${lost.map(describeLoss).join(' ')}`
    refused.push({ kind, text, reason: reason.trim() })
    return []
  }
  const consensus = points.consensus.flatMap(({ says }, index) => {
    const all = stances.consensus[index] ?? []
    const count = all.filter(isSupport).length
    if (count < 2)
      return refuse(
        'consensus',
        says,
        all.filter((one) => !isSupport(one)),
      )
    return [{ point: says, stances: all.filter((one) => isSupport(one) || isShown(one, policy)) }]
  })
  const contradictions = points.contradictions.flatMap(({ description, context, a, b }, index) => {
    const all = stances.contradictions[index] ?? { a: [], b: [] }
    const [ofA, ofB] = [all.a.filter(isSupport), all.b.filter(isSupport)]
    if (ofA.length === 0 || ofB.length === 0)
      return refuse(
        'contradiction',
        description,
        [...all.a, ...all.b].filter((one) => !isSupport(one)),
      )
    const sides = { sideA: { says: a.says, stances: ofA }, sideB: { says: b.says, stances: ofB } }
    return [{ description, context, ...sides }]
  })
  const gaps = points.gaps.flatMap(({ says }, index) => {
    const all = stances.gaps[index] ?? []
    const held = all.filter(isSupport)
    if (all.length > 0 && held.length === 0) return refuse('gap', says, all)
    return [{ text: says, stances: held }]
  })
  return { consensus, contradictions, gaps, refused }
}

function supportUnder(policy: PapersClaimPolicy): (stance: PaperStance) => boolean {
  if (policy === 'off') return () => true
  return policy === 'strict' ? (stance) => isSupported(stance) : standsOnPage
}

/** Whether a paper that does not support a point is shown beside it: its page says otherwise. */
function isShown({ verdict, evidence }: PaperStance, policy: PapersClaimPolicy): boolean {
  const isAgainst = verdict === 'contradicted' || verdict === 'altered'
  return policy === 'mark' && isAgainst && evidence.length > 0
}

function whyLost(kind: RefusedPoint['kind'], policy: PapersClaimPolicy): string {
  const shown = policy === 'strict' ? 'is borne out by' : 'can be shown on a page of'
  if (kind === 'consensus') return `It ${shown} fewer than two papers.`
  if (kind === 'contradiction') return `One of its sides ${shown} no paper.`
  return `It ${shown} no paper.`
}

function describeLoss({ n, reason }: PaperStance): string {
  return `[${n}] ${reason}`
}
