import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CiteprocEngine, loadCiteproc } from '../../src/bibliography/format-bibliography.ts'
import { renderRichText } from '../../src/bibliography/rich-text.ts'

/** One case of the CSL test suite. */
export interface SuiteCase {
  readonly name: string
  /** The part of the name before the first underscore. */
  readonly category: string
  /** Sections by name, as in the file. */
  readonly sections: ReadonlyMap<string, string>
}

/** How a case ended. */
export interface SuiteOutcome {
  readonly passed: boolean
  /** Whether the list that people get has every tag that citeproc wrote; only for lists. */
  readonly isKept?: boolean
  /** Why it failed, as far as it can be told apart. */
  readonly reason?: 'text' | 'error' | 'locale' | 'form'
  readonly found: string
}

/** The engine's other doors, which lists do not need and the suite does. */
interface SuiteEngine
  extends Omit<CiteprocEngine, 'makeBibliography' | 'registry' | 'updateItems'> {
  readonly updateItems: (ids: readonly string[], isUnsorted?: boolean) => unknown
  readonly makeCitationCluster: (cites: readonly unknown[]) => string
  readonly processCitationCluster: (
    citation: unknown,
    before: unknown,
    after: unknown,
  ) => readonly [unknown, readonly (readonly [number, string, string])[]]
  readonly makeBibliography: (
    section?: unknown,
  ) => readonly [Readonly<Record<string, unknown>>, readonly string[]]
  readonly setOutputFormat: (form: string) => void
  readonly registry: {
    readonly reflist: readonly { readonly id: string }[]
    readonly citationreg: { readonly citationById: Readonly<Record<string, unknown>> }
  }
}

/** The cases of a folder, in the order of their names. */
function suiteCases(folder: string): readonly SuiteCase[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.txt'))
    .sort()
    .map((file) => {
      const name = file.replace(/\.txt$/, '')
      const text = readFileSync(join(folder, file), 'utf8')
      return { name, category: name.split('_')[0] ?? '', sections: sectionsOf(text) }
    })
}

/** `>>===== NAME =====>>` to `<<===== NAME =====<<`. */
function sectionsOf(text: string): ReadonlyMap<string, string> {
  const form = />>=+ *([A-Z0-9-]+) *=+>>\r?\n([\s\S]*?)\r?\n?<<=+ *\1 *=+<</g
  return new Map([...text.matchAll(form)].map(([, name = '', body = '']) => [name, body] as const))
}

/** Runs the cases of a folder, or every `every`th of them. */
export function runSuite(folder: string, every = 1): readonly (SuiteCase & SuiteOutcome)[] {
  const cases = suiteCases(folder).filter((_case, index) => index % every === 0)
  const { log } = console
  // The engine prints which languages it does not know.
  console.log = () => {}
  try {
    return cases.map((one) => ({ ...one, ...runCase(one) }))
  } finally {
    console.log = log
  }
}

const { citeproc, locale } = loadCiteproc()

/** Runs one case through the engine that makes our reference lists. */
function runCase({ sections }: SuiteCase): SuiteOutcome {
  const expected = plain(sections.get('RESULT') ?? '')
  const missing = new Set<string>()
  const [mode = '', ...modifiers] = (sections.get('MODE') ?? 'citation').trim().split('-')
  if (modifiers.some((one) => one !== 'nosort' && one !== 'header')) {
    return { passed: false, reason: 'form', found: '' }
  }
  try {
    const found = plain(resultOf(sections, mode, modifiers, missing))
    const passed = found === expected
    const isKept = mode === 'bibliography' && modifiers.length === 0 ? hasAllTags(found) : undefined
    return {
      passed,
      ...(isKept === undefined ? {} : { isKept }),
      ...(passed ? {} : { reason: missing.size > 0 ? ('locale' as const) : ('text' as const) }),
      found,
    }
  } catch (thrown) {
    const found = thrown instanceof Error ? thrown.message : String(thrown)
    return { passed: false, reason: missing.size > 0 ? 'locale' : 'error', found }
  }
}

