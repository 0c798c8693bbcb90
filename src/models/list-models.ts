import { ScholiumError } from '../kernel/errors.ts'
import { describeRefusal } from '../kernel/model/errors/model-refusal.ts'
import { redactSecrets } from '../kernel/run/secrets.ts'
import { findNearest } from '../kernel/text/nearest.ts'
import type { Variables } from './base-url.ts'
import { guardedFetch } from './guarded-fetch.ts'
import type { RoleModel } from './model-settings.ts'
import { findProvider, type Provider, providers } from './providers.ts'
import { resolveService } from './resolve-model.ts'

/** How to reach a service to list its models. */
export interface ListSettings extends Pick<RoleModel, 'baseUrl' | 'apiKey'> {
  readonly environment: Variables
  /** Time limit for the whole response, in milliseconds. Default 10,000. */
  readonly timeoutMs?: number
}

const defaultTimeoutMs = 10_000
const maxListBytes = 20_000_000

/** A service with its address and key. */
export interface ResolvedService {
  readonly facts: Provider
  readonly baseUrl: string
  readonly apiKey?: string
}

/**
 * Lists the models of a service, sorted, without the provider prefix. The request is free of charge.
 * @throws `invalid_configuration` for an unknown provider, a missing address or key; `model_unavailable` or `model_failed` as for
 * a call, with the key redacted; `cancelled`
 */
export async function listModels(
  provider: string,
  settings: ListSettings,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const facts = findProvider(provider)
  if (facts === undefined) {
    const known = providers.map((one) => one.provider)
    const close = findNearest(provider.toLowerCase(), known)
    const suggestion = close === undefined ? '' : ` Did you mean "${close}"?`
    throw new ScholiumError(
      'invalid_configuration',
      `Unknown provider "${provider}".${suggestion}`,
      {
        hint: `The providers are ${known.join(', ')}.`,
      },
    )
  }
  const { timeoutMs = defaultTimeoutMs } = settings
  const reached = { facts, ...resolveService(facts, settings, settings.environment) }
  const within = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  try {
    return namesIn(await fetchServiceJson(reached, listUrl(reached), within))
  } catch (error) {
    throw withoutKey(describe(reached, timeoutMs, error, signal.aborted), reached.apiKey)
  }
}

/**
 * What a service answers at one of its addresses, bounded, with its key sent along.
 * @param body sent as JSON with POST. Default: GET
 * @throws an error with the response for another status than 2xx, and if the answer is not JSON
 */
export async function fetchServiceJson(
  reached: ResolvedService,
  url: string,
  signal: AbortSignal,
  body?: object,
): Promise<unknown> {
  const post = { method: 'POST', body: JSON.stringify(body) }
  const response = await guardedFetch(url, {
    headers: {
      ...createHeaders(reached),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    signal,
    ...(body === undefined ? {} : post),
  })
  const text = await readBounded(response)
  const headers = Object.fromEntries(response.headers)
  const seen = { statusCode: response.status, responseHeaders: headers, responseBody: text }
  if (!response.ok) throw Object.assign(new Error(`HTTP ${response.status}`), seen)
  try {
    return JSON.parse(text)
  } catch {
    throw Object.assign(new Error('No JSON'), { ...seen, name: 'AI_JSONParseError' })
  }
}

function listUrl({ facts, baseUrl }: ResolvedService): string {
  if (facts.protocol === 'anthropic') return `${baseUrl}/models?limit=1000`
  return facts.protocol === 'google' ? `${baseUrl}/models?pageSize=1000` : `${baseUrl}/models`
}

function createHeaders({ facts, apiKey }: ResolvedService): Readonly<Record<string, string>> {
  if (facts.protocol === 'anthropic')
    return {
      'anthropic-version': '2023-06-01',
      ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
    }
  if (apiKey === undefined) return {}
  return facts.protocol === 'google'
    ? { 'x-goog-api-key': apiKey }
    : { authorization: `Bearer ${apiKey}` }
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > maxListBytes) throw new Error(`The list is longer than ${maxListBytes / 1e6} MB.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

interface Listed {
  readonly id?: unknown
  readonly name?: unknown
  readonly supportedGenerationMethods?: unknown
}

/** Most return `{data: [{id}]}`, Google `{models: [{name}]}`, some a bare array. */
function namesIn(list: unknown): readonly string[] {
  const { data, models } = (list ?? {}) as { readonly data?: unknown; readonly models?: unknown }
  const found = [list, data, models].find((candidate) => Array.isArray(candidate))
  if (!Array.isArray(found))
    throw Object.assign(new Error('No list'), { name: 'AI_TypeValidationError', statusCode: 200 })
  const names = (found as readonly Listed[]).flatMap((listed) => {
    const { id, name, supportedGenerationMethods: methods } = listed ?? {}
    if (Array.isArray(methods) && !methods.includes('generateContent')) return []
    const given = id ?? name
    return typeof given === 'string' ? [given.replace(/^models\//, '')] : []
  })
  return [...new Set(names)].toSorted()
}

function describe(
  { facts, baseUrl }: ResolvedService,
  timeoutMs: number,
  error: unknown,
  isCancelled: boolean,
): ScholiumError {
  const [keyVariable] = facts.keyVariables
  const reach = {
    provider: facts.provider,
    baseUrl,
    ...(keyVariable === undefined ? {} : { keyVariable }),
  }
  return describeRefusal(
    { name: facts.label, effect: 'read', timeoutMs, reach },
    error,
    isCancelled,
  )
}

/** Outside a run, nothing else redacts the key from a service's messages. */
function withoutKey(error: ScholiumError, apiKey: string | undefined): ScholiumError {
  const { code, message, retryable, hint, details } = error
  return new ScholiumError(code, redactSecrets(message, [apiKey ?? '']), {
    retryable,
    details: redactSecrets(details, [apiKey ?? '']),
    ...(hint === undefined ? {} : { hint }),
  })
}
