import type { Json } from '../../kernel/json.ts'
import type { StepEvent } from '../../kernel/run/event.ts'
import { asObject } from './as-object.ts'

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
