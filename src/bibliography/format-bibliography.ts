import { createRequire } from 'node:module'
import type { CslItem } from '../citations/source.ts'
import { ScholiumError } from '../kernel/errors.ts'
import { formatArxivLine } from './arxiv-line.ts'
import { toCslItem } from './csl-item.ts'
import { dropUnusedSorts, loadCslStyle } from './csl-style.ts'
import { insertEtAl, markOtherAuthors } from './other-authors.ts'
import { type BibliographyFormat, renderRichText, toRichText } from './rich-text.ts'

/** How a reference list is written. */
export interface BibliographyOptions {
  /** `apa` (7th edition), `chicago` (author-date), `ieee`, `apa-arxiv` (one line for preprints), or the text of a CSL file. */
  readonly style: string
  /** Default `text`. */
  readonly format?: BibliographyFormat
  /**
   * The citation number of each work, in the order of the works. A numbered style prints these numbers and sorts by them; other
   * styles ignore them. Default: the style's own numbers, from 1.
   */
  readonly numbers?: readonly number[]
}

/** One formatted reference. */
export interface BibliographyEntry {
  readonly id: string
  readonly text: string
}

/**
 * Formats a reference list in the order that the style prescribes. Every work has one entry, under its own id. A work for which
 * the style prints nothing is listed last, by title or address.
 * @throws {@link ScholiumError} `invalid_input` for an unusable style or if there are not as many numbers as works;
 * `invalid_configuration` if citeproc is not installed
 */
export async function formatBibliography(
  items: readonly CslItem[],
  options: BibliographyOptions,
): Promise<readonly BibliographyEntry[]> {
  const { format = 'text', numbers } = options
  if (numbers !== undefined && numbers.length !== items.length) {
    const text = `There are ${numbers.length} numbers for ${items.length} works.`
    throw new ScholiumError('invalid_input', text)
  }
  // Numbers serve as ids: citeproc keeps works in plain objects by id, and two works may share an id.
  const works = items.map((item, index) => toCslItem(item, String(index + 1)))
  if (options.style === 'apa-arxiv') {
    return works.map((work, index) => ({
      id: items[index]?.id ?? '',
      text: renderRichText(toRichText(formatArxivLine(work)), format),
    }))
  }
  const xml = dropUnusedSorts(options.style, await loadCslStyle(options.style), works.length)
  return makeReferences(works, xml, numbers).map(([place, html]) => ({
    id: items[Number(place) - 1]?.id ?? '',
    text: renderRichText(html, format),
  }))
}

/** A work's position among the given works, from 1, and its entry as citeproc's HTML. */
type Reference = readonly [place: string, html: string]

function makeReferences(
  works: readonly CslItem[],
  styleXml: string,
  numbers: readonly number[] | undefined,
): readonly Reference[] {
  if (works.length === 0) return []
  const { citeproc, locale } = loadCiteproc()
  const byId = new Map(
    works.map((work) => [work.id, { ...preparePrint(work), system_id: work.id }]),
  )
  // The main locale is requested first, so the style's own language is passed on.
  const ownLanguage = /\bdefault-locale="([\w-]{1,40})"/.exec(styleXml)?.[1]
  const missing: string[] = []
  const system = {
    retrieveLocale: (language: string) => {
      const xml = locale(language)
      if (xml === false) missing.push(ownLanguage ?? language)
      return xml
    },
    retrieveItem: (id: string) => byId.get(id),
    // The list omits works without an entry but its ids do not, so each entry carries its id.
    embedBibliographyEntry: (id: string) => `<!--${id}-->`,
  }
  const { list, isNumeric } = attempt(missing, () => {
    const engine: CiteprocEngine = new citeproc.Engine(system, styleXml, 'en-US')
    engine.updateItems(works.map(({ id }) => id))
    for (const [index, number] of (numbers ?? []).entries()) renumber(engine, index, number)
    const [, list] = engine.makeBibliography() || [undefined, undefined]
    return {
      list: list?.map((entry) => insertEtAl(entry, (name) => engine.getTerm(name))),
      isNumeric: engine.opt.bib_mode === printsNumbers,
    }
  })
  if (list === undefined) throw createFormatError('it has no reference list')
  const printed = list.flatMap(placeReferences).filter(([, html]) => !isEmpty(html))
  if (printed.length === 0) throw createFormatError('it prints nothing for these works')
  const references = addUnprinted(printed, works)
  if (numbers === undefined || !isNumeric) return references
  const numberOf = ([place]: Reference) => numbers[Number(place) - 1] ?? 0
  return references.toSorted((one, other) => numberOf(one) - numberOf(other))
}

