import { toMarkdownTarget } from './addresses.ts'
import { readBlocks, type Span } from './blocks.ts'
import { toSiteName } from './canonical-url.ts'
import type { CitationFormat, CitedText } from './cited-text.ts'
import type { Definition } from './definition.ts'
import { Numbering } from './numbering.ts'
import { scanSpan } from './scan.ts'
import type { Labels, Token } from './token.ts'

/**
 * Parses the citations of a text in any form (docs/citations.md). `known` says which numbers exist without being defined
 * in the text, such as those of the conversation's index. Other undefined numbers and everything in code stay unchanged.
 * Takes time linear in the text's length and never throws.
 */
export function parseCitations(
  text: string,
  known: (n: number) => boolean = () => false,
): CitedText {
  const { spans, definitions } = readBlocks(text, true, known)
  const numbering = new Numbering(definitions, known)
  const labels: Labels = {
    isMark: (n) => numbering.has(String(n)),
    isNumber: (n) => numbering.has(String(n)),
    isName: (key) => numbering.has(key),
  }
  const writer = new CitationWriter(text, numbering)
  const tokens: Token[] = []
  for (const span of spans) {
    tokens.length = 0
    if (span.kind === 'text') scanSpan(text, span, labels, tokens)
    writer.writeSpan(span, tokens)
  }
  for (const definition of definitions) numbering.addDefinition(definition)
  const written = writer.finish()
  return {
    text: definitions.length > 0 ? written.replace(/^(?:[ \t\r]*\n)+/, '').trimEnd() : written,
    entries: numbering.entries,
    format: writer.format(definitions),
  }
}

/** The end of a number that cites nothing. A mark directly after it would become its label. */
const literalEnd = /\d\]$/

/** Rewrites a text with marks of local numbers in place of its citations. */
class CitationWriter {
  readonly #text: string
  readonly #numbering: Numbering
  readonly #parts: string[] = []
  /** Marks that cite nothing: the index of their part and their number. */
  readonly #unknown: { readonly index: number; readonly n: number }[] = []
  readonly #counts = { markdown: 0, llm: 0, 'xml-idx': 0, 'xml-url': 0 }

  constructor(text: string, numbering: Numbering) {
    this.#text = text
    this.#numbering = numbering
  }

  writeSpan({ start, end, hasBreak }: Span, tokens: readonly Token[]): void {
    if (hasBreak) this.#parts.push('\n')
    let from = start
    for (const token of tokens) {
      if (token.start > from) this.#parts.push(this.#text.slice(from, token.start))
      if (token.kind === 'url' || token.kind === 'numbers') this.#separate(token.start, from)
      if (token.start === from && literalEnd.test(this.#parts.at(-1) ?? '')) this.#parts.push(' ')
      if (token.kind === 'unknown')
        this.#unknown.push({ index: this.#parts.length, n: Number(token.keys?.[0]) })
      this.#parts.push(this.#replacement(token))
      this.#count(token)
      from = token.end
    }
    if (end > from) this.#parts.push(this.#text.slice(from, end))
  }

  /** The rewritten text. A mark that cites nothing stays as written, unless it would be confused with a local number. */
  finish(): string {
    const count = this.#numbering.entries.length
    for (const { index, n } of this.#unknown) {
      const part = this.#parts[index] ?? ''
      if (n >= 1 && n <= count)
        this.#parts[index] = part.startsWith('[') ? `\\[!CITE_${n}!\\]` : `idx=${n}`
    }
    return this.#parts.join('')
  }

  /** The most frequent form of the citations; of equal counts, the first. */
  format(definitions: readonly Definition[]): CitationFormat {
    const counts = { ...this.#counts }
    for (const { isMark } of definitions) counts[isMark ? 'llm' : 'markdown']++
    const formats = ['markdown', 'llm', 'xml-idx', 'xml-url'] as const
    const most = Math.max(...Object.values(counts))
    return most === 0 ? 'plain' : (formats.find((format) => counts[format] === most) ?? 'plain')
  }

  #count({ kind, url, keys = [] }: Token): void {
    if (kind === 'mark') this.#counts.llm++
    else if (kind === 'attribute') this.#counts[url === undefined ? 'xml-idx' : 'xml-url']++
    else if (kind === 'link' || kind === 'name') this.#counts.markdown++
    else if (kind === 'numbers') this.#counts.markdown += keys.length
  }

  /**
   * Prevents an address or list of numbers, once it is a mark, from becoming the label of bracketed words before it or an
   * escaped bracket.
   */
  #separate(at: number, from: number): void {
    if (at === from || this.#text.charCodeAt(at) === 40) return
    const before = this.#text.charCodeAt(at - 1)
    if (before === 93) this.#parts.push(' ')
    let start = at
    while (start > from && this.#text.charCodeAt(start - 1) === 92) start--
    if ((at - start) % 2 === 1) this.#parts.push('\\')
  }

  #replacement(token: Token): string {
    const { kind, start, end, url, title, keys = [], words } = token
    if (kind === 'unknown') return this.#text.slice(start, end)
    if (kind === 'image') return this.#image(token)
    if (kind === 'numbers') return this.#marks(keys)
    const key = keys[0] ?? ''
    const number =
      url === undefined
        ? this.#numbering.numberOfLabel(key)
        : this.#numbering.numberOfUrl(url, title)
    if (kind === 'attribute') return `idx="${number}"`
    const address = url ?? this.#numbering.urlOf(key)
    const isSaid = words === undefined || (address !== undefined && words === toSiteName(address))
    return isSaid ? `[!CITE_${number}!]` : `[${escapeMarks(words)}][!CITE_${number}!]`
  }

  /** Numbers that cite nothing go after those that do. */
  #marks(keys: readonly string[]): string {
    const marks = new Set<string>()
    const others: string[] = []
    for (const key of keys) {
      const number = this.#numbering.numberOfLabel(key)
      if (number === undefined) others.push(`[${key}]`)
      else marks.add(`[!CITE_${number}!]`)
    }
    return [...marks, ...others].join('')
  }

  #image({ start, end, words, keys }: Token): string {
    const url = keys?.[0] === undefined ? undefined : this.#numbering.urlOf(keys[0])
    const image =
      url === undefined ? this.#text.slice(start, end) : `![${words}](${toMarkdownTarget(url)})`
    return escapeMarks(image)
  }
}

/** Escapes marks in linked words, where they cite nothing. */
function escapeMarks(words: string): string {
  return words.replace(/(?<!\\)\[!CITE_(\d{1,9})!\]/g, '\\[!CITE_$1!\\]')
}
