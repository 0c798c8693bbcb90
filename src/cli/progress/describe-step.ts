import type { Json } from '../../kernel/json.ts'
import { isStepEnd, type LiveEvent, type StepEvent } from '../../kernel/run/event.ts'
import { asObject } from '../render/as-object.ts'
import { calledTool, researchBranch } from '../render/run-view.ts'

/** The progress line of a finished tool call; `undefined` for any other event. */
export function describeStep(event: LiveEvent): string | undefined {
  if ('transient' in event || !isStepEnd(event)) return undefined
  if (event.type !== 'step.done') return describeFailure(event)
  const tool = calledTool(event.key)
  return tool === ''
    ? undefined
    : `${stepBefore(event.key)}${sentence(describeToolCall(tool, event))}`
}

/** The research step of a key, if there are several. */
function stepBefore(key: string): string {
  const branch = researchBranch(key)
  return branch === undefined ? '' : `(${branch.index + 1}) `
}

function describeFailure(event: StepEvent): string | undefined {
  const { failure } = event.data
  const tool = calledTool(event.key)
  // The run itself reports failures of model calls and other parts.
  if (failure === undefined || tool === '') return undefined
  return `${stepBefore(event.key)}${tool} failed: ${failure.message}`
}

function sentence(text: string): string {
  return `${text[0]?.toUpperCase()}${text.slice(1)}`
}

/** Describes a tool call in a few words. */
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

/** The error in a tool's result: a text, or what foreign code failed with; empty if there is none. */
export function errorText(error: Json | undefined): string {
  if (typeof error === 'string') return error
  const { type, message } = asObject(error)
  return [type, message].filter((part) => typeof part === 'string' && part !== '').join(': ')
}
