import type { Passage } from '../../citations/source.ts'
import type { TextSpan } from '../../sources/document.ts'

/** The span of a page in a source's text; the whole text if it has no pages. */
export interface PageOfText extends TextSpan {
  /** 1-based; only for sources with pages. */
  readonly page?: number
}

/** A heading, and where its section starts. */
export interface PaperSection {
  readonly title: string
  /** UTF-16 code units in the source's text. */
  readonly start: number
  /** 1-based; only for sources with pages. */
  readonly page?: number
}

/** Pages and sections of a source's text. Pages without text are left out. */
export interface PaperLayout {
  readonly pages: readonly PageOfText[]
  readonly sections: readonly PaperSection[]
}

/**
 * The layout of a source in the library, from its passages in reading order: they omit white space only, and none
 * crosses a page or heading. The layout is thus the same however long ago the source was read.
 */
export function readLayout(passages: readonly Passage[]): PaperLayout {
  const pages: { -readonly [key in keyof PageOfText]: PageOfText[key] }[] = []
  const sections: PaperSection[] = []
  for (const { start, end, page, section } of passages) {
    const on = page === undefined ? {} : { page }
    const open = pages.at(-1)
    if (open !== undefined && open.page === page) open.end = end
    else pages.push({ start, end, ...on })
    if (section !== undefined && section !== sections.at(-1)?.title)
      sections.push({ title: section, start, ...on })
  }
  return { pages, sections }
}

