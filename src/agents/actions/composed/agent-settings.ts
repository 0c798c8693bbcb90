import type { JsonObject } from '../../../kernel/json.ts'
import { nearest } from '../../../kernel/text/nearest.ts'
import type { ActionCall } from '../action.ts'
import type { ModelParams } from './model-params.ts'
import { isObject, textOf } from './values.ts'

/** An agent of `settings.agents`. */
export interface NamedAgent {
  readonly name: string
  readonly systemPrompt: string
  readonly params: ModelParams
  readonly tools: readonly string[]
}

/** The agent of a name, or why there is none. */
export function agentNamed(
  { scope }: Pick<ActionCall, 'scope'>,
  name: string,
): NamedAgent | { readonly error: string } {
  const { agents } = scope.settings
  const known = isObject(agents) ? agents : {}
  const found = Object.hasOwn(known, name) ? known[name] : undefined
  if (isObject(found)) return readAgent(name, found)
  const names = Object.keys(known)
  const meant = nearest(name, names)
  const advice =
    meant === undefined ? ` Available: ${names.join(', ') || 'none'}.` : ` Did you mean "${meant}"?`
  return { error: `There is no agent "${name}" in settings.agents.${advice}` }
}

function readAgent(name: string, found: JsonObject): NamedAgent {
  const { system_prompt: prompt, tools, description: _, ...params } = found
  return {
    name,
    systemPrompt: prompt === undefined || prompt === null ? '' : textOf(prompt),
    params: params as ModelParams,
    tools: Array.isArray(tools) ? tools.map((tool) => textOf(tool)) : [],
  }
}
