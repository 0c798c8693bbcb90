import { ScholiumError } from '../errors.ts'
import type { RunContext } from '../run/run-context.ts'
import type { EmbeddingBinding, ModelBinding, ModelRole } from './model.ts'

/**
 * The model of a name, or the role's own without one. That a name may be called is a step of the context, once for each role.
 *
 * @param name `provider:model`
 * @throws `invalid_configuration` for a name that cannot be used, or one without a known price under a dollar limit alone
 */
export async function chooseModel(
  context: RunContext,
  role: ModelRole,
  name?: string,
): Promise<ModelBinding> {
  const { models } = context.services
  if (name === undefined) return models.forRole(role)
  if (models.forName === undefined) {
    throw new ScholiumError(
      'invalid_configuration',
      `The model "${name}" cannot be called: this run knows models only by role.`,
      { hint: 'Omit the name, or give the run a model source that has forName.' },
    )
  }
  const binding = models.forName(name, role)
  // The limits of a replay are not those of the run, so the log has the outcome.
  await context.step(`named:${role}`, 'pure', { name }, async () => {
    if (binding.price === null && isBoundByDollars(context)) throw unpriced(name)
    return null
  })
  return binding
}

/**
 * The model that makes vectors: of a name, or that of the role `embedding`. That it may be called is a step of the context.
 *
 * @param name `provider:model`
 * @throws `invalid_configuration` for a name that cannot be used, a role without a model, or one without a known price under a
 *   dollar limit alone
 */
export async function chooseEmbedding(
  context: RunContext,
  name?: string,
): Promise<EmbeddingBinding> {
  const binding = context.services.models.forEmbedding?.(name)
  if (binding === undefined) {
    throw new ScholiumError('invalid_configuration', 'No embedding model was chosen.', {
      hint: 'Choose one: --model embedding=ollama:nomic-embed-text, or another as provider:model.',
    })
  }
  await context.step('named:embedding', 'pure', { name: binding.name }, async () => {
    if (binding.price === null && isBoundByDollars(context)) throw unpriced(binding.name)
    return null
  })
  return binding
}

/** Whether a dollar limit applies without a token limit that could take its place. */
function isBoundByDollars({ services, share }: RunContext): boolean {
  const { budget } = services
  return [budget, budget.ofRun].some((account) => {
    const { costUsd, tokens } = account.remaining(share)
    return costUsd !== Infinity && tokens === Infinity
  })
}

function unpriced(name: string): ScholiumError {
  return new ScholiumError(
    'invalid_configuration',
    `A dollar limit cannot be enforced: the price of ${name} is unknown.`,
    {
      retryable: true,
      hint: 'Also set a token limit with --max-tokens, or the price under "prices" in your own configuration file.',
    },
  )
}
