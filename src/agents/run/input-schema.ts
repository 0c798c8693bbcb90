import * as z from 'zod'
import { ScholiumError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { AgentDocument } from '../document/agent-document.ts'

/**
 * Holds the input of a run against the `input_schema` of its file, a JSON Schema as far as zod reads one: types, properties,
 * required, additionalProperties, items, enum, const, minimum and maximum, lengths, pattern, format, anyOf, oneOf, allOf, $ref.
 * @throws `invalid_input` for an input that does not fit, `invalid_agent_file` for a schema that is none
 * @see https://zod.dev/json-schema#zfromjsonschema
 */
export function checkAgentInput(
  { name, inputSchema }: Pick<AgentDocument, 'name' | 'inputSchema'>,
  input: JsonObject,
): void {
  if (inputSchema === undefined) return
  const parsed = readSchema(name, inputSchema).safeParse(input)
  if (parsed.success) return
  throw new ScholiumError(
    'invalid_input',
    `The input does not fit ${name}:\n${z.prettifyError(parsed.error)}`,
    { hint: 'Give it with --input as a JSON object.' },
  )
}

function readSchema(name: string, schema: JsonObject): z.ZodType {
  try {
    return z.fromJSONSchema({ type: 'object', ...schema } as Parameters<typeof z.fromJSONSchema>[0])
  } catch (error) {
    throw new ScholiumError(
      'invalid_agent_file',
      `The input_schema of ${name} is no schema that can be read: ${(error as Error).message}`,
    )
  }
}
