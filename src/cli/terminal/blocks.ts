import type { Failure } from '../../kernel/errors.ts'
import type { Paint } from '../render/paint.ts'
import { countColumns, cut } from '../render/text.ts'
import { markdownRows } from './markdown-lines.ts'
import { breakLine, drawable, wrapText } from './paint-lines.ts'

/** A part of the conversation that was printed for good; it can be drawn at any width. */
export type Block =
  | { readonly kind: 'gap' }
  | { readonly kind: 'person'; readonly text: string }
  /** A line of an answer; `fence` is the one around it. */
  | { readonly kind: 'line'; readonly text: string; readonly fence: string }
  | { readonly kind: 'thought'; readonly text: string }
  | {
      readonly kind: 'tool'
      readonly sign: 'done' | 'failed' | 'refused' | 'stopped'
      readonly title: string
      readonly note: string
    }
  | { readonly kind: 'command'; readonly text: string }
  | { readonly kind: 'diff'; readonly text: string }
  /** The output of a program: its end is shown. */
  | { readonly kind: 'output'; readonly text: string; readonly most: number }
  | { readonly kind: 'notice'; readonly level: 'info' | 'warning' | 'error'; readonly text: string }
  /** The output of a session's command. */
  | { readonly kind: 'told'; readonly text: string }

/** How to draw a block. */
export interface BlockFrame {
  readonly columns: number
  readonly paint: Paint
  /** Whether to draw a long block completely. */
  readonly isWhole?: boolean
}

/** The rows of a block, none wider than the columns. */
export function blockRows(block: Block, frame: BlockFrame): readonly string[] {
  const { columns, paint } = frame
  switch (block.kind) {
    case 'gap':
      return ['']
    case 'person':
      return personRows(block.text, frame)
    case 'line':
      return markdownRows(block.text, block.fence, columns, paint)
    case 'thought':
      return wrapText(`~ ${block.text}`, columns - 2, '  ').map((row) => paint.dim(row))
    case 'tool':
      return toolRows(block, frame)
    case 'command':
      return commandRows(block.text, columns).map((row) => `    ${paint.bold(row)}`)
    case 'diff':
      return diffRows(block.text, frame)
    case 'output':
      return outputRows(block.text, block.most, frame)
    case 'notice':
      return wrapText(block.text, columns - 2, '  ').map((row) => noticePaint(block, paint)(row))
    case 'told':
      return wrapText(block.text, columns, '  ')
  }
}

/** Whether a block is cut unless it is drawn completely. */
export function isFolded(block: Block, frame: BlockFrame): boolean {
  if (block.kind !== 'diff' && block.kind !== 'output') return false
  return blockRows(block, frame).length < blockRows(block, { ...frame, isWhole: true }).length
}

function personRows(text: string, { columns, paint }: BlockFrame): readonly string[] {
  const rows = drawable(text)
    .split('\n')
    .flatMap((line) => breakLine(line, columns - 2))
  return rows.map((row, index) => `${index === 0 ? paint.cyan('>') : ' '} ${paint.bold(row)}`)
}

type ToolBlock = Extract<Block, { kind: 'tool' }>

function toolRows({ sign, title, note }: ToolBlock, { columns, paint }: BlockFrame) {
  const signs = {
    done: paint.green('✓'),
    failed: paint.red('✗'),
    refused: paint.yellow('–'),
    stopped: paint.yellow('–'),
  }
  const room = columns - 2
  const [told = ''] = drawable(note).split('\n')
  const shown = cut(
    drawable(title).replaceAll('\n', ' '),
    told === '' ? room : Math.floor(room * 0.7),
  )
  const rest = told === '' ? [] : wrapText(told, room - 2)
  const isBeside =
    rest.length === 1 && countColumns(shown) + 2 + countColumns(rest[0] ?? '') <= room
  if (told === '' || isBeside)
    return [`${signs[sign]} ${shown}${told === '' ? '' : `  ${paint.dim(rest[0] ?? '')}`}`]
  return [`${signs[sign]} ${shown}`, ...rest.map((row) => `    ${paint.dim(row)}`)]
}

function noticePaint({ level }: Extract<Block, { kind: 'notice' }>, paint: Paint) {
  return level === 'error' ? paint.red : level === 'warning' ? paint.yellow : paint.dim
}

/** The rows of a command line, complete and unchanged. */
export function commandRows(command: string, columns: number): readonly string[] {
  const lines = drawable(command).split('\n')
  return lines.flatMap((line, index) =>
    breakLine(index === 0 ? `$ ${line}` : `  ${line}`, columns - 4),
  )
}

/** Few enough to leave room for the question below them. */
const mostDiffRows = 20

/** A unified diff without its file names, which the title contains. */
function diffRows(
  diff: string,
  { columns, paint, isWhole = false }: BlockFrame,
): readonly string[] {
  const lines = drawable(diff).replace(/\n$/, '').split('\n')
  // File names come only before the first hunk: a changed line may look like one.
  const head = lines[2]?.startsWith('@@ ') === true ? 2 : 0
  const rows = lines
    .slice(head)
    .filter((line) => !line.startsWith('\\ '))
    .flatMap((line) => breakLine(line, columns - 4).map((row) => diffPaint(line, paint)(row)))
    .map((row) => `    ${row}`)
  if (isWhole || rows.length <= mostDiffRows) return rows
  const left = rows.length - mostDiffRows + 1
  return [...rows.slice(0, mostDiffRows - 1), `    ${moreRows(left, 'more rows', columns, paint)}`]
}

function diffPaint(line: string, paint: Paint): (text: string) => string {
  if (line.startsWith('+')) return paint.green
  if (line.startsWith('-')) return paint.red
  return line.startsWith('@@') ? paint.cyan : (text) => text
}

function outputRows(
  text: string,
  most: number,
  { columns, paint, isWhole = false }: BlockFrame,
): readonly string[] {
  const lines = drawable(text).trimEnd().split('\n')
  const rows = lines.flatMap((line) => breakLine(line, columns - 4))
  const shown = rows.map((row) => `    ${paint.dim(row)}`)
  if (isWhole || rows.length <= most) return shown
  const left = rows.length - most + 1
  return [`    ${moreRows(left, 'rows before', columns, paint)}`, ...shown.slice(1 - most)]
}

function moreRows(count: number, what: string, columns: number, paint: Paint): string {
  return paint.dim(cut(`… ${count} ${what} (ctrl+o shows all)`, columns - 4))
}

/** A failure: what happened, then what to do. */
export function failureBlocks({ message, hint }: Pick<Failure, 'message' | 'hint'>): Block[] {
  const what: Block = { kind: 'notice', level: 'error', text: message }
  return hint === undefined ? [what] : [what, { kind: 'notice', level: 'info', text: hint }]
}
