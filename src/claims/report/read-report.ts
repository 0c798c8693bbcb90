import { type CitedSentence, citationRun, splitClaims } from '../check/parse-claims.ts'
import { type CitedReference, CitedReferences } from './cited-references.ts'
import { findAddresses, findIdentifierAddresses, findPaths } from './find-addresses.ts'
import { findReportCitations, type ReportCitation } from './find-citations.ts'
import { type ReferenceEntry, readReferenceList } from './reference-list.ts'

/** Something that a report cites. */
export interface Reference {
  /** The report's own number where it has one; what it cites without a number has one from 1000 on, or behind its largest. */
  readonly n: number
  /** As the report writes it: `1`, `^a`, or the address or path itself. */
  readonly label: string
  /** What its list says of it; "" where the list has no such entry. */
  readonly words: string
  readonly urls: readonly string[]
  /** What may be paths of files in its words. */
  readonly paths: readonly string[]
  /** Where it is listed, or else first cited; from 1. */
  readonly line: number
  readonly isListed: boolean
  readonly isCited: boolean
}

/** A sentence of a report; `citations` are numbers of its {@link Reference}s. */
export interface ReportSentence extends CitedSentence {
  /** From 1, in the report. */
  readonly line: number
}

/** What a report says and what it cites. */
export interface Report {
  readonly sentences: readonly ReportSentence[]
  /** By number. */
  readonly references: readonly Reference[]
}

/** How a report is read. */
export interface ReadReportOptions {
  /** Whether links and bare addresses cite, not only numbers, names and footnotes. Default `true`. */
  readonly areLinksRead?: boolean
}

/**
 * Reads any Markdown with citations: `[1]`, `[1, 2]`, `[1, p. 5]`, `【1】`, footnotes `[^a]`, keys `[@a]`, names `[name]` that are
 * defined, `[!CITE_1!]`, links, bare addresses, DOIs and arXiv ids; with a list of references or definitions, or none. Not read are
 * author–year citations ("Smith, 2020") and addresses in HTML tags.
 */
export function readReport(markdown: string, options: ReadReportOptions = {}): Report {
  const text = markdown.replace(/^\ufeff/, '').replaceAll('\r\n', '\n')
  const entries = readReferenceList(text)
  const cited = new CitedReferences(entries)
  const body = normalizeCitationForms(blankEntries(text, entries), (label) => cited.isListed(label))
  const { areLinksRead = true } = options
  const numbered = numberCitations(body, cited, areLinksRead)
  const lines = lineStarts(text)
  const sentences = splitClaims(numbered.text).map((sentence) => {
    const start = numbered.startOf(sentence.start)
    const end = numbered.endOf(sentence.end)
    return { ...sentence, text: text.slice(start, end), start, end, line: lineAt(lines, start) }
  })
  return { sentences, references: cited.all().map((one) => toReference(one, lines)) }
}

/** The report with empty lines for the entries of its list. */
function blankEntries(text: string, entries: readonly ReferenceEntry[]): string {
  const lines = text.split('\n')
  for (const { line, lastLine } of entries)
    for (let at = line - 1; at < lastLine; at++) lines[at] = ' '.repeat(lines[at]?.length ?? 0)
  return lines.join('\n')
}

function toReference(
  { n, entry, label, url, path, at }: CitedReference,
  lines: readonly number[],
): Reference {
  const words = entry?.words ?? ''
  const isCited = at >= 0
  const place = [...(url === undefined ? [] : [url]), ...findAddresses(words)]
  return {
    n,
    label,
    words,
    urls: [...new Set([...place, ...findIdentifierAddresses(words)])],
    paths: [...(path === undefined ? [] : [path]), ...findPaths(words)],
    line: entry?.line ?? lineAt(lines, at),
    isListed: entry !== undefined || url !== undefined || path !== undefined,
    isCited,
  }
}

interface Numbered {
  readonly text: string
  /** Where in the report a sentence starts that starts here in the text. */
  startOf(at: number): number
  /** Where in the report a sentence ends that ends here in the text. */
  endOf(at: number): number
}

/** A piece of the text that starts `at` there and comes `from` there in the report; a citation as a whole. */
interface Piece {
  readonly at: number
  readonly from: number
  readonly markEnd?: number
}

