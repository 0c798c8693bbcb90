import { isJsonObject, type JsonObject } from '../../json.ts'

/** Facts read from an error that a provider's package threw. */
export interface RefusalFacts {
  /** The HTTP status, or the one that corresponds to the service's error type. */
  readonly status: number | undefined
  /** The service's message in one line, otherwise the package's. */
  readonly message: string
  /** All error types and codes of the service, in one text. */
  readonly kinds: string
  /** System error codes and the names of all errors in the cause chain. */
  readonly causes: ReadonlySet<string>
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** The response body, if it was JSON. */
  readonly body: unknown
  readonly isHtml: boolean
  /** Whether the package considers the failure temporary; it does not always say. */
  readonly isRetryable: boolean | undefined
}

interface Thrown {
  readonly message?: unknown
  readonly name?: unknown
  readonly code?: unknown
  readonly cause?: unknown
  readonly statusCode?: unknown
  readonly isRetryable?: unknown
  readonly responseHeaders?: unknown
  readonly responseBody?: unknown
}

const maxMessageLength = 300

/** Reads an error by its shape, since the kernel loads no SDK. */
export function readRefusal(thrown: unknown): RefusalFacts {
  const chain = collectCauses(thrown)
  const withStatus = chain.find(({ statusCode }) => typeof statusCode === 'number')
  const text = typeof withStatus?.responseBody === 'string' ? withStatus.responseBody : ''
  const body = parse(text) ?? inStream(chain)
  const inner = innerError(body)
  const kinds = readKinds(body, inner)
  const status = withStatus?.statusCode as number | undefined
  const isHtml = /^\s*<(!doctype|html|head|body)/i.test(text)
  return {
    status: status !== undefined && status >= 400 ? status : (findStatus(kinds) ?? status),
    message: oneLine((isHtml ? undefined : readMessage(body, inner)) ?? ownMessage(chain, thrown)),
    kinds,
    causes: new Set(chain.flatMap(({ code, name }) => [code, name].filter(isText))),
    headers: lowerCased(withStatus?.responseHeaders),
    body,
    isHtml,
    isRetryable: chain.map(({ isRetryable }) => isRetryable).find((is) => typeof is === 'boolean'),
  }
}

function collectCauses(thrown: unknown): readonly Thrown[] {
  const chain: Thrown[] = []
  let current: unknown = thrown
  // A cyclic chain ends here.
  while (current !== null && typeof current === 'object' && chain.length < 10) {
    chain.push(current as Thrown)
    // If several addresses of a host all fail, the error contains one error per address.
    const { errors } = current as { readonly errors?: readonly unknown[] }
    current = (current as Thrown).cause ?? errors?.[0]
  }
  return chain
}

/** "fetch failed" alone is useless: its cause has the details. */
function ownMessage(chain: readonly Thrown[], thrown: unknown): string {
  const texts = chain.map(({ message }) => message).filter(isText)
  const messages = texts
    .map((text) => text.replace(/^(Cannot connect to API: |fetch failed$)/, ''))
    .filter((text) => text !== '')
  const [first = texts[0] ?? describeThrown(thrown), last = first] = [messages[0], messages.at(-1)]
  return first.includes(last) ? first : `${first}: ${last}`
}

/** Objects without a prototype cannot be converted to text directly. */
function describeThrown(thrown: unknown): string {
  return typeof thrown === 'object' && thrown !== null
    ? `an error without a message (${Object.keys(thrown).join(', ')})`
    : String(thrown)
}

/** A failure in the middle of a stream is reported there; the cause is then the unparsed event. */
function inStream(chain: readonly Thrown[]): unknown {
  return chain.find((link) => !(link instanceof Error))
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value[0] : value
  } catch {
    return undefined
  }
}

function innerError(body: unknown): JsonObject {
  if (!isJsonObject(body)) return {}
  if (isJsonObject(body.error)) return body.error
  return typeof body.error === 'string' ? { ...body, message: body.error } : body
}

function readMessage(body: unknown, inner: JsonObject): string | undefined {
  const { metadata } = inner
  // The service behind a router gives more details than the router.
  const behind =
    isJsonObject(metadata) && isText(metadata.raw) ? innerError(parse(metadata.raw)) : {}
  const detail = isJsonObject(body) ? formatDetail(body.detail) : undefined
  const found = [behind.message, inner.message, detail].find(isText)
  return found === undefined || found.trim() === '' ? undefined : found
}

/** A text, or the result of request validation with locations: `[{loc: ['body', 'tools'], msg}]`. */
function formatDetail(detail: unknown): unknown {
  if (!Array.isArray(detail)) return detail
  const found = detail.filter(isJsonObject).filter(({ msg }) => isText(msg))
  const places = found.map(({ loc }) => (Array.isArray(loc) ? `${loc.join('.')}: ` : ''))
  return found.map(({ msg }, index) => `${places[index]}${msg}`).join('; ')
}

function readKinds(body: unknown, inner: JsonObject): string {
  const reasons = Array.isArray(inner.details)
    ? inner.details.map((detail) => (isJsonObject(detail) ? detail.reason : undefined))
    : []
  const nested = isJsonObject(inner.innererror) ? inner.innererror.code : undefined
  const outer = isJsonObject(body) ? [body.type, body.code] : []
  return [inner.type, inner.code, inner.status, nested, ...outer, ...reasons]
    .filter(isText)
    .join(' ')
}

/** Error types that correspond to a status, for errors inside a stream, which have none. */
const statuses: readonly (readonly [RegExp, number])[] = [
  [/authentication_error|UNAUTHENTICATED|invalid_api_key|API_KEY_INVALID/, 401],
  [/insufficient_quota|billing_error/, 402],
  [/permission_error|PERMISSION_DENIED/, 403],
  [/not_found|NOT_FOUND/, 404],
  [/request_too_large/, 413],
  [/rate_limit|RESOURCE_EXHAUSTED/, 429],
  [/overloaded/, 529],
  [/UNAVAILABLE/, 503],
  [/DEADLINE_EXCEEDED|timeout_error/, 504],
  [/server_error|api_error|INTERNAL/, 500],
  [/invalid_request|INVALID_ARGUMENT|context_length_exceeded|FAILED_PRECONDITION/, 400],
]

function findStatus(kinds: string): number | undefined {
  return statuses.find(([pattern]) => pattern.test(kinds))?.[1]
}

function lowerCased(headers: unknown): Readonly<Record<string, string>> {
  if (!isJsonObject(headers)) return {}
  const entries = Object.entries(headers).filter(([, value]) => isText(value))
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value as string]))
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= maxMessageLength ? line : `${line.slice(0, maxMessageLength)} …`
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
