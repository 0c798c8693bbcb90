import type { RunContext } from '../kernel/run/run-context.ts'
import { describeEvidence } from '../team/conversation.ts'
import { readEvidence } from '../team/evidence.ts'
import { earlierEvidence } from './earlier.ts'
import type { AskState } from './state.ts'
import type { TeamParts } from './team.ts'

/** The passages on which earlier answers rest, read again as one step, as the expert is told of them; empty text for none. */
export async function describeEarlierEvidence(
  { library }: TeamParts,
  state: AskState,
  context: RunContext,
): Promise<string> {
  const read = await readEvidence(context, library, earlierEvidence(state))
  const passages = read.filter(({ text }) => text !== '')
  if (passages.length === 0) return ''
  return `\nPassages on which the earlier answers rest (JSON):\n${describeEvidence(passages)}`
}
