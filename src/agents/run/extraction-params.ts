import type { JsonObject } from '../../kernel/json.ts'
import type { AgentDocument } from '../document/agent-document.ts'

const extractionActions = ['validate.extraction', 'validate.generate_prompt']

/** The parameters of an action with what the checks of extractions take from the file and the state where nothing else is said. */
export function withExtraction(
  { extractionSchema }: AgentDocument,
  action: string,
  params: JsonObject,
  state: JsonObject,
): JsonObject {
  if (!extractionActions.includes(action)) return params
  const schema = extractionSchema === undefined ? {} : { extraction_schema: extractionSchema }
  if (action !== 'validate.extraction') return { ...schema, ...params }
  const found = ['entities', 'relationships'].filter((key) => Array.isArray(state[key]))
  const extracted = Object.fromEntries(found.map((key) => [key, `{{ state.${key} }}`]))
  return { ...schema, ...extracted, ...params }
}
