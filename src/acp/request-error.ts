import { RequestError } from '@agentclientprotocol/sdk'
import { type ErrorCode, type Failure, toFailure } from '../kernel/errors.ts'

/** The protocol's error for one of ours; `data` has our code and hint. */
export function requestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error
  return failureError(toFailure(error))
}

/** The same for the failure that ended a turn. */
export function failureError({ code, message, hint }: Failure): RequestError {
  const told = hint === undefined ? message : `${message} ${hint}`
  return new RequestError(codes[code] ?? internalError, told, { code, message, hint })
}

/** @see https://agentclientprotocol.com/protocol/v1/schema */
const internalError = -32603
const invalidParams = -32602
const notFound = -32002
const cancelled = -32800

const codes: Partial<Record<ErrorCode, number>> = {
  invalid_input: invalidParams,
  run_not_found: notFound,
  cancelled,
}

/** The error for invalid parameters. */
export function refusedParams(message: string): RequestError {
  return new RequestError(invalidParams, message)
}
