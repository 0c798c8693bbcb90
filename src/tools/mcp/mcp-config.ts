import { ScholiumError } from '../../kernel/errors.ts'
import { ConfigReader, type Environment, type ExpandedText } from './config-reader.ts'

interface ServerSettings {
  readonly name: string
  /** Whether the operator believes what the server says of its tools: only then does its `readOnlyHint` count. */
  readonly isTrusted: boolean
  /** How long one call may take, in milliseconds. */
  readonly timeoutMs: number
  /** Values that must not be seen in a log or a result. */
  readonly secrets: readonly string[]
}

/** A server that is a process, spoken to through its standard input and output. */
export interface ProcessServerConfig extends ServerSettings {
  readonly kind: 'stdio'
  readonly command: string
  readonly args: readonly string[]
  /** All that the process sees of the environment. */
  readonly environment: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** A server that is spoken to over HTTP: streamable, or the older way with one stream of events. */
export interface HttpServerConfig extends ServerSettings {
  readonly kind: 'http' | 'sse'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Which variables each header was made of. */
  readonly headerVariables: Readonly<Record<string, readonly string[]>>
}

/** One server of the operator's configuration. */
export type McpServerConfig = ProcessServerConfig | HttpServerConfig

/** What a configuration says. */
export interface McpConfig {
  readonly servers: readonly McpServerConfig[]
  /** Servers that cannot be used, since a variable of theirs is not set. */
  readonly unusable: readonly UnusableServer[]
  /** What was not understood and has no effect, one sentence each. */
  readonly warnings: readonly string[]
}

/** A server that cannot be used, and why. */
export interface UnusableServer {
  readonly name: string
  readonly error: ScholiumError
}

/** How long a call may take where the configuration says nothing. */
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
/** What a program needs to be found and to speak; on Windows also what it needs to run at all. */
const baseVariables = ['PATH', 'HOME', 'LANG']
const windowsVariables = ['SYSTEMROOT', 'COMSPEC', 'PATHEXT', 'TEMP', 'APPDATA', 'USERPROFILE']
const secretName = /key|token|secret|passw|credential|auth(?!or)/i

/**
 * The servers of a `.mcp.json`, as other tools write it: `{"mcpServers": {name: {command, args, env, cwd} | {type, url, headers}}}`
 * with `${VAR}` and `${VAR:-default}` in the values. Beside these: `timeout` (milliseconds a call), `disabled`, and `trust`, with
 * which the operator believes the server's word on which of its tools only read. Other keys are ignored with a warning.
 * Commands come from here alone: never pass text that a request or a model gave.
 *
 * A server of which a variable is not set is left out.
 *
 * @throws `invalid_configuration` that names the server and the key
 */
export function readMcpConfig(text: string, environment: Environment): McpConfig {
  const reader = new ConfigReader(environment)
  const entries = Object.entries(reader.serversOf(text))
  const unusable: UnusableServer[] = []
  const servers = entries.flatMap(([name, value]) => {
    try {
      return readServer(reader, name, value)
    } catch (error) {
      // What is wrong with the file has to be mended; what is missing around it concerns the one server.
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

/** What came from variables whose names say that it is a secret: a folder, say, may be seen. */
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
