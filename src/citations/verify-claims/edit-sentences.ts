/** What becomes of one sentence of an answer: other words, or nothing. */
export interface SentenceEdit {
  /** The sentence's slice of the answer. */
  readonly start: number
  readonly end: number
  /** null: it goes. */
  readonly replacement: string | null
}

/**
 * A Markdown answer with some of its sentences replaced or taken out, and nothing else changed: a list item, paragraph or row of
 * which nothing is left goes with its mark and its line, and so does the head of a table without rows.
 */
export function editSentences(answer: string, edits: readonly SentenceEdit[]): string {
  const fromLast = [...edits].sort((one, other) => other.start - one.start)
  return fromLast.reduce(
    (text, { start, end, replacement }) =>
      replacement === null
        ? takeOut(text, start, end)
        : text.slice(0, start) + replacement + text.slice(end),
    answer,
  )
}

function takeOut(text: string, start: number, end: number): string {
  const [from, to] = withoutOpenEmphasis(text, start, end)
  const lineStart = text.lastIndexOf('\n', from - 1) + 1
  const lineEnd = endOfLine(text, to)
  const before = text.slice(lineStart, from)
  const after = text.slice(to, lineEnd)
  if (marksOnly.test(before) && spentLine.test(after)) return takeOutLines(text, lineStart, lineEnd)
  if (marksOnly.test(before)) return text.slice(0, from) + text.slice(to).trimStart()
  if (after.trim() === '') return text.slice(0, from).trimEnd() + text.slice(to)
  return text.slice(0, from) + text.slice(to).replace(/^[^\S\n]+/, '')
}

/** What stands in a line before its first sentence: quote and list marks, a box to tick, emphasis. */
const marksOnly = /^[\s>]*(?:(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?)*[*_]*$/
/** What is nothing by itself. */
const spentLine = /^[\s*_]*$/

/** A sentence's slice without a mark of emphasis whose partner is in another sentence. */
function withoutOpenEmphasis(text: string, start: number, end: number): readonly [number, number] {
  const slice = text.slice(start, end)
  const [opened = ''] = /^[*_]{1,3}(?=\S)/.exec(slice) ?? []
  const [closed = ''] = /(?<=\S)[*_]{1,3}$/.exec(slice) ?? []
  const isOpen = opened !== '' && !slice.slice(opened.length).includes(opened)
  const isClosed = closed !== '' && !slice.slice(0, -closed.length).includes(closed)
  return [start + (isOpen ? opened.length : 0), end - (isClosed ? closed.length : 0)]
}

function endOfLine(text: string, from: number): number {
  const found = text.indexOf('\n', from)
  return found === -1 ? text.length : found
}

/** The text without whole lines, and without the space that parted them from their neighbours twice. */
function takeOutLines(text: string, start: number, end: number): string {
  const before = withoutEmptyTable(text.slice(0, start), text.slice(end + 1))
  const after = text.slice(end + 1)
  if (after.trim() === '')
    return before.trimEnd() + (text.endsWith('\n') && before !== '' ? '\n' : '')
  const isParted = before === '' || /\n[^\S\n]*\n$/.test(before)
  return before + (isParted ? after.replace(/^(?:[^\S\n]*\n)+/, '') : after)
}

const tableRule = /^\s*(?:\|\s*)?:?-+:?\s*(?:\|\s*:?-+:?\s*)+(?:\|\s*)?$/

/** The text before a row that is gone, without the head of a table that has no other. */
function withoutEmptyTable(before: string, after: string): string {
  const lines = before.split('\n')
  const [next = ''] = after.split('\n')
  const isRule = tableRule.test(lines.at(-2) ?? '')
  return isRule && !next.includes('|')
    ? lines
        .slice(0, -3)
        .map((line) => `${line}\n`)
        .join('')
    : before
}
