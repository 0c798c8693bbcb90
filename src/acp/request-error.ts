import { RequestError } from '@agentclientprotocol/sdk'
import { type ErrorCode, type Failure, toFailure } from '../kernel/errors.ts'

/** The error of the protocol for an error of ours; `data` says our code and what the person can do. */
export function requestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error
  return failureError(toFailure(error))
}

/** The same of an error that a turn ended with. */
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

/** A request whose parameters cannot be used. */
export function refusedParams(message: string): RequestError {
  return new RequestError(invalidParams, message)
}
