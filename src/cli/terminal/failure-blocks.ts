import type { Failure } from '../../kernel/errors.ts'
import type { Block } from './blocks.ts'

/** What is told of a failure: what happened, then what can be done. */
export function failureBlocks({ message, hint }: Pick<Failure, 'message' | 'hint'>): Block[] {
  const what: Block = { kind: 'notice', level: 'error', text: message }
  return hint === undefined ? [what] : [what, { kind: 'notice', level: 'info', text: hint }]
}
