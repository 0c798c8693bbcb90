import { ScholiumError } from '../../kernel/errors.ts'
import type { CslItem } from '../source.ts'
import { arxivLine } from './arxiv-line.ts'
import { type CiteprocEngine, loadCiteproc } from './citeproc.ts'
import { cslItemFrom } from './csl-item.ts'
import { cslStyle } from './csl-style.ts'
import { asRichText, type BibliographyFormat, renderRichText } from './rich-text.ts'

/** How a reference list is written. */
export interface BibliographyOptions {
  /** `apa` (7th edition), `chicago` (author-date), `ieee`, `apa-arxiv` (one line for preprints), or the text of a CSL file. */
  readonly style: string
  /** Default `text`. */
  readonly format?: BibliographyFormat
}

/** One reference, written out. */
export interface BibliographyEntry {
  readonly id: string
  readonly text: string
}

/**
 * The reference list of works, in the order that the style asks for. Every work has one entry, under its own id; one of
 * which the style prints nothing comes last, by its title or address.
 * @throws {@link ScholiumError} `invalid_input` for a style that cannot be used, `invalid_configuration` when the package
 * that knows CSL is not installed
 */
export async function formatBibliography(
  items: readonly CslItem[],
  options: BibliographyOptions,
): Promise<readonly BibliographyEntry[]> {
  const format = options.format ?? 'text'
  // Numbers for ids: citeproc keeps works under them in plain objects, and two works may have one id.
  const works = items.map((item, index) => cslItemFrom(item, String(index + 1)))
  if (options.style === 'apa-arxiv') {
    return works.map((work, index) => ({
      id: items[index]?.id ?? '',
      text: renderRichText(asRichText(arxivLine(work)), format),
    }))
  }
  const xml = await cslStyle(options.style)
  return referencesOf(works, xml).map(([number, html]) => ({
    id: items[Number(number) - 1]?.id ?? '',
    text: renderRichText(html, format),
  }))
}

function referencesOf(
  works: readonly CslItem[],
  styleXml: string,
): readonly (readonly [string, string])[] {
  if (works.length === 0) return []
  const { citeproc, locale } = loadCiteproc()
  const byId = new Map(works.map((work) => [work.id, { ...work, system_id: work.id }]))
  // A language is asked for by its main locale first, so the style says which it is.
  const ownLanguage = /\bdefault-locale="([\w-]{1,40})"/.exec(styleXml)?.[1]
  const missing: string[] = []
  const system = {
    retrieveLocale: (language: string) => {
      const xml = locale(language)
      if (xml === false) missing.push(ownLanguage ?? language)
      return xml
    },
    retrieveItem: (id: string) => byId.get(id),
    // Works without entry are missing from the list and not from its ids, so each entry says whose it is.
    embedBibliographyEntry: (id: string) => `<!--${id}-->`,
  }
  const list = attempt(missing, () => {
    const engine: CiteprocEngine = new citeproc.Engine(system, styleXml, 'en-US')
    engine.updateItems(works.map(({ id }) => id))
    return engine.makeBibliography()
  })
  if (list === false) throw unusable('it makes no reference list')
  const printed = list[1].flatMap(numbered).filter(([, html]) => !isEmpty(html))
  if (printed.length === 0) throw unusable('it prints nothing of these works')
  const numbers = new Set(printed.map(([number]) => number))
  const left = works.filter(({ id }) => !numbers.has(id))
  return [...printed, ...left.map((work) => [work.id, asRichText(nameOf(work))] as const)]
}

function numbered(entry: string): readonly (readonly [string, string])[] {
  const mark = /<!--(\d+)-->\s*$/.exec(entry)
  return mark?.[1] === undefined ? [] : [[mark[1], entry.slice(0, mark.index)]]
}

function isEmpty(html: string): boolean {
  return /^(?:\[CSL STYLE ERROR: .*\])?$/.test(renderRichText(html, 'text'))
}

function nameOf(work: CslItem): string {
  return work.title ?? work.URL ?? work.DOI ?? '(nothing is known of this work)'
}

function attempt<Result>(missing: readonly string[], work: () => Result): Result {
  try {
    return work()
  } catch (thrown) {
    const language = missing[0]
    if (language !== undefined) {
      throw unusable(`its language is ${language}; there are en, de, fr, es and nl`, thrown)
    }
    // Citeproc throws strings as well.
    throw unusable(thrown instanceof Error ? thrown.message : String(thrown), thrown)
  }
}

function unusable(reason: string, cause?: unknown): ScholiumError {
  return new ScholiumError('invalid_input', `The citation style cannot be used: ${reason}`, {
    cause,
    hint: 'Check the style at https://validator.citationstyles.org, or take apa, chicago or ieee.',
  })
}
