/**
 * A Markdown text that loads and runs nothing by being shown: outside of code there is no HTML in it and no image. What could begin
 * a tag is seen as it was written (`&lt;`), an exclamation before a bracket too (`\![1]` is still a citation), and an address in
 * angles is the address. Code is what every reader takes for it; in other code the signs are seen as they are written here.
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

/** What {@link toInertMarkdown} was given, as it is shown where Markdown is no more than text: in a terminal, or to be compared. */
export function fromInertMarkdown(text: string): string {
  if (!text.includes('![') && !text.includes('&lt;')) return text
  return mapOutsideCode(text, (part) => part.replaceAll('&lt;', '<').replaceAll('\\![', '!['))
}

/** What may begin something that loads, or the rest of which is not there yet. */
const risky = /\\*(?:<(?:[a-z/!?]|$)|!(?:\[|$))|\\+$/i

/**
 * A Markdown text while it is written, as pieces that are together what {@link toInertMarkdown} makes of the whole: what may or may
 * not stand in code is held back until that is decided.
 */
export class InertStream {
  private text = ''
  /** Up to where the text was given, and how long that became. */
  private given = { to: 0, length: 0 }
  private lookedAt = 0

  /** Takes a piece of the text. Gives what can be shown by now. */
  push(piece: string): string {
    this.text += piece
    const plain = this.plain()
    const { length } = this.text
    // Whatever is decided is so at the end of a line; a long text is looked at when it has grown by a part of itself.
    const isDue = /[\r\n]/.test(piece) && length - this.lookedAt >= length / 64
    if (this.given.to === length || !isDue) return plain
    this.lookedAt = length
    const decidedTo = findUndecidedStart(this.text)
    if (decidedTo <= this.given.to) return plain
    const shown = toInertMarkdown(this.text.slice(0, decidedTo)).slice(this.given.length)
    this.given = { to: decidedTo, length: this.given.length + shown.length }
    return plain + shown + this.plain()
  }

  /** Gives what was held back, as the end of the text, and begins anew. */
  end(): string {
    const rest = toInertMarkdown(this.text).slice(this.given.length)
    this.text = ''
    this.given = { to: 0, length: 0 }
    this.lookedAt = 0
    return rest
  }

  /** Gives the text up to where it is risky, which is the same in code and out of it. */
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

/** A backslash before it would not escape in every reader, and before an entity escape that instead. */
function escapeTag(_found: string, backslashes: string): string {
  return `${backslashes.slice(backslashes.length % 2)}&lt;`
}

function escapeImage(found: string, backslashes: string): string {
  return backslashes.length % 2 === 1 ? found : `${backslashes}\\!`
}

const addressInAngles = /(?<=(^|[^\\]))<(https?:\/\/[^\s<>`|\\!*~[\]"']+)>(?=(\S{0,4}))/gi

/** The address alone, with spaces where it would run into what stands beside it. */
function spaceAddress(_found: string, before: string, address: string, behind: string): string {
  const isEnd = /^[.,;:!?)*_"']*$/.test(behind)
  return `${/^[\s(*_"']?$/.test(before) ? '' : ' '}${address}${isEnd ? '' : ' '}`
}

/** A part of a text that every reader of Markdown shows as code. */
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
 * The code of a Markdown text of which there is no doubt, in order: closed fences outside of quotations, and code spans of one
 * backtick in a single line. Readers differ in what takes up backticks (tables, links, addresses, mathematics): what follows such
 * a thing counts as no code until its paragraph ends, and behind what reaches further until the text does. HTML is not looked at:
 * whoever asks takes it out of the rest.
 * @see https://spec.commonmark.org/0.31.2/#fenced-code-blocks
 */
export function findCertainCode(text: string): readonly CodePart[] {
  return /[`~]/.test(text) ? readCode(text).found : []
}

/**
 * From where on it is open what the code of a text is that is still being written: from a fence that may yet be closed, else from
 * its last line. What is code before that place is so whatever follows.
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
    // Deeper in, it may be the rest of a paragraph.
    isCertain = /^ {0,3}[`~]/.test(line)
    if (isCertain) found.push({ start, end: closing.start + closing.line.length })
    if (close === last) openFrom = start
    at = close
  }
  return { found, openFrom }
}

const fenceRun = /`{3}|~{3}/
/** Definitions, mathematics, comments and containers: over lines and paragraphs, and over fences in them. */
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
 * The line that closes the fence which a line opens; `open` where none does so far. None where it is not plain: both and what is
 * between them have to be indented alike, and no line between may begin with what some reader takes for the end.
 */
function findClosingLine(lines: readonly Line[], at: number): number | 'open' | 'none' {
  const opening = /^([ \t>]*)(`{3,}|~{3,})[^`~]*$/.exec(lines[at]?.line ?? '')
  if (opening === null) return 'none'
  const [, prefix = '', run = ''] = opening
  for (let next = at + 1; next < lines.length; next++) {
    const { line } = lines[next] as Line
    // The last line may not be whole yet.
    const refusal = next === lines.length - 1 ? 'open' : 'none'
    if (!line.startsWith(prefix) && line.trim() !== '') return refusal
    const content = line.slice(prefix.length).trimEnd()
    if (!content.trimStart().startsWith(run)) continue
    return content === run.charAt(0).repeat(content.length) && !line.endsWith('\t') ? next : refusal
  }
  return 'open'
}

const citations = /\\?!?\[\d[\d,;–\s-]*\](?![([:])/g
/** What may take up a backtick that stands behind it: links, mathematics, strokes, tags, addresses. */
const mayTakeUp = /[[\]$~{\\<]|&lt;|:\/\/|www\./i

/** Adds the code spans of a line before which none is open. Whether none can be open behind it either. */
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
