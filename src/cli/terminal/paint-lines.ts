import { stripVTControlCharacters } from 'node:util'
import { splitGraphemes } from '../render/graphemes.ts'
import { countColumns, printable, wrap } from '../render/text.ts'

/** A piece of text in one style. */
export interface Span {
  readonly text: string
  readonly paint?: (text: string) => string
}

/** Makes untrusted text safe to draw: it cannot control the terminal, and tabs become spaces. */
export function drawable(text: string): string {
  return printable(text).replaceAll('\t', '  ')
}

/** The width of a painted line, in columns. */
export function paintedColumns(line: string): number {
  return countColumns(stripVTControlCharacters(line))
}

/** Wraps {@link drawable} text in lines of at most `columns`; continuation lines begin with `indent`. */
export function wrapText(text: string, columns: number, indent = ''): readonly string[] {
  return drawable(text)
    .split('\n')
    .flatMap((line) => wrap(line, Math.max(8, columns), indent))
}

/** Breaks each line anywhere, keeping all white space: for code and the output of programs. */
export function breakLine(line: string, columns: number): readonly string[] {
  if (countColumns(line) <= columns) return [line]
  const rows: string[] = []
  let [row, used] = ['', 0]
  for (const { segment } of splitGraphemes(line)) {
    const width = countColumns(segment)
    if (used + width > columns && row !== '') {
      rows.push(row)
      ;[row, used] = ['', 0]
    }
    row += segment
    used += width
  }
  return [...rows, row]
}

interface Word {
  readonly spans: readonly Span[]
  readonly columns: number
}

/** Wraps spans between words in lines of at most `columns`; `first` begins the first line, `indent` the others. */
export function wrapSpans(
  spans: readonly Span[],
  columns: number,
  { first = '', indent = '' }: { readonly first?: string; readonly indent?: string } = {},
): readonly string[] {
  const room = Math.max(8, columns - countColumns(indent))
  const lines: string[] = []
  let [line, used, isEmpty] = [first, countColumns(first), true]
  for (const word of splitWords(spans, room)) {
    const gap = isEmpty ? 0 : 1
    if (!isEmpty && used + gap + word.columns > columns) {
      lines.push(line)
      ;[line, used, isEmpty] = [indent, countColumns(indent), true]
    }
    line += `${isEmpty ? '' : ' '}${painted(word)}`
    used += (isEmpty ? 0 : 1) + word.columns
    isEmpty = false
  }
  return [...lines, line]
}

function painted({ spans }: Word): string {
  return spans.map(({ text, paint }) => (paint === undefined ? text : paint(text))).join('')
}

/** The words of spans; a word may cover several spans, and one that is too long for a line is split. */
function splitWords(spans: readonly Span[], room: number): readonly Word[] {
  const words: Span[][] = [[]]
  for (const { text, ...style } of spans) {
    for (const [index, part] of text.split(/ +/).entries()) {
      if (index > 0) words.push([])
      if (part !== '') words.at(-1)?.push({ text: part, ...style })
    }
  }
  return words.flatMap((word) => {
    const columns = word.reduce((sum, { text }) => sum + countColumns(text), 0)
    if (word.length === 0) return []
    if (columns <= room) return [{ spans: word, columns }]
    return word.flatMap(({ text, ...style }) =>
      breakLine(text, room).map((part) => ({
        spans: [{ text: part, ...style }],
        columns: countColumns(part),
      })),
    )
  })
}
