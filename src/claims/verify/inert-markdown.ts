/**
 * Makes a Markdown text safe to show: no HTML and no images outside code, so that nothing is loaded or run. The start of a
 * tag is shown as text (`&lt;`), `![1]` stays a citation (`\![1]`), and an address in angle brackets becomes a plain
 * address. Only code that every reader recognizes counts as code; elsewhere the escapes are visible.
 * @see https://spec.commonmark.org/0.31.2/#raw-html
 */
export function toInertMarkdown(text: string): string {
  if (!text.includes('![') && !text.includes('<')) return text
  return mapOutsideCode(text, (part) =>
    part
      .replaceAll(addressInAngles, spaceAddress)
      .replaceAll(tagStart, escapeTag)
      .replaceAll(image, escapeImage),
  )
}

/** Undoes {@link toInertMarkdown} where Markdown is plain text: in a terminal or a comparison. */
export function fromInertMarkdown(text: string): string {
  if (!text.includes('![') && !text.includes('&lt;')) return text
  return mapOutsideCode(text, (part) => part.replaceAll('&lt;', '<').replaceAll('\\![', '!['))
}

/** The start of something that loads, or of something not complete yet. */
const risky = /\\*(?:<(?:[a-z/!?]|$)|!(?:\[|$))|\\+$/i

/**
 * Makes a Markdown text inert while it is being written. Its pieces together equal {@link toInertMarkdown} of the whole:
 * text that may or may not be code is held back until that is decided.
 */
export class InertStream {
  private text = ''
  /** The offset up to which the text was returned, and the length returned. */
  private given = { to: 0, length: 0 }
  private lookedAt = 0

  /** Adds a piece of the text. Returns what can be shown so far. */
  push(piece: string): string {
    this.text += piece
    const plain = this.plain()
    const { length } = this.text
    // The text is decided at line ends; a long one is checked only after it has grown by 1/64.
    const isDue = /[\r\n]/.test(piece) && length - this.lookedAt >= length / 64
    if (this.given.to === length || !isDue) return plain
    this.lookedAt = length
    const decidedTo = findUndecidedStart(this.text)
    if (decidedTo <= this.given.to) return plain
    const shown = toInertMarkdown(this.text.slice(0, decidedTo)).slice(this.given.length)
    this.given = { to: decidedTo, length: this.given.length + shown.length }
    return plain + shown + this.plain()
  }

  /** Returns what was held back and starts over. */
  end(): string {
    const rest = toInertMarkdown(this.text).slice(this.given.length)
    this.text = ''
    this.given = { to: 0, length: 0 }
    this.lookedAt = 0
    return rest
  }

  /** Returns the text before anything risky, which is the same inside and outside code. */
  private plain(): string {
    const { to, length } = this.given
    const open = this.text.slice(to)
    const found = open.search(risky)
    const piece = found < 0 ? open : open.slice(0, found)
    this.given = { to: to + piece.length, length: length + piece.length }
    return piece
  }
}

function mapOutsideCode(text: string, change: (part: string) => string): string {
  const parts: string[] = []
  let from = 0
  for (const { start, end } of findCertainCode(text)) {
    parts.push(change(text.slice(from, start)), text.slice(start, end))
    from = end
  }
  return [...parts, change(text.slice(from))].join('')
}

const tagStart = /(?<!\\)(\\*)<(?=[a-z/!?])/gi
const image = /(?<!\\)(\\*)!(?=\[)/g

/** A backslash before it would not escape it in every reader, and before an entity it would escape that instead. */
function escapeTag(_found: string, backslashes: string): string {
  return `${backslashes.slice(backslashes.length % 2)}&lt;`
}

function escapeImage(found: string, backslashes: string): string {
  return backslashes.length % 2 === 1 ? found : `${backslashes}\\!`
}

const addressInAngles = /(?<=(^|[^\\]))<(https?:\/\/[^\s<>`|\\!*~[\]"']+)>(?=(\S{0,4}))/gi

/** The address alone, with spaces where it would touch adjacent text. */
function spaceAddress(_found: string, before: string, address: string, behind: string): string {
  const isEnd = /^[.,;:!?)*_"']*$/.test(behind)
  return `${/^[\s(*_"']?$/.test(before) ? '' : ' '}${address}${isEnd ? '' : ' '}`
}

/** A part of a text that every Markdown reader shows as code. */
interface CodePart {
  readonly start: number
  readonly end: number
}

interface Line {
  readonly start: number
  /** Without its line break. */
  readonly line: string
}

/**
 * The undisputed code of a Markdown text, in order: closed fences outside quotations, and code spans with single backticks
 * on one line. Readers differ on what interrupts backticks (tables, links, addresses, mathematics): after such a thing
 * nothing counts as code until the paragraph ends, or until the text ends if it can span paragraphs. HTML is not
 * considered: callers remove it from the rest.
 * @see https://spec.commonmark.org/0.31.2/#fenced-code-blocks
 */
export function findCertainCode(text: string): readonly CodePart[] {
  return /[`~]/.test(text) ? readCode(text).found : []
}

/**
 * The offset from which it is undecided what is code in a text still being written: an open fence, otherwise the last
 * line. Text before it is decided.
 */
function findUndecidedStart(text: string): number {
  return readCode(text).openFrom
}

function readCode(text: string): {
  readonly found: readonly CodePart[]
  readonly openFrom: number
} {
  const lines = splitLines(text)
  const found: CodePart[] = []
  let isCertain = true
  const last = lines.length - 1
  let openFrom = lines[last]?.start ?? 0
  for (let at = 0; at < lines.length; at++) {
    const { start, line } = lines[at] as Line
    if (reachesBeyondLine.test(line) || (at === 0 && frontMatter.test(line))) break
    if (!fenceRun.test(line)) {
      if (isCertain) isCertain = addSpans(line, start, found)
      if (line.trim() === '') isCertain = true
      continue
    }
    const close = findClosingLine(lines, at)
    if (close === 'open') return { found, openFrom: start }
    if (close === 'none') break
    const closing = lines[close] as Line
    // Indented further, it may continue a paragraph.
    isCertain = /^ {0,3}[`~]/.test(line)
    if (isCertain) found.push({ start, end: closing.start + closing.line.length })
    if (close === last) openFrom = start
    at = close
  }
  return { found, openFrom }
}

const fenceRun = /`{3}|~{3}/
/** Definitions, mathematics, comments and containers, which may span lines, paragraphs and fences. */
const reachesBeyondLine = /\]:|\$\$|%%|:::/
const frontMatter = /^(?:---|\+\+\+)/

function splitLines(text: string): readonly Line[] {
  const lines: Line[] = []
  let start = 0
  for (const { 0: lineBreak, index } of text.matchAll(/\r\n?|\n/g)) {
    lines.push({ start, line: text.slice(start, index) })
    start = index + lineBreak.length
  }
  return [...lines, { start, line: text.slice(start) }]
}

/**
 * The line that closes the fence opened by line `at`; `open` if none does yet, `none` if readers may disagree: both lines
 * and everything between must have the same indentation, and no line between may look like an end.
 */
function findClosingLine(lines: readonly Line[], at: number): number | 'open' | 'none' {
  const opening = /^([ \t>]*)(`{3,}|~{3,})[^`~]*$/.exec(lines[at]?.line ?? '')
  if (opening === null) return 'none'
  const [, prefix = '', run = ''] = opening
  for (let next = at + 1; next < lines.length; next++) {
    const { line } = lines[next] as Line
    // The last line may not be complete yet.
    const refusal = next === lines.length - 1 ? 'open' : 'none'
    if (!line.startsWith(prefix) && line.trim() !== '') return refusal
    const content = line.slice(prefix.length).trimEnd()
    if (!content.trimStart().startsWith(run)) continue
    return content === run.charAt(0).repeat(content.length) && !line.endsWith('\t') ? next : refusal
  }
  return 'open'
}

const citations = /\\?!?\[\d[\d,;–\s-]*\](?![([:])/g
/** What may contain a backtick that follows: links, mathematics, strokes, tags, addresses. */
const mayTakeUp = /[[\]$~{\\<]|&lt;|:\/\/|www\./i

/** Adds the code spans of a line that starts outside code. Returns whether it certainly also ends outside code. */
function addSpans(line: string, lineStart: number, found: CodePart[]): boolean {
  if (/``|\\`|\|/.test(line)) return false
  const pieces = line.split('`')
  let start = lineStart
  for (const [index, piece] of pieces.entries()) {
    const end = start + piece.length
    const isInside = index % 2 === 1
    if (isInside && index === pieces.length - 1) return false
    if (isInside) found.push({ start: start - 1, end: end + 1 })
    else if (mayTakeUp.test(piece.replaceAll(citations, ''))) return false
    start = end + 1
  }
  return true
}
