import { cutText } from '../kernel/text/cut-text.ts'
import type { CitedSource, Claim } from './claim.ts'

/** More section names than these are only counted. */
const maxNames = 2
/** Longer section names are shortened, in characters. */
const maxNameChars = 40

/**
 * Where in a source the evidence of an answer's claims is, for people: `p. 3`, `pp. 3, 5`, `slide 2`, `sheet “2024”`,
 * `chapters “One”, “Two” and 3 more`. "" if nothing is known, or only the name of the source itself.
 */
export function formatCitedPlace(
  { n, title, path = '' }: Pick<CitedSource, 'n' | 'title' | 'path'>,
  claims: readonly Claim[],
): string {
  const evidence = claims
    .flatMap((claim) => claim.evidence.filter((piece) => piece.n === n))
    .sort((one, other) => one.start - other.start)
  const pages = [...new Set(evidence.flatMap(({ page }) => page ?? []))]
  if (pages.length > 0) return formatPages(pages, isSlides(path))
  const sections = [...new Set(evidence.flatMap(({ section }) => section ?? []))]
  const isTitle = sections.length === 1 && sections[0]?.toLowerCase() === title.toLowerCase()
  return sections.length === 0 || isTitle ? '' : formatSections(sections, sectionWord(path))
}

function formatPages(pages: readonly number[], areSlides: boolean): string {
  const [one, many] = areSlides ? ['slide', 'slides'] : ['p.', 'pp.']
  const sorted = pages.toSorted((first, second) => first - second)
  return `${sorted.length === 1 ? one : many} ${sorted.join(', ')}`
}

function formatSections(sections: readonly string[], word: string): string {
  const names = sections.slice(0, maxNames).map((name) => `“${cutText(name, maxNameChars)}”`)
  const others = sections.length - names.length
  const more = others > 0 ? ` and ${others} more` : ''
  return `${word}${sections.length === 1 ? '' : 's'} ${names.join(', ')}${more}`
}

function isSlides(path: string): boolean {
  return /\.pp[ts][xm]$/i.test(path)
}

function sectionWord(path: string): string {
  if (/\.xls[xm]$/i.test(path)) return 'sheet'
  return /\.epub$/i.test(path) ? 'chapter' : 'section'
}
