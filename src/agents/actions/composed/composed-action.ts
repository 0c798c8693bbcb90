import type * as z from 'zod'
import { endsAt, ScholiumError } from '../../../kernel/errors.ts'
import type { Json, JsonObject } from '../../../kernel/json.ts'
import { isJsonObject } from '../../../kernel/json.ts'
import type { RunContext } from '../../../kernel/run/run-context.ts'
import { recordFailedAttempt } from '../../run/attempts.ts'
import type { ActionCall, ComposedAction } from '../action.ts'

/** Declaration of a composed action. */
export interface ComposedDeclaration<Schema extends z.ZodType>
  extends Omit<ComposedAction, 'kind' | 'params' | 'run'> {
  readonly params: Schema
  run(params: z.output<Schema>, call: ActionCall): Promise<Json>
}

/** Creates an action from its declaration. */
export function defineComposedAction<Schema extends z.ZodType>(
  declaration: ComposedDeclaration<Schema>,
): ComposedAction {
  const { run, ...facts } = declaration
  return {
    ...facts,
    kind: 'composed',
    run: (params, call) => run(params as z.output<Schema>, call),
  }
}

/** A failure of this call only, as data: `{error, success: false}`. */
export function failedResult(error: string, more: JsonObject = {}): JsonObject {
  return { error, success: false, ...more }
}

/** Failures of a model rather than of the file or the run. */
const modelFailures: ReadonlySet<string> = new Set([
  'model_failed',
  'model_output_malformed',
  'model_unavailable',
])

/** The error of a model that returned nothing usable; any other error is rethrown. */
export function requireModelFailure(thrown: unknown, { path }: RunContext): ScholiumError {
  if (!(thrown instanceof ScholiumError) || endsAt(thrown, path)) throw thrown
  if (!modelFailures.has(thrown.code)) throw thrown
  return thrown
}

/**
 * Runs `work`; if a model returned nothing usable, returns `{error, success: false, error_type}`. The log then records
 * that the run continued. Once per context.
 */
export async function orFailedResult(
  context: RunContext,
  work: (context: RunContext) => Promise<Json>,
  more: JsonObject = {},
): Promise<Json> {
  try {
    return await work(context.child('work'))
  } catch (thrown) {
    const { message, code } = requireModelFailure(thrown, context)
    await recordFailedAttempt(context, 'work', message)
    return failedResult(message, { error_type: code, ...more })
  }
}

/** Waits on the run's clock, as a step. @param name unique within the context */
export async function pause(context: RunContext, name: string, delayMs: number): Promise<void> {
  if (delayMs <= 0) return
  await context.step(name, 'pure', { delayMs }, async (attempt) => {
    await attempt.sleep(delayMs)
    return null
  })
}

/** A value as text: itself, or its JSON. */
export function toText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Whether a value is the result of an action that called a model. */
export function isReply(
  value: Json,
): value is JsonObject & { readonly content: string; readonly parsed?: Json } {
  if (!isJsonObject(value)) return false
  const { content, model, usage } = value
  return typeof content === 'string' && typeof model === 'string' && isJsonObject(usage)
}
