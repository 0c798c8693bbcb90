import { blocksOf } from '../markup/blocks.ts'
import { canonicalUrl } from '../markup/canonical-url.ts'
import { scanSpan } from '../markup/scan.ts'
import type { Token } from '../markup/token.ts'
import { type CitedSentence, splitClaims } from '../parse-claims.ts'
import { addressesIn, pathsIn } from './addresses-in.ts'
import { type ReferenceEntry, readReferenceList } from './reference-list.ts'

/** Something that a report cites. */
export interface Reference {
  /** From 1, in the order in which the report cites them; what it lists and never cites comes last. */
  readonly n: number
  /** As the report writes it: `1`, `^a`, or the address itself. */
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
  readonly references: readonly Reference[]
}

/**
 * Reads any Markdown with citations: `[1]`, `[1, 2]`, footnotes `[^a]`, names `[name]` that are defined, `[!CITE_1!]`, links
 * and bare addresses; with a list of references or definitions, or none. Addresses in HTML tags and author–year citations
 * ("Smith, 2020") are not read.
 */
export function readReport(markdown: string): Report {
  const text = markdown.replaceAll('\r\n', '\n')
  const entries = readReferenceList(text)
  const cited = new CitedReferences(entries)
  const numbered = numberCitations(withoutEntries(text, entries), cited)
  const lines = lineStarts(text)
  const sentences = splitClaims(numbered.text).map((sentence) => {
    const start = numbered.startOf(sentence.start)
    const end = numbered.endOf(sentence.end)
    return { ...sentence, text: text.slice(start, end), start, end, line: lineAt(lines, start) }
  })
  return { sentences, references: cited.all(lines) }
}

/** The report with empty lines for the entries of its list. */
function withoutEntries(text: string, entries: readonly ReferenceEntry[]): string {
  const lines = text.split('\n')
  for (const { line, lastLine } of entries)
    for (let at = line - 1; at < lastLine; at++) lines[at] = ' '.repeat(lines[at]?.length ?? 0)
  return lines.join('\n')
}

/** A larger number in brackets is a year or an amount, unless the report lists it. */
const largestUnlisted = 999

class CitedReferences {
  readonly #entries: ReadonlyMap<string, ReferenceEntry>
  readonly #numbers = new Map<string, { n: number; at: number; url?: string }>()

  constructor(entries: readonly ReferenceEntry[]) {
    this.#entries = new Map(entries.map((entry) => [entry.key, entry]))
  }

  isMark(): boolean {
    return true
  }

  /** Every number is read; which of them cite says {@link cites}. */
  isNumber(): boolean {
    return true
  }

  isName(key: string): boolean {
    return this.#entries.has(key)
  }

  cites({ kind, keys = [] }: Token): boolean {
    const isKnown = (key: string) => this.#entries.has(key) || Number(key) <= largestUnlisted
    return kind !== 'numbers' || keys.some(isKnown)
  }

  numbersOf({ keys = [], url, start }: Token): readonly number[] {
    const found = url === undefined ? keys : [`url ${canonicalUrl(url)}`]
    return found.map((key: string) => {
      const known = this.#numbers.get(key)
      if (known !== undefined) return known.n
      const n = this.#numbers.size + 1
      this.#numbers.set(key, { n, at: start, ...(url === undefined ? {} : { url }) })
      return n
    })
  }

  all(lines: readonly number[]): readonly Reference[] {
    const cited = [...this.#numbers].map(([key, { n, at, url }]): Reference => {
      const entry = this.#entries.get(key)
      const line = entry?.line ?? lineAt(lines, at)
      const label = url ?? entry?.label ?? key
      return { ...described(entry, url), n, label, line, isCited: true }
    })
    const rest = [...this.#entries.values()].filter(({ key }) => !this.#numbers.has(key))
    const uncited = rest.map((entry, index): Reference => {
      const n = cited.length + index + 1
      return {
        ...described(entry, undefined),
        n,
        label: entry.label,
        line: entry.line,
        isCited: false,
      }
    })
    return [...cited, ...uncited]
  }
}

function described(
  entry: ReferenceEntry | undefined,
  url: string | undefined,
): Pick<Reference, 'words' | 'urls' | 'paths' | 'isListed'> {
  const words = entry?.words ?? ''
  const urls = url === undefined ? addressesIn(words) : [url]
  return { words, urls, paths: pathsIn(words), isListed: entry !== undefined || url !== undefined }
}

interface Numbered {
  readonly text: string
  /** Where in the report a sentence starts that starts here in the text. */
  startOf(at: number): number
  /** Where in the report a sentence ends that ends here in the text. */
  endOf(at: number): number
}

/** A piece of the text that starts `at` there and comes `from` there in the report; a mark as a whole. */
interface Piece {
  readonly at: number
  readonly from: number
  readonly markEnd?: number
}

/** The report with every citation as `[n]`. */
function numberCitations(text: string, cited: CitedReferences): Numbered {
  const tokens: Token[] = []
  for (const span of blocksOf(text, false).spans)
    if (span.kind === 'text') scanSpan(text, span, cited, tokens)
  const pieces: Piece[] = []
  let numbered = ''
  let from = 0
  const copyTo = (end: number): void => {
    pieces.push({ at: numbered.length, from })
    numbered += text.slice(from, end)
  }
  for (const token of tokens) {
    if (token.kind === 'attribute' || token.kind === 'image') continue
    copyTo(token.start)
    pieces.push({ at: numbered.length, from: token.start, markEnd: token.end })
    numbered += cited.cites(token) ? marked(token, cited) : `(${token.keys?.join(', ')})`
    from = token.end
  }
  copyTo(text.length)
  return {
    text: numbered,
    startOf(at) {
      const piece = pieceAt(pieces, at)
      return piece.markEnd === undefined ? piece.from + at - piece.at : piece.from
    },
    endOf(at) {
      const piece = pieceAt(pieces, at - 1)
      return piece.markEnd ?? piece.from + at - piece.at
    },
  }
}

function marked(token: Token, cited: CitedReferences): string {
  const marks = cited.numbersOf(token).map((n) => `[${n}]`)
  // A mark right behind a word ("leaves[^a].") would be taken for an index of an array.
  return `${token.words ?? ''} ${marks.join('')}`
}

function pieceAt(pieces: readonly Piece[], at: number): Piece {
  let low = 0
  let high = pieces.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((pieces[middle] as Piece).at <= at) low = middle
    else high = middle - 1
  }
  return pieces[low] ?? { at: 0, from: 0 }
}

function lineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

function lineAt(starts: readonly number[], offset: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] as number) <= offset) low = middle
    else high = middle - 1
  }
  return low + 1
}
