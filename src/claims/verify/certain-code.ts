/** A part of a text that every reader of Markdown shows as code. */
export interface CodePart {
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
export function certainCode(text: string): readonly CodePart[] {
  return /[`~]/.test(text) ? readCode(text).found : []
}

/**
 * From where on it is open what the code of a text is that is still being written: from a fence that may yet be closed, else from
 * its last line. What is code before that place is so whatever follows.
 */
export function undecidedFrom(text: string): number {
  return readCode(text).openFrom
}

function readCode(text: string): {
  readonly found: readonly CodePart[]
  readonly openFrom: number
} {
  const lines = linesOf(text)
  const found: CodePart[] = []
  let isCertain = true
  const last = lines.length - 1
  let openFrom = lines[last]?.start ?? 0
  for (let at = 0; at < lines.length; at++) {
    const { start, line } = lines[at] as Line
    if (reachesFurther.test(line) || (at === 0 && frontMatter.test(line))) break
    if (!fenceRun.test(line)) {
      if (isCertain) isCertain = addSpans(line, start, found)
      if (line.trim() === '') isCertain = true
      continue
    }
    const close = closingLine(lines, at)
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
const reachesFurther = /\]:|\$\$|%%|:::/
const frontMatter = /^(?:---|\+\+\+)/

function linesOf(text: string): readonly Line[] {
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
function closingLine(lines: readonly Line[], at: number): number | 'open' | 'none' {
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