/** Avoids naming an archive twice, and marks omitted authors so that they are not printed as a person. */
function preparePrint(work: CslItem): CslItem {
  const { archive, archive_collection: _, archive_location: location, ...others } = work
  if (!/^arxiv$/i.test(archive ?? '')) return markOtherAuthors(work)
  const isNamed = [work.publisher, work['container-title'], work.number].some(
    (name) => name !== undefined,
  )
  const place = {
    ...(archive ? { archive } : {}),
    ...(location ? { archive_location: location } : {}),
  }
  return markOtherAuthors(isNamed ? others : { ...others, ...place })
}

/** Value of {@link CiteprocEngine.opt} if the entries of a list are numbered. */
const printsNumbers = 1

/** If a style counts down, citeproc looks the number up again. */
function renumber(engine: CiteprocEngine, index: number, number: number): void {
  const work = engine.registry.registry[index + 1]
  if (work !== undefined) work.seq = number
  const countdown = engine.bibliography_sort.tmp.citation_number_map
  if (countdown !== undefined) countdown[number] = number
}

function addUnprinted(
  printed: readonly Reference[],
  works: readonly CslItem[],
): readonly Reference[] {
  const places = new Set(printed.map(([place]) => place))
  const left = works.filter(({ id }) => !places.has(id))
  return [...printed, ...left.map((work) => [work.id, toRichText(nameWork(work))] as const)]
}

function placeReferences(entry: string): readonly Reference[] {
  const mark = /<!--(\d+)-->\s*$/.exec(entry)
  return mark?.[1] === undefined ? [] : [[mark[1], entry.slice(0, mark.index)]]
}

function isEmpty(html: string): boolean {
  return /^(?:\[CSL STYLE ERROR: .*\])?$/.test(renderRichText(html, 'text'))
}

function nameWork(work: CslItem): string {
  return work.title ?? work.URL ?? work.DOI ?? '(no metadata for this work)'
}

function attempt<Result>(missing: readonly string[], work: () => Result): Result {
  try {
    return work()
  } catch (thrown) {
    const language = missing[0]
    if (language !== undefined) {
      throw createFormatError(
        `its language is ${language}; supported are en, de, fr, es and nl`,
        thrown,
      )
    }
    // Citeproc also throws strings.
    throw createFormatError(thrown instanceof Error ? thrown.message : String(thrown), thrown)
  }
}

function createFormatError(reason: string, cause?: unknown): ScholiumError {
  return new ScholiumError('invalid_input', `The citation style cannot be used: ${reason}`, {
    cause,
    hint: 'Check the style at https://validator.citationstyles.org, or take apa, chicago or ieee.',
  })
}

/** The part of citeproc that is used; it has no types. */
interface Citeproc {
  readonly Engine: new (
    system: CiteprocSystem,
    styleXml: string,
    language?: string,
  ) => CiteprocEngine
  readonly XmlJSON: { readonly prototype: CiteprocXml }
}

/** How citeproc queries a style: elements called `name`, optionally with this `name` attribute. */
interface CiteprocXml {
  getNodesByName(
    root: object,
    name: string,
    nameAttribute?: string,
    found?: readonly unknown[],
  ): readonly unknown[]
}

