import { count, dollars, spinnerAt } from '../progress/live-lines.ts'
import type { Paint } from '../render/paint.ts'
import { countColumns, cut, oneLine, pad } from '../render/text.ts'
import { currentLine } from './answer-stream.ts'
import type { Editor, Menu } from './editor-state.ts'
import { layoutEditor } from './layout-editor.ts'
import { markdownRows } from './markdown-lines.ts'
import { drawable, wrapText } from './paint-lines.ts'
import { type PermissionPanel, panelRows } from './permission-panel.ts'
import type { Region } from './screen-region.ts'
import type { SessionView } from './session-view.ts'

/** What to draw at the end of the screen, and the room for it. */
export interface FrameParts {
  readonly view: SessionView
  readonly editor: Editor
  readonly panel: PermissionPanel | undefined
  /** Sent lines that wait for their turn. */
  readonly queue: readonly string[]
  /** Facts about the session, each in a few words: the model, usage. */
  readonly facts: readonly string[]
  /** A temporary message in place of the facts. */
  readonly hint: string
  /** Duration of the current turn. */
  readonly elapsedMs: number
  readonly columns: number
  readonly rows: number
  readonly paint: Paint
}

const prompt = '> '
const mostMenuRows = 8
const mostTools = 4
const mostPrinted = 5

/** The lines at the end of the screen, none wider than the columns and at most as many as there are rows. */
export function sessionFrame(parts: FrameParts): Region {
  const { rows } = parts
  const input = inputRows(parts, Math.max(1, Math.floor(rows / 2)))
  const below = belowRows(parts).slice(0, Math.max(0, rows - input.lines.length))
  const room = rows - input.lines.length - below.length
  const above = aboveRows(parts)
  const shown = room > 0 ? above.slice(-room) : []
  return {
    lines: [...shown, ...input.lines, ...below],
    cursor: { row: shown.length + input.row, column: input.column },
  }
}

/** Width of a row of input, in columns. */
export function inputColumns(columns: number): number {
  return Math.max(4, columns - prompt.length)
}

function inputRows(
  { editor, columns, panel, paint }: FrameParts,
  most: number,
): { readonly lines: readonly string[]; readonly row: number; readonly column: number } {
  if (editor.search !== undefined) return searchRows(editor, columns, paint)
  const layout = layoutEditor(editor, inputColumns(columns))
  const first = Math.min(Math.max(0, layout.row - most + 1), Math.max(0, layout.rows.length - most))
  const visible = layout.rows.slice(first, first + most)
  const sign = panel?.isNoting === true ? paint.yellow('n') : paint.cyan('>')
  const lines = visible.map(({ text }, index) => {
    const lead = first + index === 0 ? sign : index === 0 ? paint.dim('↑') : ' '
    return `${lead} ${text}`
  })
  return { lines, row: layout.row - first, column: prompt.length + layout.column }
}

function searchRows(editor: Editor, columns: number, paint: Paint) {
  const { query = '', found } = editor.search ?? {}
  const isMissing = query !== '' && found === undefined
  const label = cut(`${isMissing ? 'not found' : 'search'}: ${drawable(query)}`, columns - 1)
  const text = found === undefined ? '' : oneLine(editor.text)
  return {
    lines: [paint.cyan(label), `  ${cut(text, columns - 2)}`],
    row: 0,
    column: countColumns(label),
  }
}

function aboveRows(parts: FrameParts): readonly string[] {
  const { view, panel, queue, editor, columns, paint } = parts
  const hasDraft = editor.text !== ''
  const line = currentLine(view.answering)
  const writing = line.trim() === '' ? [] : markdownRows(line, view.answering.fence, columns, paint)
  const hasGap = writing.length > 0 && view.last !== 'answer' && view.last !== 'none'
  const waiting = queue.map((text) => paint.dim(cut(`waits: ${oneLine(text)}`, columns)))
  return [
    ...(hasGap ? [''] : []),
    ...writing,
    ...thinkingRows(parts),
    ...(panel === undefined ? workRows(parts) : panelRows(panel, { columns, paint, hasDraft })),
    ...waiting,
    '',
  ]
}

function thinkingRows({ view, columns, paint }: FrameParts): readonly string[] {
  if (!view.showsThoughts || view.thinking.trim() === '') return []
  return wrapText(`~ ${view.thinking.trim()}`, columns - 2, '  ')
    .slice(-3)
    .map((row) => paint.dim(row))
}

