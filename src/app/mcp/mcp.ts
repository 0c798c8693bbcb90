import { existsSync, readFileSync, statSync } from 'node:fs'
import { ScholiumError } from '../../kernel/errors.ts'
import { hashJson } from '../../kernel/json.ts'
import { type Clock, systemClock } from '../../kernel/run/clock.ts'
import { findNearest } from '../../kernel/text/nearest.ts'
import type { McpAccess } from '../../tools/mcp/mcp-access.ts'
import {
  type McpServerConfig,
  readMcpConfig,
  type UnusableServer,
} from '../../tools/mcp/mcp-config.ts'
import type { McpNotice, McpServer, McpServers } from '../../tools/mcp/mcp-server.ts'
import { environmentServers } from '../papers/environment-servers.ts'
import type { Environment } from '../trust/user-folders.ts'
import { packageVersion } from '../version.ts'

/** Which MCP servers exist and may be used. It is the operator's: never take it from a request. */
export interface McpSettings {
  /** Configuration files in the usual form (`.mcp.json`); of two servers with the same name, the first is used. Missing files are ignored. */
  readonly configFiles?: readonly string[]
  /** Which servers each question may use: all, none or these. Default: none. */
  readonly servers?: boolean | readonly string[]
  /** Tools that may be called although they may change something: names such as `files.write_file`, in which `*` stands for any characters. Default: none. */
  readonly allow?: readonly string[]
}

/** The content of the files. */
interface ReadServers {
  readonly servers: readonly McpServerConfig[]
  readonly unusable: readonly UnusableServer[]
  readonly warnings: readonly string[]
}

/** The servers, once one of them is used. */
interface OpenedServers {
  readonly servers: McpServers
  readonly access: McpAccess
  /** Notices of the servers; grows. */
  readonly notices: readonly McpNotice[]
}

/** The MCP servers of an app. None is started before a run uses it. */
export class AppMcp {
  private readonly settings: McpSettings
  private readonly environment: Environment
  private readonly clock: Clock
  private readonly onWarning: (text: string) => void
  private known: ReadServers | undefined
  private opened: Promise<OpenedServers> | undefined
  private isClosed = false

  constructor(
    settings: McpSettings,
    environment: Environment,
    { clock = systemClock, onWarning = () => {} }: AppMcpOptions = {},
  ) {
    this.settings = settings
    this.environment = environment
    this.clock = clock
    this.onWarning = onWarning
  }

  /**
   * The servers of the files, read once. @throws {@link ScholiumError} `invalid_configuration` that names file, server
   * and key
   */
  get servers(): readonly McpServerConfig[] {
    this.known ??= this.read()
    return this.known.servers
  }

  /** The servers that are unusable because one of their variables is not set. */
  private get unusable(): readonly UnusableServer[] {
    this.known ??= this.read()
    const usable = this.known.servers.map(({ name }) => name)
    return this.known.unusable.filter(({ name }) => !usable.includes(name))
  }

  /** Values in servers' headers and variables, which must not be logged. Empty for an unreadable file. */
  secrets(): readonly string[] {
    try {
      return this.servers.flatMap(({ secrets }) => secrets)
    } catch {
      // Reported where a server is used; a question without servers is not affected.
      return []
    }
  }

  /**
   * The names of the servers that a question may use.
   * @param asked the question's own choice, among the operator's servers
   * @throws {@link ScholiumError} `invalid_configuration` for an invalid file, `invalid_input` for an unknown server
   */
  namesFor(asked: boolean | readonly string[] | undefined): readonly string[] {
    const wanted = asked ?? this.settings.servers ?? false
    if (wanted === false) return []
    const names = this.servers.map(({ name }) => name)
    if (wanted === true) {
      if (names.length === 0) throw this.unusable[0]?.error ?? this.noServers()
      for (const { error } of this.unusable)
        this.onWarning(`${error.message} It is skipped. ${error.hint ?? ''}`.trim())
      return names
    }
    const unknown = wanted.find((name) => !names.includes(name))
    if (unknown === undefined) return [...new Set(wanted)]
    const broken = this.unusable.find(({ name }) => name === unknown)
    if (broken !== undefined) throw broken.error
    if (names.length === 0) throw this.noServers()
    const meant = findNearest(unknown, names)
    throw new ScholiumError('invalid_input', `There is no MCP server "${unknown}".`, {
      hint: `${meant === undefined ? '' : `Did you mean "${meant}"? `}Servers: ${names.join(', ')}.`,
    })
  }

  /** Whether a server has this name. @throws {@link ScholiumError} `invalid_configuration` for an invalid file */
  isKnown(server: string): boolean {
    const all = [...this.servers, ...environmentServers(this.environment)]
    return all.some(({ name }) => name === server)
  }

