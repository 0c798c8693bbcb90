import { type Definition, readDefinition } from './definition.ts'
import { indexDefinitions, resolveLabel } from './numbering.ts'

/** The parts of a text that matter for citations. */
export interface Blocks {
  /** The spans of the text that are kept, in order. Everything else is removed, except text between spans. */
  readonly spans: readonly Span[]
  readonly definitions: readonly Definition[]
  /** The mark that would close the code block in which the text ends; otherwise "". */
  readonly openFence: string
}

/** A part of the text that is kept: `text` is searched for citations and ends with its paragraph; `code` is not searched. */
export interface Span {
  readonly kind: 'text' | 'code'
  readonly start: number
  readonly end: number
  /** Whether a line break replaces removed text between two paragraphs. */
  readonly hasBreak?: boolean
}

interface Line {
  readonly start: number
  /** The offset after the line break. */
  readonly end: number
  readonly kind: 'text' | 'code' | 'blank' | 'definition' | 'title'
  /** Whether no code span or link continues from the line before. */
  readonly isFirst: boolean
}

/**
 * Reads the paragraphs, code blocks and definitions of a text. Definitions are only read if requested; one that refers to
 * a mark without a meaning is not a definition.
 */
export function readBlocks(
  text: string,
  hasDefinitions: boolean,
  isKnown: (n: number) => boolean = () => false,
): Blocks {
  const first = readLines(text, () => hasDefinitions)
  const defined = indexDefinitions(first.definitions)
  const isMeant = ({ alias }: Definition) =>
    alias === undefined || resolveLabel(alias, defined, isKnown) !== undefined
  // Read again, since the meaning of a line depends on whether the line before is a definition.
  const read = first.definitions.every(isMeant) ? first : readLines(text, isMeant)
  const { lines, definitions, openFence } = read
  return { spans: readSpans(dropEmptyLists(lines, text)), definitions, openFence }
}

interface ReadLines {
  readonly lines: readonly Line[]
  readonly definitions: readonly Definition[]
  readonly openFence: string
}

function readLines(text: string, accepts: (definition: Definition) => boolean): ReadLines {
  const reader = new LineReader(text, accepts)
  const lines: Line[] = []
  for (let start = 0; start < text.length; ) {
    const at = text.indexOf('\n', start)
    const end = at < 0 ? text.length : at + 1
    lines.push(reader.read(start, end))
    start = end
  }
  return { lines, definitions: reader.definitions, openFence: reader.openFence }
}

/** The lines without headings of lists whose entries were all removed. */
function dropEmptyLists(lines: readonly Line[], text: string): readonly Line[] {
  const empty = new Set<Line>()
  for (const [index, title] of lines.entries()) {
    if (title.kind !== 'title') continue
    let at = index + 1
    let count = 0
    while (lines[at]?.kind === 'blank' || lines[at]?.kind === 'definition') {
      if (lines[at++]?.kind === 'definition') count++
    }
    const next = lines[at]
    const isEnd = next === undefined || next.kind === 'title' || /^#/.test(text.slice(next.start))
    if (count > 0 && isEnd) empty.add(title)
  }
  return empty.size === 0
    ? lines
    : lines.map((line) => (empty.has(line) ? { ...line, kind: 'definition' as const } : line))
}

/** Joins lines to spans. Of the blank lines around removed text, those before it are kept. */
function readSpans(lines: readonly Line[]): readonly Span[] {
  const spans: Span[] = []
  let open: { kind: 'text' | 'code'; start: number; end: number; hasBreak?: boolean } | undefined
  let wasBlank = true
  let isAfterCut = false
  for (const { start, end, kind, isFirst } of lines) {
    if (kind === 'definition' || (kind === 'blank' && isAfterCut && wasBlank)) {
      open = undefined
      isAfterCut = true
      continue
    }
    const spanKind = kind === 'code' || kind === 'blank' ? 'code' : 'text'
    const hasBreak = isAfterCut && !wasBlank && kind !== 'blank'
    if (open?.kind === spanKind && !isFirst) open.end = end
    else {
      open = { kind: spanKind, start, end, ...(hasBreak && { hasBreak }) }
      spans.push(open)
    }
    wasBlank = kind === 'blank'
    isAfterCut = false
  }
  return spans
}

/** Whether a text ends with the heading of a reference list. */
export function endsInTitle(text: string): boolean {
  const trimmed = text.trimEnd()
  return referenceHeading.test(trimmed.slice(trimmed.lastIndexOf('\n') + 1))
}

const entryOfReferences = /^\s*(?:>\s*)*(?:[-*+•]|\d{1,3}[.)]|\[[^\]\n]{1,40}\])/
/** "> " before a line, once for each level of quotation. */
const quotePrefix = /^(?:[ \t]{0,3}>[ \t]?)+/
const itemMark = /^(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)/
const fenceMark = /^(?:`{3,}(?=[^`]*$)|~{3,})/
const maxIndent = 3

/** Classifies lines one after another. */
class LineReader {
  readonly #text: string
  readonly #accepts: (definition: Definition) => boolean
  readonly #definitions: Definition[] = []
  #fence = ''
  #quotes = 0
  #itemIndent = 0
  #isInParagraph = false
  #isInReferences = false

  constructor(text: string, accepts: (definition: Definition) => boolean) {
    this.#text = text
    this.#accepts = accepts
  }

  get definitions(): readonly Definition[] {
    return this.#definitions
  }

