import { createRequire } from 'node:module'
import { ScholiumError } from '../kernel/errors.ts'

/** What is used of citeproc: it has no types of its own. */
export interface Citeproc {
  readonly Engine: new (
    system: CiteprocSystem,
    styleXml: string,
    language?: string,
  ) => CiteprocEngine
  readonly XmlJSON: { readonly prototype: CiteprocXml }
}

/** How citeproc reads a style: elements called `name`, those with that attribute `name` where it is given. */
interface CiteprocXml {
  getNodesByName(
    root: object,
    name: string,
    nameAttribute?: string,
    found?: readonly unknown[],
  ): readonly unknown[]
}

/** What citeproc asks for while it works. */
export interface CiteprocSystem {
  /** A locale's XML; `false` where there is none. */
  readonly retrieveLocale: (language: string) => string | false
  /** A work in CSL-JSON. */
  readonly retrieveItem: (id: string) => unknown
  /** HTML behind the entry of a work, called by the work's `system_id`. */
  readonly embedBibliographyEntry?: (systemId: string) => string
}

/** One style at work. */
export interface CiteprocEngine {
  /** `bib_mode` is 1 where the entries of the list have numbers. */
  readonly opt: { readonly bib_mode?: number }
  /** Works by their ids, each with the number that is printed. */
  readonly registry: { readonly registry: Readonly<Record<string, { seq: number }>> }
  readonly bibliography_sort: {
    readonly tmp: { readonly citation_number_map?: Record<number, number> }
  }
  /** A term of the style's language, such as `et-al`. */
  readonly getTerm: (name: string) => string
  readonly updateItems: (ids: readonly string[]) => unknown
  /** What is known of the list, and its entries as HTML in the style's order; `false` for a style that has no list. */
  readonly makeBibliography: () => false | readonly [unknown, readonly string[]]
}

/** Citeproc, and the locales that come with it (English, German, French, Spanish, Dutch). */
export interface LoadedCiteproc {
  readonly citeproc: Citeproc
  readonly locale: (language: string) => string | false
}

const packageName = '@citation-js/plugin-csl'

/**
 * Citeproc out of an optional package, loaded at the first call.
 * @param from the module that needs it: packages are looked for from there
 * @throws {@link ScholiumError} `invalid_configuration` when the package is not installed
 * @see https://citeproc-js.readthedocs.io
 */
export function loadCiteproc(from: string = import.meta.url): LoadedCiteproc {
  const requireBeside = requireOf(from)
  const locales: unknown = requireBeside('./locales.json')
  const byLanguage = new Map(Object.entries(locales as Readonly<Record<string, string>>))
  const citeproc = requireBeside('citeproc') as Citeproc
  rememberMacros(citeproc.XmlJSON.prototype)
  return {
    citeproc,
    // The locale is older than the styles: "trans." is one translator too in APA and Chicago.
    locale: (language) =>
      byLanguage.get(language)?.replace('<single>tran.</single>', '<single>trans.</single>') ??
      false,
  }
}

const isRemembering = Symbol('macros are remembered')

/**
 * Lets citeproc find a macro again without a look at the whole style, which it takes at each call of a macro and which is
 * more than half of its time. Macros neither come nor go while a style is at work.
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
function requireOf(from: string): (name: string) => unknown {
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