  /** Whether the settings let every run use a server: by allowing all, by its name, or through the environment. */
  isGranted(server: string): boolean {
    const { servers = false } = this.settings
    const isNamed = typeof servers === 'boolean' ? servers : servers.includes(server)
    return isNamed || environmentServers(this.environment).some(({ name }) => name === server)
  }

  /** Access to the servers. @throws {@link ScholiumError} `invalid_configuration` */
  async access(): Promise<McpAccess> {
    return (await this.use()).access
  }

  /** Access to a server for papers, which the environment may name; its tools for papers are allowed. */
  async accessForPapers(server: string): Promise<McpAccess> {
    const { McpAccess } = await import('../../tools/mcp/mcp-access.ts')
    const { servers, notices } = await this.use()
    const tools = ['search_papers', 'download_paper'].map((tool) => `${server}.${tool}`)
    return new McpAccess(servers, notices, [...(this.settings.allow ?? []), ...tools])
  }

  /**
   * A configured server's identity, whatever its name: a hash of its program with arguments and folder, or of its
   * address.
   */
  identityOf(server: string): string {
    const known = [...this.servers, ...environmentServers(this.environment)]
    const config = known.find(({ name }) => name === server)
    if (config === undefined) return server
    if (config.kind !== 'stdio') return hashJson({ url: config.url })
    const { command, args, cwd = null } = config
    return hashJson({ command, args, cwd })
  }

  /** A server, for its resources and prompts. @throws {@link ScholiumError} `invalid_input` if it is unknown */
  async server(name: string): Promise<McpServer> {
    return (await this.use()).servers.get(name)
  }

  /** Ends all connections and processes for good. */
  async close(): Promise<void> {
    this.isClosed = true
    const opened = await this.opened?.catch(() => undefined)
    await opened?.servers.close()
  }

  private async use(): Promise<OpenedServers> {
    if (this.isClosed) throw new ScholiumError('tool_failed', 'The MCP servers were closed.')
    this.opened ??= this.open()
    return this.opened
  }

  private async open(): Promise<OpenedServers> {
    const { McpServers } = await import('../../tools/mcp/mcp-server.ts')
    const { McpAccess } = await import('../../tools/mcp/mcp-access.ts')
    const notices: McpNotice[] = []
    const servers = new McpServers(
      { servers: [...this.servers, ...environmentServers(this.environment)] },
      {
        version: packageVersion,
        clock: this.clock,
        onNotice: (notice) => {
          if (notices.length < maxNotices) notices.push(notice)
        },
      },
    )
    const access = new McpAccess(servers, notices, this.settings.allow ?? [])
    return { servers, access, notices }
  }

  private read(): ReadServers {
    const files = (this.settings.configFiles ?? []).filter((path) => existsSync(path))
    const read = files.map((path) => this.readFile(path))
    const taken = new Set<string>()
    const servers = read.flatMap((file) => {
      const own = file.servers.filter(({ name }) => !taken.has(name))
      // An unusable server keeps its name, too: another file's server was not meant.
      for (const { name } of [...file.servers, ...file.unusable]) taken.add(name)
      return own
    })
    const warnings = read.flatMap((file) => file.warnings)
    for (const warning of warnings) this.onWarning(warning)
    const unusable = read.flatMap((file) => file.unusable)
    return { servers, unusable, warnings }
  }

  private readFile(path: string): ReadServers {
    try {
      // Reading a pipe without a writer would never end.
      const status = statSync(path)
      if (!status.isFile() || status.size > maxConfigBytes)
        throw new Error(`it is not a file of at most ${maxConfigBytes} bytes.`)
      const text = readFileSync(path, 'utf8')
      const { servers, unusable, warnings } = readMcpConfig(text, this.environment)
      return { servers, unusable, warnings: warnings.map((text) => `${path}: ${text}`) }
    } catch (cause) {
      const { message, hint } = cause as ScholiumError
      throw new ScholiumError('invalid_configuration', `${path}: ${message}`, {
        cause,
        ...(hint === undefined ? {} : { hint }),
      })
    }
  }

  private noServers(): ScholiumError {
    const files = this.settings.configFiles ?? []
    const where = files.length === 0 ? '' : ` Looked for: ${files.join(', ')}.`
    return new ScholiumError('invalid_configuration', `No MCP servers are configured.${where}`, {
      hint: 'Create such a file: {"mcpServers": {"name": {"command": "…", "args": []}}}.',
    })
  }
}

/** What an app's servers need in addition to their settings. */
export interface AppMcpOptions {
  readonly clock?: Clock
  /** Called with settings in a file that have no effect. */
  readonly onWarning?: (text: string) => void
}

/** Maximum size of a file of servers. */
const maxConfigBytes = 1_000_000

/** Maximum number of notices taken from a server. */
const maxNotices = 10_000
