import * as z from 'zod'
import { type ErrorCode, endsAt, ScholiumError } from '../../../kernel/errors.ts'
import type { Json, JsonObject } from '../../../kernel/json.ts'
import { isJsonObject } from '../../../kernel/json.ts'
import type { RunContext } from '../../../kernel/run/run-context.ts'
import { detectCodeLanguage } from '../../document/agent-document.ts'
import { recordFailedAttempt } from '../../run/attempts.ts'
import type { ActionCall } from '../action.ts'
import { isReply, pause, toText } from './composed-action.ts'

/** An action given in a parameter: `{action: llm.call, with: {…}}`; its parameters may also be next to the name. */
export const inlineActionSchema = z.looseObject({
  action: z.string().optional(),
  uses: z.string().optional(),
  with: z.record(z.string(), z.json()).optional(),
  params: z.record(z.string(), z.json()).optional(),
})

/** Name and parameters of an inline action. */
export interface InlineAction {
  readonly name: string | undefined
  readonly params: JsonObject
}

/** Parses an inline action. */
export function parseInlineAction(written: z.output<typeof inlineActionSchema>): InlineAction {
  const { action, uses, with: inside, params, ...beside } = written
  return { name: uses ?? action, params: { ...(beside as JsonObject), ...params, ...inside } }
}

/** The outcome of work that may fail. */
export type AttemptOutcome =
  | { readonly ok: true; readonly result: Json }
  | { readonly ok: false; readonly error: string }

/** Failures of the work rather than of the file or the run. */
const workFailures: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'model_failed',
  'model_output_malformed',
  'model_unavailable',
  'outcome_unknown',
  'step_failed',
  'tool_failed',
])

/**
 * Runs work whose failure, thrown or reported in its result, is returned as a value. Retries with doubling delays,
 * except work that may have taken effect. Once per context.
 * @throws errors of the file or the run
 */
export async function retryWork(
  context: RunContext,
  { retries, delayMs }: { readonly retries: number; readonly delayMs: number },
  work: (context: RunContext) => Promise<Json>,
): Promise<AttemptOutcome> {
  for (let number = 1; ; number++) {
    const segment = `try[${number}]`
    const { attempted, isFinal } = await tryWork(context, segment, work)
    if (attempted.ok || isFinal || number > retries) return attempted
    await pause(context, `wait[${number}]`, delayMs * 2 ** (number - 1))
  }
}

async function tryWork(
  context: RunContext,
  segment: string,
  work: (context: RunContext) => Promise<Json>,
): Promise<{ readonly attempted: AttemptOutcome; readonly isFinal: boolean }> {
  try {
    const result = await work(context.child(segment))
    const error = findFailure(result)
    const attempted =
      error === undefined ? ({ ok: true, result } as const) : ({ ok: false, error } as const)
    return { attempted, isFinal: false }
  } catch (thrown) {
    if (!(thrown instanceof ScholiumError) || endsAt(thrown, context.path)) throw thrown
    if (!workFailures.has(thrown.code)) throw thrown
    await recordFailedAttempt(context, segment, thrown.message)
    const attempted = { ok: false, error: thrown.message } as const
    return { attempted, isFinal: thrown.code === 'outcome_unknown' }
  }
}

/** The error that a result reports, if any. */
export function findFailure(result: Json): string | undefined {
  if (!isJsonObject(result)) return undefined
  const { success, error = null } = result
  const isTold = error !== null && error !== '' && error !== false
  if (success !== false && !isTold) return undefined
  return isTold ? toText(error) : 'It reported a failure.'
}

/** What a result says: the text of a model or agent, otherwise the result itself. */
export function getWords(result: Json): Json {
  return isReply(result) ? result.content : result
}

/** Work given in a parameter: an action, code, or a node's name. */
export const inlineWorkSchema = z.union([
  z.string().min(1),
  inlineActionSchema.extend({
    run: z.string().optional(),
    language: z.string().optional(),
    node: z.string().optional(),
  }),
])

/** Runs such work, once per context. @throws what the work throws */
export async function runInlineWork(
  call: ActionCall,
  work: z.output<typeof inlineWorkSchema>,
  context: RunContext,
  names: JsonObject,
): Promise<Json> {
  if (typeof work === 'string') return (await call.performNode(work, context, names)).result
  const { run: code, language, node, ...written } = work
  if (node !== undefined) return (await call.performNode(node, context, names)).result
  if (code !== undefined) {
    const given = { code, language: detectCodeLanguage(code, language) }
    return pickResult(await call.runCode(given, context, names))
  }
  const { name = '', params } = parseInlineAction(written as z.output<typeof inlineActionSchema>)
  return call.performWritten(name, params, context, names)
}

/** Whether a parameter describes any work. */
export function hasWork(work: z.output<typeof inlineWorkSchema>): boolean {
  if (typeof work === 'string') return true
  const { action, uses, run, node } = work
  return [action, uses, run, node].some((one) => one !== undefined)
}

/** Error text if it does not. */
export const missingWork = 'give it an action, code to run, or the name of a node'

/** The variable `result` that code set, if there is one, otherwise its value. */
function pickResult(value: Json): Json {
  return isJsonObject(value) && value.result !== undefined ? value.result : value
}