function resultOf(
  sections: ReadonlyMap<string, string>,
  mode: string,
  modifiers: readonly string[],
  missing: Set<string>,
): string {
  const read = (name: string): unknown => {
    const body = sections.get(name)
    return body === undefined ? undefined : JSON.parse(body)
  }
  const items = read('INPUT') as readonly { readonly id: string }[]
  const known = new Map(items.map((item) => [String(item.id), item]))
  const system = {
    retrieveItem: (id: string) => known.get(String(id)),
    retrieveLocale: (language: string) => {
      const xml = locale(language)
      if (xml === false) missing.add(language)
      return xml
    },
    ...abbreviations(read('ABBREVIATIONS')),
  }
  const engine = new citeproc.Engine(system, sections.get('CSL') ?? '') as unknown as SuiteEngine
  const sets = read('BIBENTRIES') as readonly (readonly string[])[] | undefined
  const clusters = read('CITATIONS') as readonly (readonly unknown[])[] | undefined
  const isUnsorted = modifiers.includes('nosort')
  if (sets !== undefined) for (const ids of sets) engine.updateItems(ids, isUnsorted)
  else if (clusters === undefined) engine.updateItems([...known.keys()], isUnsorted)
  const cites = citationText(engine, clusters, read('CITATION-ITEMS'))
  if (mode !== 'bibliography') return cites
  const [form, entries] = engine.makeBibliography(read('BIBSECTION'))
  if (!modifiers.includes('header')) return `${form.bibstart}${entries.join('')}${form.bibend}`
  return Object.entries(form)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .sort()
    .join('\n')
}

function citationText(engine: SuiteEngine, clusters: unknown, cites: unknown): string {
  if (Array.isArray(cites)) return cites.map((one) => engine.makeCitationCluster(one)).join('\n')
  if (!Array.isArray(clusters)) {
    return engine.makeCitationCluster(engine.registry.reflist.map(({ id }) => ({ id })))
  }
  let written: { id: string; text: string; mark: string }[] = []
  for (const [citation, before, after] of clusters) {
    const [, changes] = engine.processCitationCluster(citation, before, after)
    const registered = engine.registry.citationreg.citationById
    written = written.filter(({ id }) => registered[id]).map((one) => ({ ...one, mark: '..' }))
    for (const [index, text, id] of changes) {
      const at = written.findIndex((one) => one.id === id)
      if (at >= 0) written[at] = { id, text, mark: '>>' }
      else written.splice(index, 0, { id, text, mark: '>>' })
    }
  }
  return written.map(({ mark, text }, index) => `${mark}[${index}] ${text}`).join('\n')
}

/** The engine asks for an abbreviation by list, field and words. */
function abbreviations(lists: unknown): object {
  if (lists === undefined) return {}
  const known = lists as Readonly<
    Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>
  >
  return {
    getAbbreviation: (
      _name: unknown,
      target: Record<string, Record<string, Record<string, string>>>,
      jurisdiction: string,
      category: string,
      words: string,
    ) => {
      const found = known[jurisdiction]?.[category]?.[words] ?? known.default?.[category]?.[words]
      const list = target[jurisdiction]?.[category]
      if (found !== undefined && list !== undefined) list[words] = found
      return jurisdiction
    },
  }
}

/** Whether our own form of each entry has all words and tags of the engine's; a numbered entry's columns are spans here. */
function hasAllTags(list: string): boolean {
  const entries = list
    .replace(/^<div class="csl-bib-body">|<\/div>$/g, '')
    .split(/(?=<div class="csl-entry">)/)
    .filter((entry) => entry.trim() !== '')
  return entries.every((entry) => {
    const whole = entry.trim()
    const inside = whole.replace(/^<div class="csl-entry">|<\/div>$/g, '')
    const columns = inside.replace(
      /<div( class="csl-(?:left-margin|right-inline)">.*?)<\/div>/gs,
      '<span$1</span>',
    )
    return squeezed(renderRichText(whole, 'html')) === squeezed(columns)
  })
}

function squeezed(html: string): string {
  return html
    .replace(/&#38;/g, '&amp;')
    .replace(/&#60;/g, '&lt;')
    .replace(/&#62;/g, '&gt;')
    .replace(/"|&quot;/g, '"')
    .replace(/\s+/g, '')
}

function plain(text: string): string {
  return text.replace(/\r\n?/g, '\n').trim()
}
