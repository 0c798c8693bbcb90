import { ScholiumError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { checkSchema } from '../actions/tools/json-schema/check-schema.ts'
import type { AgentDocument } from '../document/agent-document.ts'

/**
 * Holds the input of a run against the `input_schema` of its file, a JSON Schema of draft 2020-12.
 * @throws `invalid_input` for an input that does not fit, `invalid_agent_file` if the schema is invalid, the signal's reason
 */
export async function checkAgentInput(
  { name, inputSchema }: Pick<AgentDocument, 'name' | 'inputSchema'>,
  input: JsonObject,
  signal: AbortSignal,
): Promise<void> {
  if (inputSchema === undefined) return
  const checked = await checkSchema({ type: 'object', ...inputSchema }, input, signal)
  if (!checked.ok) {
    const message = `The input_schema of ${name} is not a valid schema: ${checked.problem}`
    throw new ScholiumError('invalid_agent_file', message)
  }
  if (checked.errors.length === 0) return
  const told = checked.errors.map(({ path, message }) => `${path || 'the input'}: ${message}`)
  throw new ScholiumError(
    'invalid_input',
    `The input does not match the input_schema of ${name}:\n${told.join('\n')}`,
    {
      hint: 'Give it with --input as a JSON object.',
    },
  )
}