  /** Code in a quotation ends with the quotation. */
  get openFence(): string {
    return this.#quotes === 0 ? this.#fence : ''
  }

  read(start: number, end: number): Line {
    const line = this.#text.slice(start, findLineEnd(this.#text, start, end))
    const quoted = quotePrefix.exec(line)?.[0] ?? ''
    const quotes = quoted === '' ? 0 : quoted.split('>').length - 1
    const isDeeper = quotes !== this.#quotes
    if (this.#fence !== '' && quotes < this.#quotes) this.#fence = ''
    this.#quotes = quotes
    const rest = line.slice(quoted.length)
    if (this.#fence !== '') return this.#fenced(rest, start, end)
    if (rest.trim() === '') {
      this.#isInParagraph = false
      return { start, end, kind: quoted === '' ? 'blank' : 'code', isFirst: false }
    }
    return this.#filled(line, quoted.length, start, end, isDeeper)
  }

  #fenced(rest: string, start: number, end: number): Line {
    const content = rest.trim()
    if (content.startsWith(this.#fence) && content === content.charAt(0).repeat(content.length))
      this.#fence = ''
    return { start, end, kind: 'code', isFirst: false }
  }

  #filled(line: string, from: number, start: number, end: number, isDeeper: boolean): Line {
    const wasInParagraph = this.#isInParagraph
    const itemIndent = this.#itemIndent
    const { content, isItem, isCode } = this.#container(line, from)
    if (isCode) return { start, end, kind: 'code', isFirst: false }
    const rest = line.slice(content)
    this.#fence = fenceMark.exec(rest)?.[0] ?? ''
    if (this.#fence !== '') {
      this.#isInParagraph = false
      return { start, end, kind: 'code', isFirst: true }
    }
    const isTitle = referenceHeading.test(line)
    const isHeading = isTitle || /^#{1,6}(?:[ \t]|$)/.test(rest)
    if (isHeading) this.#isInReferences = isTitle
    if (rest.charCodeAt(0) === 91 && this.#define(start + content, start + line.length)) {
      this.#isInParagraph = false
      // What follows is read as if the definition were already removed.
      this.#itemIndent = itemIndent
      return { start, end, kind: 'definition', isFirst: true }
    }
    if (!isHeading && !entryOfReferences.test(line)) this.#isInReferences = false
    this.#isInParagraph = !isHeading
    const isFirst = !wasInParagraph || isItem || isHeading || isDeeper
    return { start, end, kind: isTitle ? 'title' : 'text', isFirst }
  }

  /** The offset of a line's content after list marks, and whether it is indented code. */
  #container(line: string, from: number): { content: number; isItem: boolean; isCode: boolean } {
    let content = from
    let isItem = false
    let indent = measureIndent(line, content)
    if (indent.width < this.#itemIndent && !this.#isInParagraph) this.#itemIndent = 0
    if (indent.width > this.#itemIndent + maxIndent && !this.#isInParagraph)
      return { content, isItem, isCode: true }
    for (content = indent.end; ; content = indent.end) {
      const mark = itemMark.exec(line.slice(content, content + 11))?.[0]
      if (mark === undefined) break
      isItem = true
      const inner = measureIndent(line, content + mark.length)
      const gap = inner.width > maxIndent + 1 || inner.end === line.length ? 1 : inner.width
      this.#itemIndent = indent.width + mark.length + gap
      const isCode = inner.width > maxIndent + 1
      if (isCode) return { content: inner.end, isItem, isCode }
      indent = { width: this.#itemIndent, end: inner.end }
    }
    return { content, isItem, isCode: false }
  }

  #define(from: number, to: number): boolean {
    const definition = readDefinition(this.#text, from, to, this.#isInReferences)
    if (definition === undefined || !this.#accepts(definition)) return false
    this.#definitions.push(definition)
    return true
  }
}

function findLineEnd(text: string, start: number, end: number): number {
  const at = text.charCodeAt(end - 1) === 10 ? end - 1 : end
  return at > start && text.charCodeAt(at - 1) === 13 ? at - 1 : at
}

function measureIndent(line: string, from: number): { width: number; end: number } {
  let width = 0
  let end = from
  for (; end < line.length; end++) {
    const character = line.charAt(end)
    if (character === ' ') width++
    else if (character === '\t') width += 4 - (width % 4)
    else break
  }
  return { width, end }
}

/** The heading of a reference list: "References", "Sources:", "**Works cited**", and the same in other common languages. */
export const referenceHeading = new RegExp(
  `^[\\s#*_]*(?:\\d{1,2}\\.?\\s)?(?:${[
    'references?|sources?|bibliography|citations?|works cited|literature(?: cited)?|further reading',
    'literatur(?:verzeichnis|liste)?|quellen(?:verzeichnis|angaben)?|referenzen|einzelnachweise',
    'références?|bibliographie|sources citées',
    'referencias|bibliografía|fuentes|referências|bibliografia|fontes|riferimenti|fonti',
    'referenties|bronnen|literatuur|referenser|källor|kilder|lähteet|źródła|kaynakça|kaynaklar',
    'литература|источники|список литературы|джерела',
    '参考文献|参考资料|參考文獻|参考資料|引用文献|文献|来源|來源|出典|참고문헌|참고 문헌|출처|المراجع|संदर्भ',
  ].join('|')})[\\s#*_:：]*$`,
  'iu',
)