const abstractHeading = /^(?:abstract|summary|zusammenfassung|résumé|resumen)\s*[:.]?$/i
/** "Abstract", "ABSTRACT.", "Abstract—", "# Abstract" at the start of a line. */
const abstractMark =
  /(?:^|\n)[^\S\n]*(?:#{1,6}[^\S\n]*|\*\*)?(?:abstract|ABSTRACT|Abstract|Summary|SUMMARY)(?:\*\*)?[^\S\n]*(?:[.:—–-]+[^\S\n]*|\n)\s*(?=\S)/
/** What follows an abstract if no heading does. */
const afterAbstract =
  /\n\s*(?:#{1,6}\s*)?(?:(?:key\s?words(?:\s+and\s+phrases)?|index\s+terms|ccs\s+concepts|categories\s+and\s+subject\s+descriptors|general\s+terms|acm\s+reference\s+format|contents|(?:1|i)\.?\s+introduction|introduction)\b)/i
/** Maximum length of an abstract in UTF-16 code units; it is on the first pages. */
const maxAbstractUnits = 6_000
const maxSearchedUnits = 20_000

/** A paper's abstract as running text; empty if none is labelled. */
export function findAbstract(text: string, { sections }: PaperLayout): string {
  const index = sections.findIndex(
    ({ title, start }) => abstractHeading.test(title.trim()) && start < maxSearchedUnits,
  )
  const section = sections[index]
  if (section !== undefined) {
    const start = text.indexOf(section.title, section.start) + section.title.length
    return toRunningText(text.slice(start, sections[index + 1]?.start ?? text.length))
  }
  const found = abstractMark.exec(text.slice(0, maxSearchedUnits))
  if (found === null) return ''
  const start = found.index + found[0].length
  const next = sections.find((one) => one.start > start)?.start ?? text.length
  return toRunningText(text.slice(start, next))
}

function toRunningText(text: string): string {
  const end = afterAbstract.exec(text)?.index ?? text.length
  const words = text
    .slice(0, end)
    .replace(/^[\s:.—–-]+/, '')
    .replace(/\s+/g, ' ')
    .trim()
  return words.length <= maxAbstractUnits ? words : ''
}

/** A paper's reference list. */
export interface ReferenceList {
  /** The whole list with its heading. */
  readonly span: TextSpan
  /** Its entries in order, without overlaps. */
  readonly entries: readonly TextSpan[]
}

const referencesHeading =
  /^(?:(?:\d{1,2}|[IVX]{1,5}|[A-Z])\.?\s+)?(?:references(?: and notes| cited)?|bibliography|literature cited|works cited|literature|literatur(?:verzeichnis)?|références|bibliographie|referencias|bibliografía)\s*:?$/iu
/** A heading on a line of its own that the reader did not recognise as one. */
const headingLine =
  /(?:^|\n)[^\S\n]*((?:\d{1,2}\.?[^\S\n]+|#{1,6}[^\S\n]+)?(?:references(?: and notes)?|bibliography|literature cited|works cited):?)[^\S\n]*(?=\n)/giu
/** "4. IPCC": an entry that looks like a heading does not end the list. */
const entryLike = /^\[?\d/

/** Finds a paper's reference list; `undefined` without a heading for one. */
export function findReferences(text: string, layout: PaperLayout): ReferenceList | undefined {
  const { sections, pages } = layout
  const index = sections.findLastIndex(({ title }) => referencesHeading.test(title.trim()))
  const start = sections[index]?.start ?? lastHeadingLine(text)
  if (start === undefined) return undefined
  const next = sections.find((section) => section.start > start && !entryLike.test(section.title))
  const end = next?.start ?? pages.at(-1)?.end ?? text.length
  const body = text.indexOf('\n', start)
  const last = start + text.slice(start, end).trimEnd().length
  const entries = body === -1 || body >= last ? [] : findEntries(text, { start: body, end: last })
  return { span: { start, end: entries.at(-1)?.end ?? last }, entries }
}

function lastHeadingLine(text: string): number | undefined {
  const found = [...text.matchAll(headingLine)].at(-1)
  if (found === undefined) return undefined
  const start = found.index + found[0].lastIndexOf(found[1] as string)
  return start > text.length / 4 ? start : undefined
}

/** Marks of entries; the first pattern that counts up through the list is used. */
const entryMarks = [
  /\[(\d{1,3})\](?=\s*\S)/g,
  /(?<=^|\s)(\d{1,3})\.(?=\s+\S)/g,
  /(?<=\n)(\d{1,3})(?=\s+\p{Lu})/gu,
]
/** `[Knu84]`, `[Lewis et al., 2020]` at the start of a line. */
const namedMark = /(?<=\n)\s*\[[\p{L}+][^\]\n]{1,40}\]/gu
const minMarks = 2
/** A last entry longer than this multiple of the usual length is suspected to contain text after the list. */
const maxLastRatio = 2

function findEntries(text: string, body: TextSpan): readonly TextSpan[] {
  const list = text.slice(body.start, body.end)
  for (const mark of entryMarks) {
    const starts = findNumbered(list, mark)
    if (starts.length >= minMarks) return toSpans(text, body, starts)
  }
  const named = [...list.matchAll(namedMark)].map(({ index }) => index)
  if (named.length >= minMarks) return toSpans(text, body, named)
  return toSpans(text, body, findAuthorStarts(list))
}

/** The first mark is within this many UTF-16 code units of the list's start. */
const maxFirstMarkOffset = 200

/**
 * The offsets of marks that count up from 1; of several with one number, one at a line start or after a full stop is
 * preferred.
 */
function findNumbered(list: string, mark: RegExp): readonly number[] {
  const found = [...list.matchAll(mark)].map(({ index, 1: digits }) => ({
    index,
    number: Number(digits),
    isPlain: /(?:^|\n|[.)\]”"/])\s*$/.test(list.slice(Math.max(0, index - 4), index)),
  }))
  const numbered = Map.groupBy(found, ({ number }) => number)
  const starts: number[] = []
  for (let number = 1; ; number++) {
    const last = starts.at(-1) ?? -1
    const later = numbered.get(number)?.filter(({ index }) => index > last) ?? []
    const next = later.find(({ isPlain }) => isPlain) ?? later[0]
    if (next === undefined || (number === 1 && next.index > maxFirstMarkOffset)) return starts
    starts.push(next.index)
  }
}

/** A line that starts with a name: a family name and initials, or a full name followed by another name. */
const nameFirst =
  /^(?:(?:(?:van|von|de|della|del|di|da|den|der|la|le|el|al)\s+)*\p{Lu}[\p{L}\p{M}'’-]+(?:\s\p{Lu}[\p{L}'’-]+){0,2}(?:,\s*(?:\p{Lu}\.|\p{Lu}[\p{L}-]+)|\s\p{Lu}{1,3}\b)|(?:\p{Lu}[\p{L}\p{M}'’.-]*\s){1,3}(?:(?:van|von|de|den|der|della|di|la|le)\s){0,2}\p{Lu}[\p{L}\p{M}'’-]+(?:,\s\p{Lu}|\.\s|\sand\s|\set\sal))/u
const yearPattern = /\b(?:1[89]|20)\d\d[a-z]?\b/

/** Starts of unmarked entries: lines that begin with a name, once the previous entry has its year. */
function findAuthorStarts(list: string): readonly number[] {
  const starts: number[] = []
  for (const { index, 0: line } of list.matchAll(/[^\n]+/g)) {
    const last = starts.at(-1)
    const isComplete = last === undefined || isFinished(list, last, index)
    if (isComplete && nameFirst.test(line.trimStart())) starts.push(index)
  }
  return starts
}

/** An entry is inspected this many UTF-16 code units back. */
const maxEntryUnits = 4_000

function isFinished(text: string, start: number, end: number): boolean {
  const entry = text.slice(Math.max(start, end - maxEntryUnits), end)
  return yearPattern.test(entry) && /[.)\]/\d]\s*$/.test(entry)
}

function toSpans(text: string, body: TextSpan, starts: readonly number[]): readonly TextSpan[] {
  const spans = starts.map((at, index) => {
    const from = body.start + at
    const raw = text.slice(from, body.start + (starts[index + 1] ?? body.end - body.start))
    const start = from + raw.length - raw.trimStart().length
    return { start, end: from + raw.trimEnd().length }
  })
  const last = spans.at(-1)
  if (last === undefined) return []
  const usual = usualLength(spans)
  return [...spans.slice(0, -1), { ...last, end: findLastEnd(text, last, usual) }]
}

function usualLength(spans: readonly TextSpan[]): number {
  const lengths = spans.map(({ start, end }) => end - start).sort((one, other) => one - other)
  return lengths[Math.floor(lengths.length / 2)] ?? 0
}

/** Notes, figures and author biographies may follow the list, so the last entry ends with the paragraph that completes it. */
function findLastEnd(text: string, { start, end }: TextSpan, usual: number): number {
  if (end - start <= maxLastRatio * usual) return end
  const entry = text.slice(start, Math.min(end, start + maxEntryUnits))
  for (const { index } of entry.matchAll(/\n\s*\n/g))
    if (index >= usual / 2 && isFinished(text, start, start + index)) return start + index
  return end
}
