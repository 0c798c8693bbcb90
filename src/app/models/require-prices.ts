import { ScholiumError } from '../../kernel/errors.ts'
import type { Limits } from '../../kernel/limits/limits.ts'
import type { ModelRole, ModelSource } from '../../kernel/model/model.ts'
import { rolesInUse } from './roles.ts'

/** @throws `invalid_configuration` for a dollar limit without a token limit if a model's price is unknown */
export function requirePrices(
  limits: Limits,
  models: ModelSource,
  roles: readonly ModelRole[] = rolesInUse,
): void {
  if (limits.maxCostUsd === undefined || limits.maxTokens !== undefined) return
  const unpriced = roles
    .flatMap((role) =>
      role === 'embedding' ? (models.forEmbedding?.() ?? []) : models.forRole(role),
    )
    .filter(({ price }) => price === null)
  if (unpriced.length === 0) return
  const names = [...new Set(unpriced.map(({ name }) => name))]
  throw new ScholiumError(
    'invalid_configuration',
    `A dollar limit cannot be enforced: the price of ${names.join(', ')} is unknown.`,
    {
      hint: 'Also set a token limit with --max-tokens, or the price under "prices" in your own configuration file.',
    },
  )
}
