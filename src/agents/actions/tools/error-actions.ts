import * as z from 'zod'
import type { Json, JsonObject } from '../../../kernel/json.ts'
import { isJsonObject } from '../../../kernel/json.ts'
import type { ComposedAction } from '../action.ts'
import { defineComposedAction } from '../composed/composed-action.ts'

/** HTTP status for a failure code; 500 for all others. */
const statuses: { readonly [code: string]: number } = {
  invalid_input: 400,
  invalid_agent_file: 500,
  limit_reached: 429,
  model_unavailable: 503,
  run_not_found: 404,
  cancelled: 499,
}

const nothing = z.strictObject({})

/** Queries about the failure that `on_error` left in the state as `error`: `{code, message, retryable, node}`. */
export function errorActions(): readonly ComposedAction[] {
  return [
    question(
      'error.has',
      'Whether there is an error in the state.',
      'true or false',
      (error) => error !== undefined,
    ),
    question(
      'error.get',
      'The error in the state.',
      '{code, message, retryable, hint, details, node}, or null',
      (error) => error ?? null,
    ),
    question(
      'error.type',
      'The code of the error in the state.',
      'a text such as tool_failed, or null',
      (error) => error?.code ?? null,
    ),
    question(
      'error.is_retryable',
      'Whether trying again may help.',
      'true or false',
      (error) => error?.retryable === true,
    ),
    question(
      'error.clear',
      'Removes the error from the state.',
      '{error: null}, which goes into the state',
      () => ({ error: null }),
    ),
    respondAction(),
  ]
}

function question(
  name: string,
  description: string,
  result: string,
  answer: (error: JsonObject | undefined) => Json,
): ComposedAction {
  return defineComposedAction({
    name,
    description,
    params: nothing,
    result,
    run: async (_params, { state }) => answer(findError(state)),
  })
}

function respondAction(): ComposedAction {
  return defineComposedAction({
    name: 'error.respond',
    description:
      'Formats the error in the state as an HTTP response. Nothing is sent; the run continues.',
    params: z.strictObject({
      status: z
        .int()
        .min(100)
        .max(599)
        .optional()
        .describe('The status; by default derived from the error code.'),
    }),
    result:
      '{status, body: {error, message, retryable}, headers}; status 200 and an empty body if there is no error',
    run: async ({ status }, { state }) => {
      const error = findError(state)
      if (error === undefined) return { status: 200, body: {}, headers: {} }
      const { code = 'internal', message = '', retryable = false } = error
      return {
        status: status ?? statuses[String(code)] ?? 500,
        body: { error: code, message, retryable },
        headers: { 'content-type': 'application/json' },
      }
    },
  })
}

function findError({ error }: JsonObject): JsonObject | undefined {
  return error !== undefined && isJsonObject(error) && Object.keys(error).length > 0
    ? error
    : undefined
}
