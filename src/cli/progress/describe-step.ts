import type { Json } from '../../kernel/json.ts'
import { isStepEnd, type LiveEvent, type StepEvent } from '../../kernel/run/event.ts'
import { asObject } from '../render/as-object.ts'
import { calledTool, researchBranch } from '../render/run-view.ts'

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

/** What a tool call did, in a few words. */
export function describeToolCall(tool: string, event: StepEvent): string {
  const { failure } = event.data
  if (failure !== undefined) return `${tool} failed: ${failure.message}`
  const { query, passages, expression, result, citation, error } = asObject(event.output)
  const trouble = errorText(error)
  if (trouble !== '') return `${tool} failed: ${trouble}`
  const found = Array.isArray(passages)
    ? `${passages.length} passage${passages.length === 1 ? '' : 's'}`
    : ''
  if (tool === 'search_library') return `searched "${query}": ${found}`
  if (tool === 'read_source') return `read [${citation}]: ${found}`
  if (tool === 'quote_source') return `looked up a quote in [${citation}]`
  return expression === undefined ? `used ${tool}` : `calculated ${expression} = ${result}`
}

/** What a tool says went wrong in its result: a text, or what foreign code ended on; empty for nothing. */
export function errorText(error: Json | undefined): string {
  if (typeof error === 'string') return error
  const { type, message } = asObject(error)
  return [type, message].filter((part) => typeof part === 'string' && part !== '').join(': ')
}