/** The report with every citation as `[n]`, without code, and nothing else in brackets that could be taken for one. */
function numberCitations(text: string, cited: CitedReferences, areLinksRead: boolean): Numbered {
  const { spans, citations } = findReportCitations(text, cited)
  const pieces: Piece[] = []
  let numbered = ''
  const copy = (from: number, end: number): void => {
    if (from >= end) return
    pieces.push({ at: numbered.length, from })
    numbered += text.slice(from, end).replace(citationRun, inParentheses)
  }
  let next = 0
  for (const { kind, start, end } of spans) {
    let from = start
    for (; (citations[next]?.start ?? Infinity) < end; next++) {
      const citation = citations[next] as ReportCitation
      if (citation.start < from || (!areLinksRead && citation.keys === undefined)) continue
      if (!cited.cites(citation)) continue
      copy(from, citation.start)
      pieces.push({ at: numbered.length, from: citation.start, markEnd: citation.end })
      // A mark right behind a word ("leaves[^a].") would be taken for an index of an array.
      const marks = cited.numbersOf(citation).map((n) => `[${n}]`)
      numbered += `${citation.words} ${marks.join('')}`
      from = citation.end
    }
    if (kind === 'text') copy(from, end)
    else {
      pieces.push({ at: numbered.length, from: start })
      numbered += text.slice(start, end).replace(/[^\n]/g, ' ')
    }
  }
  return withReportOffsets(numbered, pieces)
}

function inParentheses(run: string): string {
  return run.replaceAll('[', '(').replaceAll(']', ')')
}

function withReportOffsets(text: string, pieces: readonly Piece[]): Numbered {
  const pieceAt = (at: number): Piece =>
    pieces[lastAtOrBefore(pieces, at, (piece) => piece.at)] ?? { at: 0, from: 0 }
  return {
    text,
    startOf(at) {
      const piece = pieceAt(at)
      return piece.markEnd === undefined ? piece.from + at - piece.at : piece.from
    },
    endOf(at) {
      const piece = pieceAt(at - 1)
      return piece.markEnd ?? piece.from + at - piece.at
    },
  }
}

/** Where each line of a text starts. */
function lineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** The line of an offset, from 1. */
function lineAt(starts: readonly number[], offset: number): number {
  return lastAtOrBefore(starts, offset, (start) => start) + 1
}

/** The index of the last item at or before a place, of items in order; 0 where all are behind it. */
function lastAtOrBefore<T>(
  items: readonly T[],
  place: number,
  placeOf: (item: T) => number,
): number {
  let low = 0
  let high = items.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (placeOf(items[middle] as T) <= place) low = middle
    else high = middle - 1
  }
  return low
}

/**
 * A report with the forms of citations that only some write as those that all do, at the same length: 【1†source】, `[1, p. 5]`,
 * `[1](#ref-1)`, `[[1]](#cite_note-1)`, `<sup>1</sup>` of a number that is listed; and without HTML comments.
 */
function normalizeCitationForms(text: string, isListed: (label: string) => boolean): string {
  return blankComments(text)
    .replace(/【(\d{1,4})(?:[†:][^【】\n]{0,80})?】/g, (all, n: string) => padTo(`[${n}]`, all))
    .replace(/\[(\d{1,4}),\s?(?:pp?|ch|sec|fig|§|S)\.?\s?[^[\]\n]{1,30}\]/gi, (all, n: string) =>
      padTo(`[${n}]`, all),
    )
    .replace(/\[\[(\d{1,4})\]\](?:\([^()\s]{0,300}\))?/g, (all, n: string) => padTo(` [${n}]`, all))
    .replace(/\[(\d{1,4})\]\(#[^()\s]{0,300}\)/g, (all, n: string) => padTo(`[${n}]`, all))
    .replace(/<sup>\[?(\d{1,4})\]?<\/sup>/gi, (all, n: string) =>
      isListed(n) ? padTo(` [${n}]`, all) : all,
    )
}

function padTo(form: string, all: string): string {
  return form.padEnd(all.length)
}

/** The text with spaces for HTML comments, lines kept. */
function blankComments(text: string): string {
  let kept = ''
  let from = 0
  for (let at = text.indexOf('<!--'); at >= 0; at = text.indexOf('<!--', from)) {
    const end = text.indexOf('-->', at + 4)
    if (end < 0) break
    kept += text.slice(from, at) + text.slice(at, end + 3).replace(/[^\n]/g, ' ')
    from = end + 3
  }
  return kept + text.slice(from)
}
