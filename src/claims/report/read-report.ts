import { type CitedSentence, citationRun, splitClaims } from '../check/parse-claims.ts'
import { type CitedReference, CitedReferences } from './cited-references.ts'
import { findAddresses, findIdentifierAddresses, findPaths } from './find-addresses.ts'
import { findReportCitations, type ReportCitation } from './find-citations.ts'
import { type ReferenceEntry, readReferenceList } from './reference-list.ts'

/** Something that a report cites. */
export interface Reference {
  /** The report's own number if it has one; otherwise a number from 1000 on, or after its largest. */
  readonly n: number
  /** The label in the report: `1`, `^a`, or the address or path itself. */
  readonly label: string
  /** Its entry in the report's list; "" if there is none. */
  readonly words: string
  readonly urls: readonly string[]
  /** Possible file paths in its entry. */
  readonly paths: readonly string[]
  /** The line of its entry, otherwise of its first citation; from 1. */
  readonly line: number
  readonly isListed: boolean
  readonly isCited: boolean
}

/** A sentence of a report; `citations` are numbers of its {@link Reference}s. */
export interface ReportSentence extends CitedSentence {
  /** In the report, from 1. */
  readonly line: number
}

/** What a report says and cites. */
export interface Report {
  readonly sentences: readonly ReportSentence[]
  /** By number. */
  readonly references: readonly Reference[]
}

/** How to read a report. */
export interface ReadReportOptions {
  /** Whether links and bare addresses are citations, not only numbers, names and footnotes. Default `true`. */
  readonly areLinksRead?: boolean
}

/**
 * Reads any Markdown with citations: `[1]`, `[1, 2]`, `[1, p. 5]`, `【1】`, footnotes `[^a]`, keys `[@a]`, defined names
 * `[name]`, `[!CITE_1!]`, links, bare addresses, DOIs and arXiv ids; with or without a list of references or definitions.
 * It does not read author–year citations ("Smith, 2020") or addresses in HTML tags.
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

/** The report with blank lines for the entries of its list. */
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
  /** The offset in the report of a sentence that starts at `at` in the text. */
  startOf(at: number): number
  /** The offset in the report of a sentence that ends at `at` in the text. */
  endOf(at: number): number
}

/** A piece of the text that starts at `at` in it and at `from` in the report; a citation is one piece, ending at `markEnd`. */
interface Piece {
  readonly at: number
  readonly from: number
  readonly markEnd?: number
}

/** The report with every citation as `[n]`, without code, and without other brackets that look like citations. */
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
      // A mark directly after a word ("leaves[^a].") would look like an array index.
      const marks = cited.numbersOf(citation).map((n) => `[${n}]`)
      const said = numbered + citation.words
      numbered = `${said}${/\s$/.test(said) ? '' : ' '}${marks.join('')}`
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

/** The offset of each line of a text. */
function lineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** The line of an offset, from 1. */
function lineAt(starts: readonly number[], offset: number): number {
  return lastAtOrBefore(starts, offset, (start) => start) + 1
}

/** The index of the last item at or before a position, for sorted items; 0 if all come after it. */
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
 * A report with unusual citation forms replaced by usual ones of the same length: 【1†source】, `[1, p. 5]`, `[1](#ref-1)`,
 * `[[1]](#cite_note-1)`, `<sup>1</sup>` with a listed number; HTML comments become spaces.
 */
function normalizeCitationForms(text: string, isListed: (label: string) => boolean): string {
  return blankComments(text)
    .replace(/【(\d{1,4})(?:[†:][^【】\n]{0,80})?】/g, (all, n: string) => padTo(`[${n}]`, all))
    .replace(/\[(\d{1,4}),\s?(?:pp?|ch|sec|fig|§|S)\.?\s?[^[\]\n]{1,30}\]/gi, (all, n: string) =>
      padTo(`[${n}]`, all),
    )
    .replace(
      /\[\[(\d{1,4})\]\](?:\([^()\s]{0,300}\))?/g,
      (all, n: string, at: number, whole: string) => padTo(apart(n, at, whole), all),
    )
    .replace(/\[(\d{1,4})\]\(#[^()\s]{0,300}\)/g, (all, n: string) => padTo(`[${n}]`, all))
    .replace(/<sup>\[?(\d{1,4})\]?<\/sup>/gi, (all, n: string, at: number, whole: string) =>
      isListed(n) ? padTo(apart(n, at, whole), all) : all,
    )
}

/** `[n]` for `at` in the text, behind a space unless one is there. */
function apart(n: string, at: number, whole: string): string {
  return /\s/.test(whole.charAt(at - 1)) ? `[${n}]` : ` [${n}]`
}

function padTo(form: string, all: string): string {
  return form.padEnd(all.length)
}

/** The text with spaces for HTML comments; line breaks stay. */
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
