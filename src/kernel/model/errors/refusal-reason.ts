import type { RefusalFacts } from './refusal-facts.ts'

/** Why a service did not answer, in the same terms for all providers. */
export type RefusalReason =
  | 'timed_out'
  | 'not_listening'
  | 'host_unknown'
  | 'not_trusted'
  | 'connection_lost'
  | 'context_too_long'
  | 'content_refused'
  | 'no_credit'
  | 'key_refused'
  | 'not_allowed'
  | 'model_not_found'
  | 'no_memory'
  | 'not_the_interface'
  | 'rate_limited'
  | 'overloaded'
  | 'service_failed'
  | 'request_refused'
  | 'not_supported'
  | 'unknown'

type Sign = (facts: RefusalFacts) => boolean

const causedBy =
  (...codes: readonly string[]): Sign =>
  ({ causes }) =>
    codes.some((code) => causes.has(code))
const hasStatus =
  (...statuses: readonly number[]): Sign =>
  ({ status }) =>
    status !== undefined && statuses.includes(status)
const says =
  (pattern: RegExp): Sign =>
  ({ kinds, message }) =>
    pattern.test(kinds) || pattern.test(message)

/** Providers' messages for a prompt and answer that exceed the context window. */
const tooLong =
  /context_length_exceeded|exceed_context_size|request_too_large|maximum context|context (length|window|limit|size)|maximum prompt length|prompt (is )?too long|input is too long|too large for model with|input token count .* exceeds|maximum model length|too many (input |total )?tokens|reduce the length|tokens per minute.*Requested/i

const filtered =
  /content_filter|content_policy|ResponsibleAIPolicyViolation|content management policy|invalid_prompt|usage policy|safety system|prohibited_content|blocked by (the )?safety/i

const unpaid =
  /insufficient_quota|billing_(error|hard_limit|not_active)|credit balance is too low|insufficient (balance|credits?|funds)|out of credits|no credits|used all (available )?credits|payment required|monthly spending limit/i

const unknownModel =
  /model_not_found|model_decommissioned|not a valid model|no such model|model .{0,120}(not (be )?found|does not exist|not exist|is not available)|DeploymentNotFound|no models loaded|invalid model/i

/** In order of precedence: the first match decides the reason. */
const signs: readonly (readonly [RefusalReason, Sign])[] = [
  ['timed_out', causedBy('TimeoutError')],
  ['not_listening', causedBy('ECONNREFUSED')],
  ['host_unknown', causedBy('ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH')],
  ['not_trusted', isAboutTrust],
  [
    'connection_lost',
    causedBy('ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT'),
  ],
  ['not_supported', causedBy('AI_UnsupportedFunctionalityError', 'ERR_MODULE_NOT_FOUND')],
  ['not_the_interface', isForeign],
  ['key_refused', says(/API_KEY_INVALID|API key not valid|invalid_api_key/i)],
  ['context_too_long', (facts) => !hasStatus(401, 403, 429)(facts) && says(tooLong)(facts)],
  ['content_refused', (facts) => !hasStatus(401, 429)(facts) && says(filtered)(facts)],
  ['no_credit', (facts) => hasStatus(402)(facts) || says(unpaid)(facts)],
  ['key_refused', hasStatus(401)],
  ['model_not_found', (facts) => hasStatus(400, 403, 404, 422)(facts) && says(unknownModel)(facts)],
  ['not_allowed', hasStatus(403)],
  ['model_not_found', hasStatus(404)],
  ['no_memory', says(/requires more system memory|out of memory|insufficient memory/i)],
  ['rate_limited', hasStatus(429)],
  ['overloaded', (facts) => hasStatus(529)(facts) || says(/overloaded|at capacity/i)(facts)],
  ['service_failed', ({ status }) => status === 408 || status === 409 || (status ?? 0) >= 500],
  ['request_refused', ({ status }) => (status ?? 0) >= 400],
]

/** Why a service did not answer. */
export function classifyRefusal(facts: RefusalFacts): RefusalReason {
  return signs.find(([, isThere]) => isThere(facts))?.[0] ?? 'unknown'
}

/** The requested and the available number of tokens, as far as the service reports them. */
export interface TokenCounts {
  readonly askedTokens?: number
  readonly allowedTokens?: number
}

const counts: readonly RegExp[] = [
  /(?<asked>\d+) tokens > (?<allowed>\d+)/,
  /(?<asked>\d+) \+ (?<more>\d+) > (?<allowed>\d+)/,
  /maximum context length is (?<allowed>\d+).{0,80}?(?:resulted in|requested(?: about)?) (?<asked>\d+)/,
  /input token count \(?(?<asked>\d+)\)? exceeds.*?\(?(?<allowed>\d+)\)?\.?$/,
  /maximum prompt length is (?<allowed>\d+).*?contains (?<asked>\d+)/,
  /contains (?<asked>\d+) tokens.* with (?<allowed>\d+) maximum/,
  /request \((?<asked>\d+) tokens\) exceeds the available context size \((?<allowed>\d+)/,
  /length (?<asked>\d+)\) is longer than the maximum model length of (?<allowed>\d+)/,
  /Limit (?<allowed>\d+), Requested (?<asked>\d+)/,
  /(?:maximum context length is|context size \(|context length of only) ?(?<allowed>\d+)/,
]

/** The token counts in a service's message about a prompt that is too long. */
export function readTokenCounts(message: string): TokenCounts {
  const plain = message.replaceAll(/(?<=\d),(?=\d{3})/g, '')
  const groups = counts.map((pattern) => pattern.exec(plain)?.groups).find(Boolean)
  const { asked, more = '0', allowed } = groups ?? {}
  return {
    ...(asked === undefined ? {} : { askedTokens: Number(asked) + Number(more) }),
    ...(allowed === undefined ? {} : { allowedTokens: Number(allowed) }),
  }
}

function isAboutTrust({ causes }: RefusalFacts): boolean {
  return [...causes].some((code) =>
    /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER))/.test(code),
  )
}

/** Whether the response does not come from this API: a proxy's page, or JSON of another shape. */
function isForeign({ status, isHtml, causes }: RefusalFacts): boolean {
  if (isHtml && (status === undefined || (status < 500 && status !== 408 && status !== 429)))
    return true
  const isRead = status !== undefined && status < 400
  return (
    isRead &&
    (causes.has('AI_JSONParseError') || causes.has('AI_TypeValidationError') || status >= 300)
  )
}
