import * as z from 'zod'
import type { JsonObject } from '../../../kernel/json.ts'
import { isJsonObject } from '../../../kernel/json.ts'
import type { ActionCall, ComposedAction } from '../action.ts'
import { defineComposedAction, failedResult, pause } from './composed-action.ts'
import { findFailure, retryWork } from './written-work.ts'

const params = z.strictObject({
  validate: z.string().describe('The action that checks; it returns {valid, errors}.'),
  validate_args: z
    .record(z.string(), z.json())
    .nullish()
    .describe('Its parameters, evaluated again for each check.'),
  correct: z
    .string()
    .describe('The node that corrects; it reads state._retry_errors and state._retry_count.'),
  max_retries: z
    .int()
    .min(0)
    .max(100)
    .nullish()
    .describe('Maximum number of corrections. Default 1.'),
  retry_delay: z.number().min(0).max(3_600).nullish().describe('Seconds between. Default 0.'),
})

type RetryParams = z.output<typeof params>

/** `retry.loop`. */
export function retryLoopAction(): ComposedAction {
  return defineComposedAction({
    name: 'retry.loop',
    description: 'Checks with an action, and has a node correct errors until the check passes.',
    lateParams: ['validate_args'],
    params,
    result:
      '{valid, attempts (checks), _retry_count, _retry_errors, _retry_result, _retry_exhausted}, the result of the last check, and the changes that the node made to the state. A check that fails counts as not valid.',
    run: retryLoop,
  })
}

async function retryLoop(given: RetryParams, call: ActionCall): Promise<JsonObject> {
  const most = given.max_retries ?? 1
  let changed: JsonObject = {}
  for (let count = 0; ; count++) {
    const checked = await checkOutput(given, call, count, changed)
    const errors = Array.isArray(checked.errors) ? checked.errors : []
    const valid = checked.valid === true
    const isOver = valid || count >= most
    const facts = {
      _retry_count: count,
      _retry_errors: valid ? [] : errors,
      _retry_result: checked,
    }
    if (isOver)
      return {
        ...changed,
        ...facts,
        _retry_exhausted: !valid,
        ...checked,
        valid,
        attempts: count + 1,
      }
    const mended = await correctOutput(given, call, count, { ...changed, ...facts })
    if (!mended.ok) {
      const message = `The node ${given.correct} failed: ${mended.error}`
      const all = [...errors, { type: 'correction_error', message }]
      return {
        ...changed,
        ...facts,
        _retry_errors: all,
        _retry_exhausted: false,
        error: message,
        success: false,
        valid,
        attempts: count + 1,
      }
    }
    const { changes } = mended.result as { readonly changes: JsonObject }
    changed = { ...changed, ...changes }
    await pause(call.context, `wait[${count + 1}]`, (given.retry_delay ?? 0) * 1_000)
  }
}

async function checkOutput(
  { validate, validate_args: args }: RetryParams,
  call: ActionCall,
  count: number,
  changed: JsonObject,
): Promise<JsonObject> {
  const context = call.context.child(`check[${count + 1}]`)
  const seen = call.withState({ ...changed, _retry_count: count })
  const done = await retryWork(context, { retries: 0, delayMs: 0 }, async (inside) => ({
    checked: await seen.performWritten(validate, (args ?? {}) as JsonObject, inside),
  }))
  if (!done.ok) return { valid: false, errors: [{ type: 'validation_error', message: done.error }] }
  const { checked = null } = done.result as JsonObject
  if (isJsonObject(checked)) return checked
  return { valid: checked === true, errors: [] }
}

function correctOutput(given: RetryParams, call: ActionCall, count: number, seen: JsonObject) {
  const context = call.context.child(`mend[${count + 1}]`)
  return retryWork(context, { retries: 0, delayMs: 0 }, async (inside) => {
    const { result, changes } = await call.withState(seen).performNode(given.correct, inside, seen)
    const error = findFailure(result)
    return error === undefined ? { changes } : failedResult(error)
  })
}
