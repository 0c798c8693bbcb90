import { type CodeLine, findUsualLineEnd, formatLine, lineHash, splitLines } from './code-text.ts'
import { failCall } from './code-workspace.ts'

/** An edit: of a quoted passage, or of lines identified by number and hash. */
export type Edit =
  | { readonly old: string; readonly new: string; readonly all?: boolean | undefined }
  | { readonly from: string; readonly to?: string | undefined; readonly text: string }
  | { readonly after: string; readonly text: string }

/** A span of the text and its replacement. */
interface Replacement {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The edited text, and where the new pieces are in it. */
export interface EditedText {
  readonly text: string
  readonly pieces: readonly { readonly start: number; readonly end: number }[]
}

/**
 * Applies all edits, each of which refers to the original text. Everything else keeps its bytes; new lines end like
 * the existing ones.
 * @throws `tool_failed` for an edit that matches nowhere or more than once, or overlaps another one
 */
export function applyEdits(text: string, edits: readonly Edit[]): EditedText {
  const lines = splitLines(text)
  const spans = edits
    .flatMap((edit) => findReplacements(edit, text, lines))
    .sort((one, other) => one.start - other.start || one.end - other.end)
  let edited = ''
  let at = 0
  const pieces: { start: number; end: number }[] = []
  for (const span of spans) {
    if (span.start < at) failCall('Two of the edits are about the same text.', 'Make one of them.')
    edited += text.slice(at, span.start)
    pieces.push({ start: edited.length, end: edited.length + span.text.length })
    edited += span.text
    at = span.end
  }
  return { text: edited + text.slice(at), pieces }
}

function findReplacements(
  edit: Edit,
  text: string,
  lines: readonly CodeLine[],
): readonly Replacement[] {
  if ('old' in edit) return findPassages(edit, text, lines)
  if ('after' in edit) return [findInsertion(edit, text, lines)]
  return [findLines(edit, text, lines)]
}

/** Passages are compared as if all lines ended with `\n`, since that is what models write. */
function findPassages(
  { old, new: replacement, all = false }: Extract<Edit, { old: string }>,
  text: string,
  lines: readonly CodeLine[],
): readonly Replacement[] {
  if (old === '') failCall('`old` is empty.', 'Give the text to be replaced, or use `after`.')
  const { plain, offsetOf } = normalizeLineEnds(text)
  const wanted = old.replaceAll('\r\n', '\n')
  const found: number[] = []
  for (let at = plain.indexOf(wanted); at !== -1; at = plain.indexOf(wanted, at + wanted.length))
    found.push(at)
  if (found.length === 0) return failNotFound(wanted, lines)
  if (found.length > 1 && !all) {
    const numbers = found.slice(0, 10).map((at) => plain.slice(0, at).split('\n').length)
    return failCall(
      `\`old\` stands in ${found.length} places (lines ${numbers.join(', ')}${found.length > 10 ? ', …' : ''}).`,
      'Give more of the text around it, name the lines with `from` and `to`, or say `all`.',
    )
  }
  return found.map((at) => {
    const [start, end] = [offsetOf(at), offsetOf(at + wanted.length)]
    return { start, end, text: useLineEnds(replacement, text, text.slice(start, end)) }
  })
}

/** The text with `\n` as its only line end, and a map of its offsets back to the original. */
function normalizeLineEnds(text: string) {
  const returns: number[] = []
  for (let at = text.indexOf('\r\n'); at !== -1; at = text.indexOf('\r\n', at + 2))
    returns.push(at - returns.length)
  const offsetOf = (at: number) => {
    let [low, high] = [0, returns.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((returns[middle] as number) < at) low = middle + 1
      else high = middle
    }
    return at + low
  }
  return { plain: returns.length === 0 ? text : text.replaceAll('\r\n', '\n'), offsetOf }
}

/** The new text with the line ends of what it replaces, otherwise of the whole text. */
function useLineEnds(written: string, text: string, replaced: string): string {
  const lineEnd = replaced.includes('\n') ? findUsualLineEnd(replaced) : findUsualLineEnd(text)
  return written.replaceAll('\r\n', '\n').replaceAll('\n', lineEnd)
}

function failNotFound(wanted: string, lines: readonly CodeLine[]): never {
  const first =
    wanted
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.trim() ?? ''
  const near = lines.findIndex(({ text }) => first !== '' && text.trim() === first)
  const seen =
    near === -1 ? '' : ` Its first line stands in:\n${formatNearbyLines(lines, near, near + 5)}\n`
  return failCall(
    `\`old\` was not found.${seen}`,
    'It has to be exactly the text of the file, spaces too, without numbers and hashes.',
  )
}

function findLines(
  { from, to = from, text: written }: Extract<Edit, { from: string }>,
  text: string,
  lines: readonly CodeLine[],
): Replacement {
  const first = findLine(from, lines)
  const last = findLine(to, lines)
  if (last < first) failCall(`\`to\` (${to}) is before \`from\` (${from}).`)
  const [begin, end] = [lines[first] as CodeLine, lines[last] as CodeLine]
  if (written === '') return { start: begin.start, end: end.end + end.lineEnd.length, text: '' }
  const replaced = text.slice(begin.start, end.end + end.lineEnd.length)
  const body = written.replace(/\r?\n$/, '')
  return { start: begin.start, end: end.end, text: useLineEnds(body, text, replaced) }
}

function findInsertion(
  { after, text: written }: Extract<Edit, { after: string }>,
  text: string,
  lines: readonly CodeLine[],
): Replacement {
  const lineEnd = findUsualLineEnd(text)
  const body = useLineEnds(written.replace(/\r?\n$/, ''), text, '')
  if (/^0(?::|$)/.test(after)) return { start: 0, end: 0, text: body + lineEnd }
  const line = lines[findLine(after, lines)] as CodeLine
  const at = line.end + line.lineEnd.length
  return { start: at, end: at, text: line.lineEnd === '' ? lineEnd + body : body + lineEnd }
}

/** The index of the line that an anchor refers to. @throws `tool_failed`, with the present lines, if it has changed */
function findLine(anchor: string, lines: readonly CodeLine[]): number {
  const [, number = '', hash] = /^\s*(\d+):([\da-f]{4})(?:\|.*)?\s*$/is.exec(anchor) ?? []
  if (hash === undefined)
    return failCall(
      `"${anchor.slice(0, 50)}" names no line.`,
      'Lines are named as read shows them: 12:9af3',
    )
  const index = Number(number) - 1
  const line = lines[index]
  if (line !== undefined && lineHash(line.text) === hash.toLowerCase()) return index
  const now =
    line === undefined ? `There are ${lines.length} lines.` : formatNearbyLines(lines, index, index)
  return failCall(
    `Line ${anchor} is no longer there. It is now:\n${now}`,
    'Name the lines as they are now.',
  )
}

const linesAround = 3

function formatNearbyLines(lines: readonly CodeLine[], first: number, last: number): string {
  const from = Math.max(0, first - linesAround)
  return lines
    .slice(from, last + linesAround + 1)
    .map(({ text }, index) => formatLine(from + index + 1, text))
    .join('\n')
}
