import * as z from 'zod'
import { type ErrorCode, endsAt, ScholiumError } from '../../../kernel/errors.ts'
import type { Json, JsonObject } from '../../../kernel/json.ts'
import { isJsonObject } from '../../../kernel/json.ts'
import type { RunContext } from '../../../kernel/run/run-context.ts'
import { codeLanguage } from '../../document/agent-document.ts'
import { setAside } from '../../run/attempts.ts'
import type { ActionCall } from '../action.ts'
import { isReply, pause, textOf } from './composed-action.ts'

/** An action that a parameter gives: `{action: llm.call, with: {…}}`, the parameters also beside the name. */
export const writtenAction = z.looseObject({
  action: z.string().optional(),
  uses: z.string().optional(),
  with: z.record(z.string(), z.json()).optional(),
  params: z.record(z.string(), z.json()).optional(),
})

/** The name and the parameters of a {@link writtenAction}. */
export interface WrittenAction {
  readonly name: string | undefined
  readonly params: JsonObject
}

/** What is to be done by a {@link writtenAction}. */
export function readWritten(written: z.output<typeof writtenAction>): WrittenAction {
  const { action, uses, with: inside, params, ...beside } = written
  return { name: uses ?? action, params: { ...(beside as JsonObject), ...params, ...inside } }
}

/** What came of a piece of work that may fail. */
export type Attempted =
  | { readonly ok: true; readonly result: Json }
  | { readonly ok: false; readonly error: string }

/** Failures that are the work's, and not the file's or the run's. */
const failuresOfWork: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'model_failed',
  'model_output_malformed',
  'model_unavailable',
  'outcome_unknown',
  'step_failed',
  'tool_failed',
])

/**
 * Work whose failure, thrown or said in its result, is a value; tried again so many times, each after twice the wait. What may
 * have happened is not tried again. Once for each context.
 * @throws what is the file's or the run's
 */
export async function attempt(
  context: RunContext,
  { retries, delayMs }: { readonly retries: number; readonly delayMs: number },
  work: (context: RunContext) => Promise<Json>,
): Promise<Attempted> {
  for (let number = 1; ; number++) {
    const segment = `try[${number}]`
    const { attempted, isFinal } = await attemptOnce(context, segment, work)
    if (attempted.ok || isFinal || number > retries) return attempted
    await pause(context, `wait[${number}]`, delayMs * 2 ** (number - 1))
  }
}

async function attemptOnce(
  context: RunContext,
  segment: string,
  work: (context: RunContext) => Promise<Json>,
): Promise<{ readonly attempted: Attempted; readonly isFinal: boolean }> {
  try {
    const result = await work(context.child(segment))
    const error = failureIn(result)
    const attempted =
      error === undefined ? ({ ok: true, result } as const) : ({ ok: false, error } as const)
    return { attempted, isFinal: false }
  } catch (thrown) {
    if (!(thrown instanceof ScholiumError) || endsAt(thrown, context.path)) throw thrown
    if (!failuresOfWork.has(thrown.code)) throw thrown
    await setAside(context, segment, thrown.message)
    const attempted = { ok: false, error: thrown.message } as const
    return { attempted, isFinal: thrown.code === 'outcome_unknown' }
  }
}

/** The error that a result tells, if it does. */
export function failureIn(result: Json): string | undefined {
  if (!isJsonObject(result)) return undefined
  const { success, error = null } = result
  const isTold = error !== null && error !== '' && error !== false
  if (success !== false && !isTold) return undefined
  return isTold ? textOf(error) : 'It said that it failed.'
}

/** What a result says: of a model or agent its words, else the result itself. */
export function wordsOf(result: Json): Json {
  return isReply(result) ? result.content : result
}

/** Work that a parameter gives: an action, code, or a node of the file by its name. */
export const writtenWork = z.union([
  z.string().min(1),
  writtenAction.extend({
    run: z.string().optional(),
    language: z.string().optional(),
    node: z.string().optional(),
  }),
])

/** Does such work, once for each context. @throws what the work throws */
export async function doWritten(
  call: ActionCall,
  work: z.output<typeof writtenWork>,
  context: RunContext,
  names: JsonObject,
): Promise<Json> {
  if (typeof work === 'string') return (await call.performNode(work, context, names)).result
  const { run: code, language, node, ...written } = work
  if (node !== undefined) return (await call.performNode(node, context, names)).result
  if (code !== undefined) {
    const given = { code, language: codeLanguage(code, language) }
    return resultOf(await call.runCode(given, context, names))
  }
  const { name = '', params } = readWritten(written as z.output<typeof writtenAction>)
  return call.performWritten(name, params, context, names)
}

/** Whether a parameter says what is to be done. */
export function saysWork(work: z.output<typeof writtenWork>): boolean {
  if (typeof work === 'string') return true
  const { action, uses, run, node } = work
  return [action, uses, run, node].some((one) => one !== undefined)
}

/** Said where it does not. */
export const noWork = 'give it an action, code to run, or the name of a node'

/** What code gives: what it called `result`, where it has such a variable among others. */
function resultOf(value: Json): Json {
  return isJsonObject(value) && value.result !== undefined ? value.result : value
}
