/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Where spans are sent. */
export interface Destination {
  readonly form: 'otlp' | 'langfuse'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** How long one batch may take with all that is tried again, in milliseconds. */
  readonly timeoutMs: number
}

/** What an environment says of telemetry. */
export interface TelemetrySettings {
  readonly destinations: readonly Destination[]
  /** Whether prompts, answers and results of tools are sent as well. */
  readonly hasContent: boolean
  readonly resource: Readonly<Record<string, string>>
  /** What is set and cannot be used, in words. */
  readonly problems: readonly string[]
}

/** A process that has done its work should not wait long for somebody else's. */
const defaultTimeoutMs = 3_000
const longestTimeoutMs = 10_000

/**
 * What the standard variables of OpenTelemetry and those of Langfuse say; no destination when none is set.
 *
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

/** `key=value` pairs with commas between them, values percent-encoded. What is none is left out. @see https://www.w3.org/TR/baggage/#header-content */
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
