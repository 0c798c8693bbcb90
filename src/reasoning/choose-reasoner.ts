import { ScholiumError } from '../kernel/errors.ts'
import { chooseModel } from '../kernel/model/choose-model.ts'
import type { ModelBinding, ModelRole } from '../kernel/model/model.ts'
import type { RunContext } from '../kernel/run/run-context.ts'

/** The built-in engine, which knows roles and reads no prompts. */
const engineWithoutPrompts = 'extractive'

/** How a model is called. What is absent is the model's own. */
export interface CallSettings {
  /** 0 to 2. */
  readonly temperature?: number
  /** Tokens that one answer may have. */
  readonly maxOutputTokens?: number
  /** How long one attempt of a call may take. */
  readonly timeoutMs?: number
}

/**
 * As `chooseModel`, for work that is asked for in a prompt.
 * @throws `invalid_configuration` also where no language model is named at all
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
