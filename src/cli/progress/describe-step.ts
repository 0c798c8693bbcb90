import type { LiveEvent, RunEvent, StepFacts } from '../../kernel/run/event.ts'
import { researchBranch } from '../render/research-branch.ts'
import { calledTool } from '../render/run-view.ts'
import { describeToolCall } from '../render/tool-call-words.ts'

/** What a tool call that has ended says to a person, or `undefined` for any other event. */
export function describeStep(event: LiveEvent): string | undefined {
  if ('transient' in event) return undefined
  if (event.type === 'step.failed' || event.type === 'step.outcome_unknown')
    return describeFailure(event)
  const tool = event.type === 'step.done' ? calledTool(event.key) : ''
  return tool === ''
    ? undefined
    : `${stepBefore(event.key)}${sentence(describeToolCall(tool, event))}`
}

/** Which of several research steps something belongs to. */
function stepBefore(key: string): string {
  const branch = researchBranch(key)
  return branch === undefined ? '' : `(${branch.index + 1}) `
}

function describeFailure(event: RunEvent): string | undefined {
  const { failure } = event.data as Partial<StepFacts>
  const tool = calledTool(event.key)
  // What a model call or another part failed on, the run itself tells.
  if (failure === undefined || tool === '') return undefined
  return `${stepBefore(event.key)}${tool} failed: ${failure.message}`
}

function sentence(text: string): string {
  return `${text[0]?.toUpperCase()}${text.slice(1)}`
}
