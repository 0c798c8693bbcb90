import * as z from 'zod'
import type { Json, JsonObject } from '../../../kernel/json.ts'
import type { FetchFailure, FetchOutcome } from '../../../sources/web/fetch-failure.ts'
import type { WebFetchOptions } from '../../../sources/web/web.ts'
import type { ToolAction } from '../action.ts'
import {
  defineToolAction,
  failedResult,
  requireService,
  type ToolActionServices,
} from './tool-action.ts'

const maxBodyBytes = 5_000_000
const maxTimeoutSeconds = 120

const url = z
  .string()
  .min(1)
  .max(8_000)
  .describe('An http or https address on the public web, or at an origin that the operator allows.')

/** Headers about the connection and message length, which files must not set. */
const ownHeaders =
  /^(?:host|connection|content-length|transfer-encoding|upgrade|te|trailer|expect|proxy-.*|sec-.*)$/i

const headers = z
  .record(
    z
      .string()
      .regex(/^[!#$%&'*+.^`|~\w-]{1,100}$/, 'is not a header name')
      .refine((name) => !ownHeaders.test(name), 'is set by the connection itself'),
    z
      .string()
      .max(8_000)
      .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'contains characters that are not allowed in headers'),
  )
  .default({})
  .describe('Headers by name. They are sent only to the first address, not to redirect targets.')

const timeout = z
  .number()
  .positive()
  .max(maxTimeoutSeconds)
  .default(30)
  .describe(`Total time limit in seconds, at most ${maxTimeoutSeconds}; 30 by default.`)

const result =
  'the response if it is JSON; otherwise {content, status, url, content_type, success}; or {error, success: false, error_type, status}'

/** Requests to servers of the public web. Private addresses are refused, also after redirects. */
export function httpActions(services: ToolActionServices): readonly ToolAction[] {
  return [getAction(services), postAction(services)]
}

function getAction(services: ToolActionServices): ToolAction {
  return defineToolAction({
    name: 'http.get',
    description: 'Sends a GET request and returns the JSON or text of the response. At most 5 MB.',
    input: z.strictObject({ url, headers, timeout }),
    effect: 'read',
    untrusted: 'results',
    reaches: ({ url, headers }) => ({
      address: url,
      saysMore: Object.keys(headers).length > 0,
    }),
    timeoutMs: (maxTimeoutSeconds + 10) * 1_000,
    result,
    execute: ({ url, headers, timeout }, { signal }) =>
      send(services, url, { headers: lowerCaseNames(headers), timeoutMs: timeout * 1_000, signal }),
  })
}

function postAction(services: ToolActionServices): ToolAction {
  return defineToolAction({
    name: 'http.post',
    description: 'Sends JSON in a POST request and returns the JSON or text of the response.',
    input: z.strictObject({
      url,
      json: z.json().optional().describe('The body, at most 5 MB as text; empty by default.'),
      headers,
      timeout,
    }),
    effect: 'write',
    untrusted: 'results',
    timeoutMs: (maxTimeoutSeconds + 10) * 1_000,
    result,
    async execute({ url, json, headers, timeout }, { signal }): Promise<Json> {
      const body = json === undefined ? '' : JSON.stringify(json)
      if (Buffer.byteLength(body) > maxBodyBytes)
        return failedResult(`The body has more than ${maxBodyBytes} bytes.`, 'too_large')
      const type: { 'content-type'?: string } =
        json === undefined ? {} : { 'content-type': 'application/json' }
      return send(services, url, {
        method: 'POST',
        body,
        headers: { ...type, ...lowerCaseNames(headers) },
        timeoutMs: timeout * 1_000,
        signal,
      })
    },
  })
}

function lowerCaseNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
}

async function send(
  services: ToolActionServices,
  url: string,
  options: WebFetchOptions,
): Promise<Json> {
  const { pages } = requireService(services, 'web')()
  const outcome = await pages.fetch(url, { ...options, maxBytes: maxBodyBytes })
  options.signal?.throwIfAborted()
  return outcome.ok ? toHttpResult(outcome) : failFetch(outcome.failure)
}

function toHttpResult({ url, status, headers, bytes }: FetchOutcome & { readonly ok: true }): Json {
  const { 'content-type': contentType = '' } = headers
  const about = { status, url, content_type: contentType }
  if (bytes.includes(0)) return failedResult('The response is not text.', 'binary', about)
  const content = decodeBody(bytes, contentType)
  const json = parseJsonBody(content, contentType)
  return json === undefined ? { content, ...about, success: true } : json
}

function decodeBody(bytes: Uint8Array, contentType: string): string {
  const charset = /charset="?([\w-]+)/i.exec(contentType)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

function parseJsonBody(text: string, contentType: string): Json | undefined {
  const isText = /^text\/(?!plain|json)|xml|html/i.test(contentType)
  if (isText || !/^\s*[[{"\d\-tfn]/.test(text)) return undefined
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** A failed fetch as an action's result. */
export function failFetch({
  reason,
  detail,
  hint,
  url,
  status,
  said,
}: FetchFailureFacts): JsonObject {
  return failedResult(detail, reason, {
    hint,
    url,
    ...(status === undefined ? {} : { status }),
    ...(said === undefined ? {} : { said }),
  })
}

/** Failure of a fetch, or of reading its response. */
type FetchFailureFacts = Omit<FetchFailure, 'reason'> & { readonly reason: string }
