import { ScholiumError } from '../../kernel/errors.ts'
import { ConfigReader, type Environment, type ExpandedText } from './config-reader.ts'

interface ServerSettings {
  readonly name: string
  /** Whether the operator trusts the server's description of its tools; otherwise `readOnlyHint` is ignored. */
  readonly isTrusted: boolean
  /** Time limit of a call in milliseconds. */
  readonly timeoutMs: number
  /** Values that must not appear in a log or result. */
  readonly secrets: readonly string[]
}

/** A server process, used through its standard input and output. */
export interface ProcessServerConfig extends ServerSettings {
  readonly kind: 'stdio'
  readonly command: string
  readonly args: readonly string[]
  /** The process's whole environment. */
  readonly environment: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** An HTTP server: streamable, or the older variant with one event stream. */
export interface HttpServerConfig extends ServerSettings {
  readonly kind: 'http' | 'sse'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The variables used in each header. */
  readonly headerVariables: Readonly<Record<string, readonly string[]>>
}

/** One server in the operator's configuration. */
export type McpServerConfig = ProcessServerConfig | HttpServerConfig

/** A parsed configuration. */
export interface McpConfig {
  readonly servers: readonly McpServerConfig[]
  /** Servers that cannot be used because a variable is not set. */
  readonly unusable: readonly UnusableServer[]
  /** Entries without effect, one sentence each. */
  readonly warnings: readonly string[]
}

/** A server that cannot be used, and why. */
export interface UnusableServer {
  readonly name: string
  readonly error: ScholiumError
}

/** Default time limit of a call. */
export const defaultCallTimeoutMs = 60_000

const sharedKeys = ['type', 'disabled', 'timeout', 'trust', 'description']
const processKeys = ['command', 'args', 'env', 'cwd']
const httpKeys = ['url', 'headers']
const kinds: Readonly<Record<string, McpServerConfig['kind']>> = {
  stdio: 'stdio',
  http: 'http',
  'streamable-http': 'http',
  streamableHttp: 'http',
  sse: 'sse',
}
/** What a program needs to be found and to run, in addition to Windows's own variables. */
const baseVariables = ['PATH', 'HOME', 'LANG']
const windowsVariables = ['SYSTEMROOT', 'COMSPEC', 'PATHEXT', 'TEMP', 'APPDATA', 'USERPROFILE']
const secretName = /key|token|secret|passw|credential|auth(?!or)/i

/**
 * Reads a `.mcp.json` in the common format: `{"mcpServers": {name: {command, args, env, cwd} | {type, url, headers}}}`
 * with `${VAR}` and `${VAR:-default}` in values. Additional keys: `timeout` (milliseconds per call), `disabled`, and
 * `trust`, which makes the operator trust the server's word on which tools only read. Other keys are ignored with a
 * warning. Commands come only from here: never pass text from a request or model. Servers with an unset variable are
 * left out.
 * @throws `invalid_configuration` that names the server and key
 */
export function readMcpConfig(text: string, environment: Environment): McpConfig {
  const reader = new ConfigReader(environment)
  const entries = Object.entries(reader.serversOf(text))
  const unusable: UnusableServer[] = []
  const servers = entries.flatMap(([name, value]) => {
    try {
      return readServer(reader, name, value)
    } catch (error) {
      // Mistakes in the file must be fixed; a missing variable affects only its server.
      if (!(error instanceof ScholiumError) || error.details.variable === undefined) throw error
      unusable.push({ name, error })
      return []
    }
  })
  return { servers, unusable, warnings: reader.warnings }
}

function readServer(reader: ConfigReader, name: string, value: unknown): McpServerConfig[] {
  if (name.trim() === '' || /\p{Cc}/u.test(name)) {
    throw new ScholiumError(
      'invalid_configuration',
      `${JSON.stringify(name)} is not a valid server name.`,
    )
  }
  const server = reader.entry(name, value)
  if (server.boolean('disabled') === true) return []
  const kind = findKind(server)
  server.warnOfOthers([...sharedKeys, ...(kind === 'stdio' ? processKeys : httpKeys)])
  return [kind === 'stdio' ? processServer(server) : httpServer(server, kind)]
}

type Entry = ReturnType<ConfigReader['entry']>

function findKind(server: Entry): McpServerConfig['kind'] {
  const type = server.optionalText('type')
  if (type === undefined) {
    if (server.has('command') === server.has('url')) {
      throw server.problem('command', 'give either a command or a url')
    }
    return server.has('command') ? 'stdio' : 'http'
  }
  const kind = Object.hasOwn(kinds, type) ? kinds[type] : undefined
  if (kind === undefined) throw server.problem('type', 'it must be "stdio", "http" or "sse"')
  if (kind !== 'stdio' && server.has('command')) {
    throw server.problem('command', `a server of type "${type}" has a url instead`)
  }
  return kind
}

function readSettings(server: Entry, secrets: readonly string[]): ServerSettings {
  return {
    name: server.name,
    isTrusted: server.boolean('trust') ?? false,
    timeoutMs: server.milliseconds('timeout') ?? defaultCallTimeoutMs,
    secrets: [...new Set(secrets)].filter((secret) => secret !== ''),
  }
}

function processServer(server: Entry): ProcessServerConfig {
  const command = server.text('command')
  const args = server.texts('args')
  const env = server.textsByName('env')
  const cwd = server.optionalText('cwd')
  const given = Object.entries(env).map(([key, { text }]) => [key, text] as const)
  const named = given.filter(([key]) => secretName.test(key)).map(([, text]) => text)
  const filled = [...args, ...Object.values(env)].flatMap(collectSecrets)
  return {
    ...readSettings(server, [...named, ...filled]),
    kind: 'stdio',
    command,
    args: args.map(({ text }) => text),
    environment: { ...baseEnvironment(server.environment), ...Object.fromEntries(given) },
    ...(cwd === undefined ? {} : { cwd }),
  }
}

/** Values of variables whose names indicate a secret; a folder, for example, may be shown. */
function collectSecrets({ variables }: ExpandedText): readonly string[] {
  return variables.flatMap(({ name, value }) => (secretName.test(name) ? (value ?? []) : []))
}

function baseEnvironment(environment: Environment): Record<string, string> {
  const isWindows = environment.SYSTEMROOT !== undefined || environment.SystemRoot !== undefined
  const names = isWindows ? [...baseVariables, ...windowsVariables] : baseVariables
  const wanted = Object.entries(environment).filter(([name, value]) => {
    return value !== undefined && names.includes(isWindows ? name.toUpperCase() : name)
  })
  return Object.fromEntries(wanted) as Record<string, string>
}

function httpServer(server: Entry, kind: 'http' | 'sse'): HttpServerConfig {
  const url = server.expanded('url')
  const parsed = URL.parse(url.text)
  if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') {
    throw server.problem('url', 'it has to be an address that begins with http:// or https://')
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw server.problem('url', 'put a password in a header, not in the address')
  }
  const headers = Object.entries(server.headers())
  const secrets = headers.flatMap(([, { text, variables }]) => [
    text,
    text.replace(/^(bearer|basic|token)\s+/i, ''),
    ...variables.map(({ value = '' }) => value),
  ])
  return {
    ...readSettings(server, [...secrets, ...collectSecrets(url)]),
    kind,
    url: parsed.href,
    headers: Object.fromEntries(headers.map(([key, { text }]) => [key, text])),
    headerVariables: Object.fromEntries(
      headers.map(([key, { variables }]) => [key, variables.map(({ name }) => name)]),
    ),
  }
}
