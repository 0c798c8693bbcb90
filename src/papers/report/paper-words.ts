import type { CslName } from '../../citations/source.ts'
import type { PaperEntry, PaperStatus } from '../result.ts'
import type { Tone } from './verdict-words.ts'

/** What became of a paper, as people read it. */
export const statusWords: Readonly<
  Record<PaperStatus, { readonly word: string; readonly sign: string; readonly tone: Tone }>
> = {
  kept: { word: 'kept', sign: '✓', tone: 'good' },
  dropped: { word: 'dropped', sign: '−', tone: 'part' },
  found: { word: 'not read', sign: '·', tone: 'open' },
  unreadable: { word: 'unreadable', sign: '✕', tone: 'bad' },
  failed: { word: 'failed', sign: '✕', tone: 'bad' },
}

/** The year in which a paper appeared; empty where none is known. */
export function yearOf({ published, csl }: Pick<PaperEntry, 'published' | 'csl'>): string {
  const year = csl.issued?.['date-parts']?.[0]?.[0]
  return /^\d{4}/.exec(published)?.[0] ?? (year === undefined ? '' : String(year))
}

/** A short name for a paper: `Lee 2024`, `Lee and Ito 2024`, `Lee et al. 2024`, or the beginning of its title. */
export function shortName(
  paper: Pick<PaperEntry, 'title' | 'authors' | 'published' | 'csl'>,
): string {
  const families = paper.csl.author?.map(familyOf) ?? paper.authors.map(lastWord)
  const [first = '', second = ''] = families
  if (first === '') return cut(paper.title, longestTitle)
  const others = families.length > 2 ? ' et al.' : second === '' ? '' : ` and ${second}`
  return `${cut(`${first}${others}`, longestName)} ${yearOf(paper)}`.trim()
}

const longestTitle = 30
const longestName = 40

function familyOf({ family, literal, given }: CslName): string {
  return family ?? literal ?? given ?? ''
}

function lastWord(name: string): string {
  const [before = '', after] = name.split(',')
  return after === undefined ? (before.trim().split(/\s+/).at(-1) ?? '') : before.trim()
}

/** The text, cut with `…` where it has more characters than `most`. */
export function cut(text: string, most: number): string {
  const characters = [...text]
  return characters.length <= most
    ? text
    : `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
}

/** A few authors whole, of many the first three: `Ann Lee, Bo Ito, Cy Roy and 4 more`. */
export function authorsText(authors: readonly string[]): string {
  const shown = authors.slice(0, mostAuthors)
  const others = authors.length - shown.length
  return `${shown.join(', ')}${others > 0 ? ` and ${others} more` : ''}`
}

const mostAuthors = 3
