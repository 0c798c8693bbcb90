import * as z from 'zod'
import type { Json, JsonObject } from '../../../kernel/json.ts'
import type { FetchFailure, FetchOutcome } from '../../../sources/web/fetch-failure.ts'
import type { WebFetchOptions } from '../../../sources/web/web.ts'
import type { ToolAction } from '../action.ts'
import { needed, notDone, type ToolActionServices, toolAction } from './tool-action.ts'

const maxBodyBytes = 5_000_000
const maxTimeoutSeconds = 120

const url = z
  .string()
  .min(1)
  .max(8_000)
  .describe('An http or https address of the public web, or of an origin that the operator allows.')

/** Names that say who is connected to whom and how long a message is: they are not for files to set. */
const ownHeaders =
  /^(?:host|connection|content-length|transfer-encoding|upgrade|te|trailer|expect|proxy-.*|sec-.*)$/i

const headers = z
  .record(
    z
      .string()
      .regex(/^[!#$%&'*+.^`|~\w-]{1,100}$/, 'is no name of a header')
      .refine((name) => !ownHeaders.test(name), 'is set by the connection itself'),
    z
      .string()
      .max(8_000)
      .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'holds what no header can'),
  )
  .default({})
  .describe('Headers by name. They go to the first address only, not to where it redirects to.')

const timeout = z
  .number()
  .positive()
  .max(maxTimeoutSeconds)
  .default(30)
  .describe(`Seconds for all of it, at most ${maxTimeoutSeconds}; 30 by default.`)

const result =
  'what the answer holds where that is JSON; else {content, status, url, content_type, success}; or {error, success: false, error_type, status}'

/** Asks servers of the public web. Private addresses are refused, also after redirects. */
export function httpActions(services: ToolActionServices): readonly ToolAction[] {
  return [getAction(services), postAction(services)]
}

function getAction(services: ToolActionServices): ToolAction {
  return toolAction({
    name: 'http.get',
    description:
      'Reads an address of the web. Gives the JSON that is there, or its text. At most 5 MB.',
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
      send(services, url, { headers: lowerCase(headers), timeoutMs: timeout * 1_000, signal }),
  })
}

function postAction(services: ToolActionServices): ToolAction {
  return toolAction({
    name: 'http.post',
    description:
      'Sends JSON to an address of the web, and gives the JSON that comes back, or the text.',
    input: z.strictObject({
      url,
      json: z.json().optional().describe('What is sent, at most 5 MB as text; left out: nothing.'),
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
        return notDone(`More than ${maxBodyBytes} bytes are not sent.`, 'too_large')
      const type: { 'content-type'?: string } =
        json === undefined ? {} : { 'content-type': 'application/json' }
      return send(services, url, {
        method: 'POST',
        body,
        headers: { ...type, ...lowerCase(headers) },
        timeoutMs: timeout * 1_000,
        signal,
      })
    },
  })
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
}

async function send(
  services: ToolActionServices,
  url: string,
  options: WebFetchOptions,
): Promise<Json> {
  const { pages } = needed(services, 'web')()
  const outcome = await pages.fetch(url, { ...options, maxBytes: maxBodyBytes })
  options.signal?.throwIfAborted()
  return outcome.ok ? answerOf(outcome) : fetchFailed(outcome.failure)
}

function answerOf({ url, status, headers, bytes }: FetchOutcome & { readonly ok: true }): Json {
  const { 'content-type': contentType = '' } = headers
  const about = { status, url, content_type: contentType }
  if (bytes.includes(0)) return notDone('The answer is no text.', 'binary', about)
  const content = decoded(bytes, contentType)
  const json = jsonIn(content, contentType)
  return json === undefined ? { content, ...about, success: true } : json
}

function decoded(bytes: Uint8Array, contentType: string): string {
  const charset = /charset="?([\w-]+)/i.exec(contentType)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

function jsonIn(text: string, contentType: string): Json | undefined {
  const isText = /^text\/(?!plain|json)|xml|html/i.test(contentType)
  if (isText || !/^\s*[[{"\d\-tfn]/.test(text)) return undefined
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** A fetch that gave nothing, as an action gives it. */
export function fetchFailed({
  reason,
  detail,
  hint,
  url,
  status,
  said,
}: FetchFailureFacts): JsonObject {
  return notDone(detail, reason, {
    hint,
    url,
    ...(status === undefined ? {} : { status }),
    ...(said === undefined ? {} : { said }),
  })
}

/** A fetch's failure, or that of what was to be read from it. */
type FetchFailureFacts = Omit<FetchFailure, 'reason'> & { readonly reason: string }
