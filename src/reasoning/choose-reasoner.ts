import { ScholiumError } from '../kernel/errors.ts'
import { chooseModel } from '../kernel/model/choose-model.ts'
import type { ModelBinding, ModelRole } from '../kernel/model/model.ts'
import type { RunContext } from '../kernel/run/run-context.ts'

/** The built-in engine, which plays roles but does not read prompts. */
const engineWithoutPrompts = 'extractive'

/** Settings of model calls; absent ones are the model's own. */
export interface CallSettings {
  /** 0 to 2. */
  readonly temperature?: number
  /** Maximum number of tokens in one answer. */
  readonly maxOutputTokens?: number
  /** Time limit of one attempt, in milliseconds. */
  readonly timeoutMs?: number
}

/**
 * Like `chooseModel`, for work requested by a prompt.
 * @throws `invalid_configuration` also if no language model is chosen at all
 */
export async function chooseReasoner(
  context: RunContext,
  role: ModelRole,
  name?: string,
  { temperature, maxOutputTokens, timeoutMs }: CallSettings = {},
): Promise<ModelBinding> {
  const binding = await chooseModel(context, role, name)
  if (binding.effect !== 'pure' || binding.name !== engineWithoutPrompts)
    return {
      ...binding,
      ...(temperature === undefined ? {} : { temperature }),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    }
  throw new ScholiumError(
    'invalid_configuration',
    'Reasoning needs a language model, which the built-in engine "extractive" is not.',
    { hint: 'Name a model for this, as "provider:model", or one for all roles with --model.' },
  )
}
