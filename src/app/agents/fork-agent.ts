import { changedFields } from '../../graph/change-state.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'
import type { ForkChanges, ForkRequest } from '../workflows/bound-workflow.ts'

/**
 * The changes that a fork makes to an agent's state, which takes any key. @throws `invalid_input` for a question, or a
 * path that does not exist
 */
export function agentForkChanges(
  state: JsonObject,
  { changes = [], question }: ForkRequest,
): ForkChanges {
  if (question !== undefined) {
    throw new ScholiumError('invalid_input', 'A run of an agent file has no question.', {
      hint: 'Change its state instead: --set key=value. "scholium runs show RUN --state" shows it.',
    })
  }
  const known: Record<string, Json | undefined> = { ...state }
  for (const { path } of changes) {
    const [field = '', ...inner] = path.split('.')
    if (Object.hasOwn(known, field) || path.includes('[')) continue
    known[field] =
      field === 'parallel_results' ? [] : inner.length === 0 ? null : mapsFor(inner.slice(0, -1))
  }
  return { fields: changedFields(known, changes), remarks: [] }
}

/** Nested maps with these names. */
function mapsFor(names: readonly string[]): JsonObject {
  return names.reduceRight<JsonObject>((inner, name) => ({ [name]: inner }), {})
}
