import type { CslItem, CslName } from '../citations/source.ts'

/** A metadata source's record of a work. */
export interface MetadataRecord {
  readonly source: 'arxiv' | 'crossref' | 'openalex' | 'semantic-scholar'
  readonly item: CslItem
  /** The retraction or withdrawal of this work according to the source, if any. */
  readonly retraction?: string
  /** DOIs of the works that this one, a retraction notice, retracts. */
  readonly retracts?: readonly string[]
}

/**
 * Parses a display name, as most sources give it: the last word and the particles before it are the family name; in a name with a
 * comma the family name comes first. Groups and single words stay whole.
 */
export function parseName(display: string): CslName {
  const [before = '', after, suffix] = display.split(/,\s*/)
  if (after !== undefined) {
    return { family: before, given: after, ...(suffix === undefined ? {} : { suffix }) }
  }
  const words = display.split(/\s+/).filter((word) => word !== '')
  const isGroup =
    /\b(?:collaboration|consortium|group|team|committee|network|organi[sz]ation|project|initiative|association|society|university|institute|ministry|agency)\b/i
  if (words.length < 2 || isGroup.test(display)) return { literal: display }
  const ending =
    /^(?:jr\.?|sr\.?|ii|iii|iv)$/i.test(words.at(-1) ?? '') && words.length > 2
      ? words.pop()
      : undefined
  const family = words.pop() ?? ''
  const particles: string[] = []
  while (words.length > 1 && /^\p{Ll}+$/u.test(words.at(-1) ?? ''))
    particles.unshift(words.pop() ?? '')
  return {
    family,
    given: words.join(' '),
    ...(particles.length === 0 ? {} : { 'non-dropping-particle': particles.join(' ') }),
    ...(ending === undefined ? {} : { suffix: ending }),
  }
}

/** Parses `2023-04-11` as a CSL date, as far as it is valid. */
export function parseDate(
  written: unknown,
): { readonly 'date-parts': readonly (readonly number[])[] } | undefined {
  const parts = /^(\d{4})(?:-(\d\d))?(?:-(\d\d))?/.exec(String(written ?? ''))?.slice(1)
  const numbers = parts?.filter((part) => part !== undefined).map(Number) ?? []
  return numbers.length === 0 ? undefined : { 'date-parts': [numbers] }
}

/** The plain text of an abstract in JATS or HTML. */
export function stripMarkup(text: unknown): string | undefined {
  return typeof text === 'string'
    ? text
        .replace(/<jats:title>\s*abstract\s*<\/jats:title>/i, '')
        .replace(/<[^<>]{1,200}>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim()
    : undefined
}
