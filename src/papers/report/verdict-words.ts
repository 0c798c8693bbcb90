import type { Coverage, Verdict } from '../../citations/claim.ts'
import type { PaperStance } from '../result.ts'

/** What a verdict comes to: it holds, it holds in part, it does not hold, or nobody could say. */
export type Tone = 'good' | 'part' | 'bad' | 'open'

/** How a verdict is shown: a word, a sign for those who see no colours, and its tone. */
export interface VerdictWords {
  readonly word: string
  readonly sign: string
  readonly tone: Tone
  /** What it means, in a few words. */
  readonly meaning: string
  /** Where a coverage counts it. */
  readonly field: keyof Coverage
}

/** Every verdict, the best first. */
export const verdictWords: Readonly<Record<Verdict, VerdictWords>> = {
  verbatim: {
    word: 'verbatim',
    sign: '=',
    tone: 'good',
    meaning: 'quoted verbatim',
    field: 'verbatim',
  },
  supported: {
    word: 'supported',
    sign: '≈',
    tone: 'good',
    meaning: 'stated in other words',
    field: 'supported',
  },
  partial: {
    word: 'partial',
    sign: '½',
    tone: 'part',
    meaning: 'only partly stated',
    field: 'partial',
  },
  altered: {
    word: 'altered',
    sign: '≠',
    tone: 'bad',
    meaning: 'differs from the source in a number, name or direction',
    field: 'altered',
  },
  contradicted: {
    word: 'contradicted',
    sign: '!',
    tone: 'bad',
    meaning: 'the source says the opposite',
    field: 'contradicted',
  },
  not_found: {
    word: 'not found',
    sign: '∅',
    tone: 'bad',
    meaning: 'not in any passage that was read',
    field: 'notFound',
  },
  unavailable: {
    word: 'unavailable',
    sign: '–',
    tone: 'open',
    meaning: 'the text is no longer available',
    field: 'unavailable',
  },
  unchecked: {
    word: 'unchecked',
    sign: '?',
    tone: 'open',
    meaning: 'not decided',
    field: 'unchecked',
  },
}

/** A coverage in words: `31 of 36 statements hold (20 word for word, 11 in other words) · 2 altered · 3 unchecked`. */
export function coverageText(coverage: Coverage): string {
  const { claims, verbatim, supported } = coverage
  if (claims === 0) return 'No statements.'
  const how = [
    ...(verbatim > 0 ? [`${verbatim} verbatim`] : []),
    ...(supported > 0 ? [`${supported} paraphrased`] : []),
  ]
  const others = Object.values(verdictWords).filter(
    ({ tone, field }) => tone !== 'good' && coverage[field] > 0,
  )
  return [
    `${verbatim + supported} of ${claims} statements supported${how.length > 0 ? ` (${how.join(', ')})` : ''}`,
    ...others.map(({ word, field }) => `${coverage[field]} ${word}`),
  ].join(' · ')
}

/** How a stance is told: `Supported` by a paper, which `supports it`, with a sign for those who see no colours. */
export interface StanceWords {
  readonly done: string
  readonly does: string
  readonly sign: string
}

/** A stance in words that say no more than its verdict. */
export function stanceWords({ stance, verdict }: Pick<PaperStance, 'stance' | 'verdict'>) {
  return stance === 'supports' ? supportWords[verdictWords[verdict].tone] : otherStances[stance]
}

const supportWords: Readonly<Record<Tone, StanceWords>> = {
  good: { done: 'Supported', does: 'supports it', sign: '✓' },
  part: { done: 'Supported in part', does: 'partly supports it', sign: '✓' },
  open: { done: 'Perhaps supported', does: 'may support it', sign: '✓' },
  bad: { done: 'Not supported', does: 'does not support it', sign: '✗' },
}

const otherStances: Readonly<Record<Exclude<PaperStance['stance'], 'supports'>, StanceWords>> = {
  differs: { done: 'Differs', does: 'says something different', sign: '≠' },
  disputes: { done: 'Disputed', does: 'disputes it', sign: '✗' },
}

/** Who judged, in words: `by code`, `by MODEL`. */
export function judgeText(judge: string): string {
  return judge === 'none' || judge === '' ? 'not judged' : `by ${judge}`
}
