import { ScholiumError } from '../../kernel/errors.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'
import { isJsonObject } from '../../kernel/json.ts'
import type { NodeView } from './agent-run.ts'
import { type AgentState, toPatch, visibleState } from './state.ts'

/** The question at a node of `interrupt_before` or `interrupt_after`. */
export type InterruptPrompt = {
  readonly kind: 'interrupt'
  readonly when: 'before' | 'after'
  readonly node: string
  readonly state: JsonObject
  /** Why the last answer could not be used. */
  readonly problem?: string
}

const yes = /^(?:y|yes|ok|go|continue|approve|approved)[.!]?$/i
const no = /^(?:n|no|stop|refuse|refused|reject|rejected)[.!]?$/i

/** Code in `details.reason` of the error with which a person ends a run. */
export const refusedByPerson = 'refused_by_person'

/**
 * Waits for a person: `approve` continues, an object (or its JSON) changes the state, `stop` ends the run. Any other
 * answer is asked for again.
 * @throws `waiting`; `invalid_input` with the reason {@link refusedByPerson}
 */
export async function interrupt(
  when: 'before' | 'after',
  node: string,
  { context, state }: NodeView,
): Promise<AgentState> {
  const asked = { kind: 'interrupt', when, node, state: visibleState(state) } as const
  let problem: string | undefined
  for (let round = 1; ; round++) {
    const prompt: InterruptPrompt = { ...asked, ...(problem === undefined ? {} : { problem }) }
    const answer = await context.ask(`${when}[${round}]`, prompt)
    const read = readAnswer(answer)
    if (read === 'stop') throw readRefusal(when, node)
    if (typeof read !== 'string') return toPatch(read, 'The answer')
    problem = read
  }
}

/** The state change, `stop`, or what is wrong with the answer. */
function readAnswer(answer: Json): JsonObject | string {
  if (isJsonObject(answer)) return answer
  if (answer === true) return {}
  if (answer === false) return 'stop'
  const text = typeof answer === 'string' ? answer.trim() : ''
  if (yes.test(text)) return {}
  if (no.test(text)) return 'stop'
  if (!text.startsWith('{'))
    return 'Answer approve, stop, or the keys of the state to change as a JSON object.'
  try {
    return JSON.parse(text) as JsonObject
  } catch (error) {
    return `That is not JSON: ${(error as Error).message}`
  }
}

function readRefusal(when: string, node: string): ScholiumError {
  return new ScholiumError('invalid_input', `The user stopped the run ${when} node "${node}".`, {
    details: { reason: refusedByPerson },
  })
}
