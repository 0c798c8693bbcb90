import type { Block } from './blocks.ts'
import { fenceAfter } from './markdown-lines.ts'

/**
 * An answer while it is written. Complete lines, and parts of very long ones, are printed for good; the last line is
 * redrawn.
 */
export interface Answering {
  /** All of it so far. It only grows and is compared at its end, which costs little at any length. */
  readonly text: string
  /** Its beginning. */
  readonly head: string
  /** What is not printed yet. */
  readonly rest: string
  /** Whether a part is printed. */
  readonly isShown: boolean
  /** The fence around the next line; empty outside of one. */
  readonly fence: string
  /** Whether it was interrupted and starts again. */
  readonly isBroken: boolean
}

/** An answer that has not started. */
export const noAnswer: Answering = {
  text: '',
  head: '',
  rest: '',
  isShown: false,
  fence: '',
  isBroken: false,
}

/** The answer after an event, and what to print for good. */
export interface AnswerStep {
  readonly answering: Answering
  readonly blocks: readonly Block[]
}

/** The answer with another piece. */
export function takeDelta(answering: Answering, given: string): AnswerStep {
  if (answering.isBroken) return begunAnew(answering, given)
  const piece = answering.head === '' ? given.trimStart() : given
  const added = grown(answering, piece)
  return isHeldBack(added) ? { answering: added, blocks: [] } : shown(added, settledIn(added.rest))
}

/** The complete answer: prints what is missing. */
export function takeMessage(answering: Answering, whole: string): AnswerStep {
  const text = whole.trim()
  const { blocks } = answering.isShown ? findMissing(answering, text) : allOf(text)
  return { answering: noAnswer, blocks }
}

/** What remains of an unfinished answer. */
export function answerBlocks(answering: Answering): readonly Block[] {
  return isHeldBack(answering) || answering.isBroken ? [] : restOf(answering).blocks
}

/** The line being written; empty if there is none or it is held back. */
export function currentLine(answering: Answering): string {
  return answering.isBroken || isHeldBack(answering) ? '' : answering.rest
}

const headLength = 40

function grown(answering: Answering, piece: string): Answering {
  const { text, head, rest } = answering
  const begun = head.length < headLength ? (head + piece).slice(0, headLength) : head
  return { ...answering, text: text + piece, head: begun, rest: rest + piece }
}

/** What is missing of a partly shown answer; the whole answer if it differs from what was shown. */
function findMissing(answering: Answering, text: string): AnswerStep {
  const { isBroken } = answering
  const written = answering.text.trim()
  // Thoughts and calls within an answer are shown separately.
  const isThere =
    written === text || text.split('\n').every((line) => written.includes(line.trim()))
  if (isThere && !isBroken) return restOf(answering)
  const { blocks } = allOf(text)
  return { answering: noAnswer, blocks: [brokenNotice, ...blocks] }
}

function allOf(text: string): AnswerStep {
  return text === '' ? { answering: noAnswer, blocks: [] } : restOf(grown(noAnswer, text))
}

function restOf(answering: Answering): AnswerStep {
  const rest = answering.rest.trimEnd()
  return rest === '' ? { answering, blocks: [] } : shown({ ...answering, rest }, rest.length)
}

const brokenNotice: Block = {
  kind: 'notice',
  level: 'warning',
  text: 'The answer broke off there. It starts again:',
}

function begunAnew({ isShown }: Answering, piece: string): AnswerStep {
  const { answering, blocks } = takeDelta(noAnswer, piece)
  return { answering, blocks: isShown ? [brokenNotice, ...blocks] : blocks }
}

/** Thoughts and calls that a model writes as text are shown separately once complete. */
function isHeldBack({ head }: Answering): boolean {
  return /^(?:\{|\[\s*\{|`{1,2}$|```(?:json)?\s*(?:$|[[{])|<(?:tool|function|$))/.test(head)
}

/** A line is redrawn with each piece, so the beginning of a very long one is printed for good. */
const mostDrawnAnew = 2_000

/** Length of the beginning that is not redrawn. */
function settledIn(text: string): number {
  const line = text.lastIndexOf('\n') + 1
  if (text.length - line <= mostDrawnAnew) return line
  const word = text.lastIndexOf(' ') + 1
  return word > line ? word : text.length
}

/** The lines up to an offset, as blocks. */
function shown(answering: Answering, to: number): AnswerStep {
  if (to === 0) return { answering, blocks: [] }
  const lines = answering.rest.slice(0, to).replace(/\n$/, '').split('\n')
  let { fence } = answering
  const blocks = lines.map((line): Block => {
    const block = { kind: 'line', text: line, fence } as const
    fence = fenceAfter(line, fence)
    return block
  })
  return {
    answering: { ...answering, rest: answering.rest.slice(to), isShown: true, fence },
    blocks,
  }
}
