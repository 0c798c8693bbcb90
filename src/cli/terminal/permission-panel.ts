import type { PermissionAnswer, PermissionRequest } from '../../app.ts'
import { showHidden, showHiddenOnOneLine } from '../../kernel/text/visible-text.ts'
import type { Paint } from '../render/paint.ts'
import { cut, visibleOnOneLine } from '../render/text.ts'
import { type Block, commandRows } from './blocks.ts'
import { wrapSpans, wrapText } from './paint-lines.ts'

/** A permission question on the screen. */
export interface PermissionPanel {
  readonly request: PermissionRequest
  /** Whether the person said no and may now explain. */
  readonly isNoting: boolean
  /**
   * Until this time, letters belong to what the person was typing when the question appeared. Milliseconds; infinite
   * until the question is drawn.
   */
  readonly opensAtMs: number
}

/** How long nothing must have been typed before a letter counts as an answer. Milliseconds. */
const pauseMs = 700

/** Nobody has read a question within this time. Milliseconds. */
const unreadMs = 300

/** The panel of a question that is not drawn yet. */
export function newPanel(request: PermissionRequest): PermissionPanel {
  return { request, isNoting: false, opensAtMs: Number.POSITIVE_INFINITY }
}

/** The panel once it is drawn. @param typedAtMs when a key that was no answer was last pressed */
export function openPanel(
  panel: PermissionPanel,
  nowMs: number,
  typedAtMs: number,
): PermissionPanel {
  const wasTyping = nowMs - typedAtMs < 2 * pauseMs
  return { ...panel, opensAtMs: nowMs + (wasTyping ? pauseMs : unreadMs) }
}

/** The panel after a letter that did not answer it. */
export function heldPanel(panel: PermissionPanel, nowMs: number): PermissionPanel {
  return { ...panel, opensAtMs: Math.max(panel.opensAtMs, nowMs + pauseMs) }
}

/** The answer of a letter: a decision, `note` for a no with an explanation, `undefined` if it is no answer. */
export function answerOfLetter(
  { request }: PermissionPanel,
  letter: string,
): PermissionAnswer | 'note' | undefined {
  switch (letter.toLowerCase()) {
    case 'y':
      return { decision: 'once' }
    case 'a':
      return request.always.length > 0 ? { decision: 'always' } : undefined
    case 'n':
      // If nothing is to be done, there is no alternative to explain.
      return request.kind === 'trust' ? { decision: 'no' } : 'note'
    default:
      return undefined
  }
}

/** What is printed for good above the question: what would be done. */
export function requestBlocks({ preview, toolName }: PermissionRequest): readonly Block[] {
  const { title, diff = '', command } = preview
  const isCall = title.startsWith(toolName) && diff === ''
  const what = `Allow it to ${isCall ? 'call ' : ''}${visibleOnOneLine(title)}`
  return [
    { kind: 'notice', level: 'warning', text: command === undefined ? `${what}?` : `${what}:` },
    ...(command === undefined ? [] : [{ kind: 'command', text: showHidden(command) } as const]),
    ...(diff === '' ? [] : [{ kind: 'diff', text: showHidden(diff) } as const]),
  ]
}

/** What is printed for good after the answer. */
export function answeredBlock(answer: PermissionAnswer, { always }: PermissionRequest): Block {
  if (answer.decision === 'no') {
    const note = answer.note?.trim() ?? ''
    return {
      kind: 'notice',
      level: 'info',
      text: note === '' ? 'You said no.' : `You said no: ${note}`,
    }
  }
  const rules = always.map(showHiddenOnOneLine).join(', ')
  const text =
    answer.decision === 'once' ? 'You said yes.' : `You said yes, and always allow: ${rules}`
  return { kind: 'notice', level: 'info', text }
}

/** The layout of a question. */
export interface PanelPlace {
  readonly columns: number
  readonly paint: Paint
  /** Whether the line contains text, so that no letter is an answer. */
  readonly hasDraft: boolean
}

/** The rows of the question. */
export function panelRows(
  { request, isNoting }: PermissionPanel,
  { columns, paint, hasDraft }: PanelPlace,
): readonly string[] {
  // What is asked about is above, complete: the reason must not push it off the screen.
  const reason = cut(visibleOnOneLine(request.reason), 3 * columns)
  const why = [...wrapText(reason, columns), ...lengthRows(request, columns)].map(paint.dim)
  if (isNoting) {
    const ask = 'No. What should it do instead? Enter sends it; leave empty to just say no.'
    return wrapSpans([{ text: ask, paint: paint.yellow }], columns)
  }
  if (hasDraft) {
    const how = 'Letters do not answer while there is text on the line: enter queues it, ctrl+u'
    const text = `${how} clears it · esc stops the turn`
    return [...why, ...wrapSpans([{ text }], columns)]
  }
  const rules = request.always.map(showHiddenOnOneLine).join(', ')
  const choices = [
    { text: 'y', paint: paint.bold },
    { text: ' yes · ' },
    ...(rules === '' ? [] : [{ text: 'a', paint: paint.bold }, { text: ` always (${rules}) · ` }]),
    { text: 'n', paint: paint.bold },
    ...(request.kind === 'trust'
      ? [{ text: ' no' }]
      : [
          { text: ' no, and why · ' },
          { text: 'esc', paint: paint.bold },
          { text: ' stops the turn' },
        ]),
  ]
  return [...why, ...wrapSpans(choices, columns)]
}

/** More rows of a command could be off the screen. */
const mostSeenRows = 15

function lengthRows({ preview }: PermissionRequest, columns: number): readonly string[] {
  const { length } = commandRows(preview.command ?? '', columns)
  const text = `The command has ${length} lines: scroll up to see all of it.`
  return length > mostSeenRows ? wrapText(text, columns) : []
}
