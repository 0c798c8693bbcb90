/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Where spans are sent. */
export interface Destination {
  readonly form: 'otlp' | 'langfuse'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Time limit of one batch, including retries, in milliseconds. */
  readonly timeoutMs: number
}

/** The telemetry settings in the environment. */
export interface TelemetrySettings {
  readonly destinations: readonly Destination[]
  /** Whether prompts, answers and tool results are sent too. */
  readonly hasContent: boolean
  readonly resource: Readonly<Record<string, string>>
  /** Settings that cannot be used, as messages. */
  readonly problems: readonly string[]
}

/** A finished process should not wait long for a collector. */
const defaultTimeoutMs = 3_000
const longestTimeoutMs = 10_000

/**
 * Settings from the standard OpenTelemetry variables and those of Langfuse; no destination if none is set.
 * @see https://opentelemetry.io/docs/specs/otel/protocol/exporter/
 * @see https://langfuse.com/integrations/native/opentelemetry
 */
export function telemetrySettings(environment: Environment): TelemetrySettings {
  const isOff =
    environment.OTEL_SDK_DISABLED?.toLowerCase() === 'true' ||
    environment.OTEL_TRACES_EXPORTER === 'none'
  const problems: string[] = []
  const found = [otlp(environment), langfuse(environment)].flatMap(
    (destination) => destination ?? [],
  )
  const destinations = isOff ? [] : found.filter((destination) => isUsable(destination, problems))
  const protocol =
    environment.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? environment.OTEL_EXPORTER_OTLP_PROTOCOL
  if (protocol === 'grpc' && destinations.some(({ form }) => form === 'otlp'))
    problems.push(
      'OTEL_EXPORTER_OTLP_PROTOCOL is grpc: traces are sent as http/json, which collectors take on port 4318.',
    )
  return {
    destinations,
    hasContent:
      environment.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT?.toLowerCase() === 'true',
    resource: {
      'service.name': 'scholium',
      ...parsePairs(environment.OTEL_RESOURCE_ATTRIBUTES),
      ...(environment.OTEL_SERVICE_NAME ? { 'service.name': environment.OTEL_SERVICE_NAME } : {}),
    },
    problems,
  }
}

function otlp(environment: Environment): Destination | undefined {
  const own = environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT
  const general = environment.OTEL_EXPORTER_OTLP_ENDPOINT
  const url = own || (general ? `${general.replace(/\/+$/, '')}/v1/traces` : '')
  if (url === '') return undefined
  return {
    form: 'otlp',
    url,
    headers: {
      ...parsePairs(environment.OTEL_EXPORTER_OTLP_HEADERS),
      ...parsePairs(environment.OTEL_EXPORTER_OTLP_TRACES_HEADERS),
    },
    timeoutMs: readTimeoutMs(environment),
  }
}

function langfuse(environment: Environment): Destination | undefined {
  const { LANGFUSE_PUBLIC_KEY, LANGFUSE_SECRET_KEY, LANGFUSE_BASE_URL, LANGFUSE_HOST } = environment
  if (!LANGFUSE_PUBLIC_KEY || !LANGFUSE_SECRET_KEY) return undefined
  if (environment.LANGFUSE_ENABLED?.toLowerCase() === 'false') return undefined
  const address = LANGFUSE_BASE_URL || LANGFUSE_HOST || 'https://cloud.langfuse.com'
  const keys = Buffer.from(`${LANGFUSE_PUBLIC_KEY}:${LANGFUSE_SECRET_KEY}`).toString('base64')
  return {
    form: 'langfuse',
    url: `${address.replace(/\/+$/, '')}/api/public/otel/v1/traces`,
    headers: { Authorization: `Basic ${keys}`, 'x-langfuse-ingestion-version': '4' },
    timeoutMs: readTimeoutMs(environment),
  }
}

function isUsable({ url, form }: Destination, problems: string[]): boolean {
  if (/^https?:$/.test(findProtocol(url))) return true
  const variable = form === 'otlp' ? 'OTEL_EXPORTER_OTLP_ENDPOINT' : 'LANGFUSE_BASE_URL'
  problems.push(`${variable} is not an http address: no traces are sent there.`)
  return false
}

function findProtocol(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : ''
}

function readTimeoutMs(environment: Environment): number {
  const text =
    environment.OTEL_EXPORTER_OTLP_TRACES_TIMEOUT ?? environment.OTEL_EXPORTER_OTLP_TIMEOUT
  const timeoutMs = Number(text)
  return text !== undefined && timeoutMs > 0
    ? Math.min(timeoutMs, longestTimeoutMs)
    : defaultTimeoutMs
}

/**
 * Comma-separated `key=value` pairs with percent-encoded values; malformed ones are ignored.
 * @see https://www.w3.org/TR/baggage/#header-content
 */
function parsePairs(text = ''): Record<string, string> {
  const pairs = text.split(',').flatMap((pair) => {
    const at = pair.indexOf('=')
    const name = pair.slice(0, at).trim()
    return at < 1 || name === '' ? [] : [[name, decoded(pair.slice(at + 1).trim())] as const]
  })
  return Object.fromEntries(pairs)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
