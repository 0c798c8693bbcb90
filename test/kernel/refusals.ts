import { APICallError } from '@ai-sdk/provider'
import type { ScholiumError } from '../../src/kernel/errors.ts'
import { describeRefusal } from '../../src/kernel/model/errors/model-refusal.ts'
import type { ModelReach } from '../../src/kernel/model/model.ts'

const openai: ModelReach = {
  provider: 'openai',
  baseUrl: 'https://api.openai.com/v1',
  keyVariable: 'OPENAI_API_KEY',
}

/** An answer that is a refusal. */
export interface Refusing {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** What a provider's package throws for an answer of its service. */
export function refused({ status, body = '', headers = {} }: Refusing): APICallError {
  return new APICallError({
    message: 'Bad answer',
    url: 'https://example.org',
    requestBodyValues: {},
    statusCode: status,
    responseHeaders: headers,
    responseBody: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

/** The message for a thrown error. */
export function told(thrown: unknown, reach = openai, model = 'big'): ScholiumError {
  const binding = {
    name: `${reach.provider}:${model}`,
    effect: 'read' as const,
    timeoutMs: 30,
    reach,
  }
  return describeRefusal(binding, thrown, false)
}

/** A body as OpenAI and all that took its interface give it. */
export const openaiError = (
  message: string,
  code: string | null,
  type = 'invalid_request_error',
) => ({
  error: { message, type, param: null, code },
})
/** @see https://platform.claude.com/docs/en/api/errors */
export const anthropicError = (type: string, message: string) => ({
  type: 'error',
  error: { type, message },
})
/** @see https://cloud.google.com/apis/design/errors */
export const googleError = (
  code: number,
  status: string,
  message: string,
  details: unknown[] = [],
) => ({
  error: { code, message, status, details },
})
