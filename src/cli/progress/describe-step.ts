import { isStepEnd, type LiveEvent, type StepEvent } from '../../kernel/run/event.ts'
import { researchBranch } from '../render/research-branch.ts'
import { calledTool } from '../render/run-view.ts'
import { describeToolCall } from '../render/tool-call-words.ts'

/** What a tool call that has ended says to a person, or `undefined` for any other event. */
export function describeStep(event: LiveEvent): string | undefined {
  if ('transient' in event || !isStepEnd(event)) return undefined
  if (event.type !== 'step.done') return describeFailure(event)
  const tool = calledTool(event.key)
  return tool === ''
    ? undefined
    : `${stepBefore(event.key)}${sentence(describeToolCall(tool, event))}`
}

/** Which of several research steps something belongs to. */
function stepBefore(key: string): string {
  const branch = researchBranch(key)
  return branch === undefined ? '' : `(${branch.index + 1}) `
}

function describeFailure(event: StepEvent): string | undefined {
  const { failure } = event.data
  const tool = calledTool(event.key)
  // What a model call or another part failed on, the run itself tells.
  if (failure === undefined || tool === '') return undefined
  return `${stepBefore(event.key)}${tool} failed: ${failure.message}`
}

function sentence(text: string): string {
  return `${text[0]?.toUpperCase()}${text.slice(1)}`
}