function workRows(parts: FrameParts): readonly string[] {
  const { view, elapsedMs, columns, paint } = parts
  if (view.turn === undefined) return []
  const spinner = paint.cyan(spinnerAt(elapsedMs))
  const calls = view.tools.slice(0, mostTools).map(({ title }) => {
    return `${spinner} ${cut(drawable(title), columns - 2)}`
  })
  const more = view.tools.length - calls.length
  const rest = more > 0 ? [paint.dim(`  … and ${count(more, 'more call')}`)] : []
  // Of several calls, the first is in progress.
  const tools = [...calls.slice(0, 1), ...printedRows(parts), ...calls.slice(1), ...rest]
  const waits = wrapText(oneLine(view.waiting), columns - 2, '').slice(
    0,
    view.waiting === '' ? 0 : 4,
  )
  const time = `${Math.floor(elapsedMs / 1000)} s`
  const isStoppable = view.turn === 'prompt' || view.turn === 'command'
  const stop = isStoppable ? ' · esc to stop' : ''
  const told = paint.dim(cut(`${describeActivity(view)} ${time}${stop}`, columns - 2))
  const sign = calls.length > 0 ? ' ' : spinner
  return [...tools, ...waits.map((row) => `  ${paint.yellow(row)}`), `${sign} ${told}`]
}

/** Always one row, so that the end of the screen does not jump with every line. */
function printedRows({ view, columns, paint }: FrameParts): readonly string[] {
  if (view.printed === '') return []
  const lines = drawable(view.printed).split('\n').slice(-mostPrinted)
  return lines.map((line) => `    ${paint.dim(cut(line, columns - 4))}`)
}

function describeActivity({ tools, answering, thinking, turn }: SessionView): string {
  if (turn !== undefined && turn !== 'prompt') return 'Working,'
  if (tools.length > 0) return 'Running,'
  if (answering.text !== '') return 'Writing,'
  return thinking === '' ? 'Waiting for the model,' : 'Thinking,'
}

function belowRows({ editor, facts, hint, columns, paint }: FrameParts): readonly string[] {
  if (editor.menu !== undefined) return menuRows(editor.menu, columns, paint)
  if (hint !== '') return [paint.yellow(cut(hint, columns))]
  return [paint.dim(fittedFacts(facts, columns))]
}

/** As many facts as fit, in order. */
function fittedFacts(facts: readonly string[], columns: number): string {
  const [first = '', ...others] = facts
  const line = others.reduce((shown, fact) => {
    const longer = `${shown} · ${fact}`
    return countColumns(longer) <= columns - 2 ? longer : shown
  }, first)
  return cut(`  ${line}`, columns)
}

function menuRows(menu: Menu, columns: number, paint: Paint): readonly string[] {
  const { items, selected } = menu
  const from = Math.min(
    Math.max(0, selected - mostMenuRows + 2),
    Math.max(0, items.length - mostMenuRows),
  )
  const shown = items.slice(from, from + mostMenuRows)
  const widest = Math.max(...shown.map(({ text }) => countColumns(drawable(text))))
  const nameColumns = Math.min(widest, Math.max(8, Math.floor(columns * 0.6)))
  return shown.map(({ text, note }, index) => {
    const isSelected = from + index === selected
    const name = pad(cut(oneLine(text), nameColumns), nameColumns)
    const line = cut(`${isSelected ? '›' : ' '} ${name}  ${oneLine(note)}`.trimEnd(), columns)
    return isSelected ? paint.cyan(line) : paint.dim(line)
  })
}

/** The share of the model's window in use, and the cost. @param costUsd `null` if unknown */
export function usageFacts(
  { contextTokens, windowTokens }: SessionView,
  costUsd: number | null,
): readonly string[] {
  const share = windowTokens === 0 ? 0 : Math.round((100 * contextTokens) / windowTokens)
  return [
    ...(windowTokens === 0
      ? []
      : [`${thousands(contextTokens)} of ${thousands(windowTokens)} tokens (${share} %)`]),
    costUsd === null ? 'cost unknown' : dollars(costUsd),
  ]
}

function thousands(tokens: number): string {
  return tokens < 1000 ? `${tokens}` : `${(tokens / 1000).toFixed(tokens < 10_000 ? 1 : 0)}k`
}
