import type { Block } from './blocks.ts'
import { fenceAfter } from './markdown-lines.ts'

/** An answer while it is written. Whole lines go above for good; the last one is still drawn anew. */
export interface Answering {
  /** All of it so far. */
  readonly text: string
  /** How much of it went above. */
  readonly shownTo: number
  /** The fence in which the next line stands; empty outside of one. */
  readonly fence: string
  /** Whether it broke off and begins anew. */
  readonly isBroken: boolean
}

/** An answer of which there is nothing yet. */
export const noAnswer: Answering = { text: '', shownTo: 0, fence: '', isBroken: false }

/** An answer after something happened to it, and what goes above for good. */
export interface AnswerStep {
  readonly answering: Answering
  readonly blocks: readonly Block[]
}

/** The answer with a piece more. */
export function takeDelta(answering: Answering, piece: string): AnswerStep {
  if (answering.isBroken) return begunAnew(answering, piece)
  const all = answering.text + piece
  const text = answering.text.trim() === '' ? all.trimStart() : all
  return shown({ ...answering, text }, isHeldBack(text) ? 0 : text.lastIndexOf('\n') + 1)
}

/** The answer as it is when it is whole: what was not shown of it yet. */
export function takeMessage(answering: Answering, whole: string): AnswerStep {
  const text = whole.trim()
  const isSame = answering.text.trim() === text && !answering.isBroken
  if (answering.shownTo === 0 || isSame) {
    const { blocks } = shown({ ...answering, text }, text.length)
    return { answering: noAnswer, blocks }
  }
  const missing = text.split('\n').some((line) => !answering.text.includes(line.trim()))
  if (!missing && !answering.isBroken) {
    const { blocks } = shown(answering, answering.text.trimEnd().length)
    return { answering: noAnswer, blocks }
  }
  const { blocks } = shown({ ...noAnswer, text }, text.length)
  return { answering: noAnswer, blocks: [brokenNotice, ...blocks] }
}

/** What is left of an answer that was not finished. */
export function answerBlocks(answering: Answering): readonly Block[] {
  const { text } = answering
  return text === '' || isHeldBack(text) ? [] : shown(answering, text.trimEnd().length).blocks
}

/** The line that is being written; empty where there is none, or where it is not to be seen. */
export function currentLine({ text, shownTo, isBroken }: Answering): string {
  return isBroken || isHeldBack(text) ? '' : text.slice(shownTo)
}

const brokenNotice: Block = {
  kind: 'notice',
  level: 'warning',
  text: 'The answer broke off there. It begins anew:',
}

function begunAnew({ shownTo }: Answering, piece: string): AnswerStep {
  const { answering, blocks } = takeDelta(noAnswer, piece)
  return { answering, blocks: shownTo === 0 ? blocks : [brokenNotice, ...blocks] }
}

/** Thoughts and calls that a model writes as text are told in their own way once they are whole. */
function isHeldBack(text: string): boolean {
  return /^\s*(?:\{|\[\s*\{|`{1,2}$|```(?:json)?\s*(?:$|[[{])|<(?:tool|function|$))/.test(text)
}

/** The lines up to an offset, as blocks. */
function shown(answering: Answering, to: number): AnswerStep {
  const { text, shownTo } = answering
  if (to <= shownTo) return { answering, blocks: [] }
  const lines = text.slice(shownTo, to).replace(/\n$/, '').split('\n')
  let { fence } = answering
  const blocks = lines.map((line): Block => {
    const block = { kind: 'line', text: line, fence } as const
    fence = fenceAfter(line, fence)
    return block
  })
  return { answering: { ...answering, shownTo: to, fence }, blocks }
}
