import type { Block } from './blocks.ts'
import { fenceAfter } from './markdown-lines.ts'

/** An answer while it is written. Whole lines go above for good, and pieces of endless ones; the last one is still drawn anew. */
export interface Answering {
  /** All of it so far; only ever added to and compared at its end, which costs little however long it is. */
  readonly text: string
  /** How it begins. */
  readonly head: string
  /** What did not go above yet. */
  readonly rest: string
  /** Whether some of it went above. */
  readonly isShown: boolean
  /** The fence in which the next line stands; empty outside of one. */
  readonly fence: string
  /** Whether it broke off and begins anew. */
  readonly isBroken: boolean
}

/** An answer of which there is nothing yet. */
export const noAnswer: Answering = {
  text: '',
  head: '',
  rest: '',
  isShown: false,
  fence: '',
  isBroken: false,
}

/** An answer after something happened to it, and what goes above for good. */
export interface AnswerStep {
  readonly answering: Answering
  readonly blocks: readonly Block[]
}

/** The answer with a piece more. */
export function takeDelta(answering: Answering, given: string): AnswerStep {
  if (answering.isBroken) return begunAnew(answering, given)
  const piece = answering.head === '' ? given.trimStart() : given
  const added = grown(answering, piece)
  return isHeldBack(added) ? { answering: added, blocks: [] } : shown(added, settledIn(added.rest))
}

/** The answer as it is when it is whole: what was not shown of it yet. */
export function takeMessage(answering: Answering, whole: string): AnswerStep {
  const text = whole.trim()
  const { blocks } = answering.isShown ? findMissing(answering, text) : allOf(text)
  return { answering: noAnswer, blocks }
}

/** What is left of an answer that was not finished. */
export function answerBlocks(answering: Answering): readonly Block[] {
  return isHeldBack(answering) || answering.isBroken ? [] : restOf(answering).blocks
}

/** The line that is being written; empty where there is none, or where it is not to be seen. */
export function currentLine(answering: Answering): string {
  return answering.isBroken || isHeldBack(answering) ? '' : answering.rest
}

const headLength = 40

function grown(answering: Answering, piece: string): Answering {
  const { text, head, rest } = answering
  const begun = head.length < headLength ? (head + piece).slice(0, headLength) : head
  return { ...answering, text: text + piece, head: begun, rest: rest + piece }
}

/** Of an answer that was shown in part what is not there; all of it again where what is there is another. */
function findMissing(answering: Answering, text: string): AnswerStep {
  const { isBroken } = answering
  const written = answering.text.trim()
  // Parts of an answer are told in another way: thoughts, calls.
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

/** Thoughts and calls that a model writes as text are told in their own way once they are whole. */
function isHeldBack({ head }: Answering): boolean {
  return /^(?:\{|\[\s*\{|`{1,2}$|```(?:json)?\s*(?:$|[[{])|<(?:tool|function|$))/.test(head)
}

/** A line is drawn anew with each piece of it, so that of an endless one the beginning has to be done with. */
const mostDrawnAnew = 2_000

/** How much of a text is not drawn anew. */
function settledIn(text: string): number {
  const line = text.lastIndexOf('\n') + 1
  if (text.length - line <= mostDrawnAnew) return line
  const word = text.lastIndexOf(' ') + 1
  return word > line ? word : text.length
}

/** The lines of the rest up to an offset, as blocks. */
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
