import type { Coverage, Verdict } from '../../citations/claim.ts'
import type { CslName } from '../../citations/source.ts'
import { cutText } from '../../kernel/text/cut-text.ts'
import type { PaperEntry, PaperStance, PaperStatus } from '../result.ts'

/** What a verdict means: the claim holds, holds in part, does not hold, or is undecided. */
export type Tone = 'good' | 'part' | 'bad' | 'open'

/** How a verdict is displayed: a word, a sign that works without colours, and a tone. */
export interface VerdictWords {
  readonly word: string
  readonly sign: string
  readonly tone: Tone
  /** Its meaning in a few words. */
  readonly meaning: string
  /** The field of a coverage that counts it. */
  readonly field: keyof Coverage
}

/** All verdicts, best first. */
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
    ...(coverage.uncited > 0 ? [`${coverage.uncited} without citation`] : []),
  ].join(' · ')
}

/** How a stance is displayed: `Supported` by a paper, which `supports it`, with a sign that works without colours. */
export interface StanceWords {
  readonly done: string
  readonly does: string
  readonly sign: string
}

/** A stance in words no stronger than its verdict. */
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

/** The judge in words: `by code`, `by MODEL`. */
export function judgeText(judge: string): string {
  return judge === 'none' || judge === '' ? 'not judged' : `by ${judge}`
}

/** A paper's status in words. */
export const statusWords: Readonly<
  Record<PaperStatus, { readonly word: string; readonly sign: string; readonly tone: Tone }>
> = {
  kept: { word: 'kept', sign: '✓', tone: 'good' },
  dropped: { word: 'dropped', sign: '−', tone: 'part' },
  found: { word: 'not read', sign: '·', tone: 'open' },
  unreadable: { word: 'unreadable', sign: '✕', tone: 'bad' },
  failed: { word: 'failed', sign: '✕', tone: 'bad' },
}

/** The year of publication; empty if unknown. */
export function yearOf({ published, csl }: Pick<PaperEntry, 'published' | 'csl'>): string {
  const year = csl.issued?.['date-parts']?.[0]?.[0]
  return /^\d{4}/.exec(published)?.[0] ?? (year === undefined ? '' : String(year))
}

/** A short name for a paper: `Lee 2024`, `Lee and Ito 2024`, `Lee et al. 2024`, or the start of its title. */
export function shortName(
  paper: Pick<PaperEntry, 'title' | 'authors' | 'published' | 'csl'>,
): string {
  const families = paper.csl.author?.map(familyName) ?? paper.authors.map(familyNameIn)
  const [first = '', second = ''] = families
  if (first === '') return cutText(paper.title, maxTitleChars)
  const others = families.length > 2 ? ' et al.' : second === '' ? '' : ` and ${second}`
  return `${cutText(`${first}${others}`, maxNameChars)} ${yearOf(paper)}`.trim()
}

const maxTitleChars = 30
const maxNameChars = 40

function familyName({ family, literal, given }: CslName): string {
  return family ?? literal ?? given ?? ''
}

function familyNameIn(name: string): string {
  const [before = '', after] = name.split(',')
  return after === undefined ? (before.trim().split(/\s+/).at(-1) ?? '') : before.trim()
}

/** Up to three authors: `Ann Lee, Bo Ito, Cy Roy and 4 more`. */
export function authorsText(authors: readonly string[]): string {
  const shown = authors.slice(0, maxAuthors)
  const others = authors.length - shown.length
  return `${shown.join(', ')}${others > 0 ? ` and ${others} more` : ''}`
}

const maxAuthors = 3
