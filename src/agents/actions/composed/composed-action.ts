import type * as z from 'zod'
import { endsAt, ScholiumError } from '../../../kernel/errors.ts'
import type { Json, JsonObject } from '../../../kernel/json.ts'
import { isJsonObject } from '../../../kernel/json.ts'
import type { RunContext } from '../../../kernel/run/run-context.ts'
import { setAside } from '../../run/attempts.ts'
import type { ActionCall, ComposedAction } from '../action.ts'

/** What a composed action is declared with. */
export interface ComposedDeclaration<Schema extends z.ZodType>
  extends Omit<ComposedAction, 'kind' | 'params' | 'run'> {
  readonly params: Schema
  run(params: z.output<Schema>, call: ActionCall): Promise<Json>
}

/** An action from its declaration. */
export function composedAction<Schema extends z.ZodType>(
  declaration: ComposedDeclaration<Schema>,
): ComposedAction {
  const { run, ...facts } = declaration
  return {
    ...facts,
    kind: 'composed',
    run: (params, call) => run(params as z.output<Schema>, call),
  }
}

/** What only this call could not do, as data: `{error, success: false}`. */
export function notDone(error: string, more: JsonObject = {}): JsonObject {
  return { error, success: false, ...more }
}

/** Failures that are a model's, and not the file's or the run's. */
const modelFailures: ReadonlySet<string> = new Set([
  'model_failed',
  'model_output_malformed',
  'model_unavailable',
])

/** The error of a model that gave nothing usable; anything else is thrown on. */
export function modelFailureOf(thrown: unknown, { path }: RunContext): ScholiumError {
  if (!(thrown instanceof ScholiumError) || endsAt(thrown, path)) throw thrown
  if (!modelFailures.has(thrown.code)) throw thrown
  return thrown
}

/**
 * What `work` gives, or as data why a model gave nothing usable: `{error, success: false, error_type}`. The log then says that
 * the run went on from there. Once for each context.
 */
export async function orNotDone(
  context: RunContext,
  work: (context: RunContext) => Promise<Json>,
  more: JsonObject = {},
): Promise<Json> {
  try {
    return await work(context.child('work'))
  } catch (thrown) {
    const { message, code } = modelFailureOf(thrown, context)
    await setAside(context, 'work', message)
    return notDone(message, { error_type: code, ...more })
  }
}

/** Waits by the run's clock, as a step. @param name unique within the context */
export async function pause(context: RunContext, name: string, delayMs: number): Promise<void> {
  if (delayMs <= 0) return
  await context.step(name, 'pure', { delayMs }, async (attempt) => {
    await attempt.sleep(delayMs)
    return null
  })
}

/** The text of a value: itself, or its JSON. */
export function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Whether a value is what an action gives that asked a model: what was said, by whom, and what it used. */
export function isReply(
  value: Json,
): value is JsonObject & { readonly content: string; readonly parsed?: Json } {
  if (!isJsonObject(value)) return false
  const { content, model, usage } = value
  return typeof content === 'string' && typeof model === 'string' && isJsonObject(usage)
}
