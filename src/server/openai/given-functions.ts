import { z } from '@hono/zod-openapi'
import type { FunctionsRequest } from '../../app.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { OpenAiRequestError } from './openai-error.ts'

/** The tools of a request. */
export interface GivenTools {
  readonly tools?:
    | readonly { readonly type: string; readonly [more: string]: unknown }[]
    | null
    | undefined
  readonly toolChoice?: unknown
}

const functionForm = z.looseObject({
  name: z.string().regex(/^[\w-]{1,64}$/),
  description: z.string().max(10_000).nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
})

/** The functions among the tools of a request; none if `tool_choice` is `none`. @throws for what Scholium cannot do with them */
export function readFunctions({ tools, toolChoice }: GivenTools): FunctionsRequest['functions'] {
  const given = (tools ?? []).filter(({ type }) => type === 'function')
  if (given.length === 0 || toolChoice === 'none') return []
  if (given.length < (tools ?? []).length)
    throw refused('tools', 'With functions of the client, there are no other tools.')
  if (toolChoice != null && toolChoice !== 'auto')
    throw refused('tool_choice', 'The model chooses its calls: tool_choice is "auto" or "none".')
  const functions = given.map((tool) => {
    const read = functionForm.safeParse(tool.function ?? tool)
    if (!read.success) throw refused('tools', 'A function needs a name of at most 64 characters.')
    const { name, description, parameters } = read.data
    const schema = (parameters ?? { type: 'object', properties: {} }) as JsonObject
    return { name, description: description ?? '', parameters: schema }
  })
  if (new Set(functions.map(({ name }) => name)).size < functions.length)
    throw refused('tools', 'Two functions have the same name.')
  return functions
}

function refused(param: string, message: string): OpenAiRequestError {
  return new OpenAiRequestError('unsupported_value', param, message)
}