/** Callbacks that citeproc uses. */
interface CiteprocSystem {
  /** A locale's XML; `false` if there is none. */
  readonly retrieveLocale: (language: string) => string | false
  /** A work in CSL-JSON. */
  readonly retrieveItem: (id: string) => unknown
  /** HTML to append to a work's entry; called with the work's `system_id`. */
  readonly embedBibliographyEntry?: (systemId: string) => string
}

/** A citeproc engine for one style. */
export interface CiteprocEngine {
  /** `bib_mode` is 1 if the entries of the list are numbered. */
  readonly opt: { readonly bib_mode?: number }
  /** Works by id, each with its printed number. */
  readonly registry: { readonly registry: Readonly<Record<string, { seq: number }>> }
  readonly bibliography_sort: {
    readonly tmp: { readonly citation_number_map?: Record<number, number> }
  }
  /** A term of the style's language, such as `et-al`. */
  readonly getTerm: (name: string) => string
  readonly updateItems: (ids: readonly string[]) => unknown
  /** Metadata of the list, and its entries as HTML in the style's order; `false` if the style has no list. */
  readonly makeBibliography: () => false | readonly [unknown, readonly string[]]
}

/** Citeproc, and the locales that come with it (English, German, French, Spanish, Dutch). */
interface LoadedCiteproc {
  readonly citeproc: Citeproc
  readonly locale: (language: string) => string | false
}

const packageName = '@citation-js/plugin-csl'

/**
 * Citeproc from an optional package, loaded on first use.
 * @param from module that requires it; packages are resolved from there
 * @throws {@link ScholiumError} `invalid_configuration` if the package is not installed
 * @see https://citeproc-js.readthedocs.io
 */
export function loadCiteproc(from: string = import.meta.url): LoadedCiteproc {
  const requireBeside = createPackageRequire(from)
  const locales: unknown = requireBeside('./locales.json')
  const byLanguage = new Map(Object.entries(locales as Readonly<Record<string, string>>))
  const citeproc = requireBeside('citeproc') as Citeproc
  rememberMacros(citeproc.XmlJSON.prototype)
  return {
    citeproc,
    // The locale is older than the styles: APA and Chicago use "trans." for a single translator too.
    locale: (language) =>
      byLanguage.get(language)?.replace('<single>tran.</single>', '<single>trans.</single>') ??
      false,
  }
}

const isRemembering = Symbol('macros are remembered')

/**
 * Caches citeproc's macro lookups. Without this it searches the whole style at every macro call, which is more than half of its
 * time. Macros do not change while a style is in use.
 */
function rememberMacros(xml: CiteprocXml & { [isRemembering]?: true }): void {
  if (xml[isRemembering] === true) return
  const search = xml.getNodesByName
  const byStyle = new WeakMap<object, Map<string, readonly unknown[]>>()
  xml.getNodesByName = function (root, name, nameAttribute, found) {
    if (name !== 'macro' || nameAttribute === undefined || found !== undefined) {
      return search.call(this, root, name, nameAttribute, found)
    }
    const macros = byStyle.get(root) ?? new Map<string, readonly unknown[]>()
    byStyle.set(root, macros)
    const known = macros.get(nameAttribute) ?? search.call(this, root, name, nameAttribute)
    macros.set(nameAttribute, known)
    return known
  }
  xml[isRemembering] = true
}

/** The package's own `require`: citeproc is its dependency, not ours. */
function createPackageRequire(from: string): (name: string) => unknown {
  try {
    return createRequire(createRequire(from).resolve(packageName))
  } catch (cause) {
    throw new ScholiumError(
      'invalid_configuration',
      `Reference lists in this style need the optional package ${packageName}, which is not installed.`,
      {
        cause,
        hint: `Run npm install ${packageName}@0.7.22, or use the style apa-arxiv, BibTeX or RIS, which do not need it.`,
      },
    )
  }
}
