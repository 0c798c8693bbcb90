import type { Tool, ToolRun } from '../../kernel/agent/tool.ts'
import { readAllowRules } from '../../kernel/agent/write-guard.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'
import type { Unavailable } from '../web/unavailable.ts'
import { serverTitle } from './failure-text.ts'
import type { McpNotice, McpServers } from './mcp-server.ts'
import { type McpServerTool, type McpToolSet, mcpTools } from './mcp-tools.ts'
import type { McpResult } from './tool-result.ts'

/** A tool as recorded by a run: everything a model is told about it, so that a replay needs no server. */
export type DescribedTool = Pick<Tool, 'name' | 'description' | 'parameters' | 'effect'> & {
  readonly untrusted: 'results' | 'all'
  readonly timeoutMs: number
  /** The server's name in the configuration. */
  readonly server: string
}

/** What servers offer to a run. */
export type McpOffer = {
  readonly tools: readonly DescribedTool[]
  /** Unavailable servers. */
  readonly unavailable: readonly Unavailable[]
  /** Sentences for the user. */
  readonly notices: readonly McpAccessNotice[]
}

/** A sentence for the run's record. */
export type McpAccessNotice = Pick<McpNotice, 'level' | 'text'>

/** The result of a call, or why it failed; with notices about the server. */
export type McpOutcome =
  | { readonly ok: true; readonly result: McpResult; readonly notices: readonly McpAccessNotice[] }
  | {
      readonly ok: false
      readonly error: ScholiumError
      /** Set if the server failed, not the call. */
      readonly unavailable: readonly Unavailable[]
      readonly notices: readonly McpAccessNotice[]
    }

/** Maximum number of notices kept for runs. */
const maxNotices = 10_000
const maxNamedTools = 20

/** A process's access to its MCP servers for runs: which tools may be used, and calls to them. */
export class McpAccess {
  private readonly servers: McpServers
  private readonly notices: readonly McpNotice[]
  private readonly isAllowed: (toolName: string) => boolean
  private readonly sets = new Map<string, McpToolSet>()

  /**
   * @param notices the servers' notices in order; the list grows
   * @param allow tools that may change something: names, in which `*` matches any characters
   * @throws {@link ScholiumError} `invalid_configuration` for an allow rule that matches no tool
   */
  constructor(servers: McpServers, notices: readonly McpNotice[], allow: readonly string[]) {
    this.servers = servers
    this.notices = notices
    this.isAllowed = readAllowRules(allow)
  }

  /**
   * What servers offer now. Tools that may change something are left out unless a rule allows them.
   * @param names the servers' names
   * @param takenNames names of the run's other tools
   */
  async offer(
    names: readonly string[],
    takenNames: readonly string[],
    signal: AbortSignal,
  ): Promise<McpOffer> {
    const from = this.notices.length
    // A server's offer may have changed.
    for (const name of names) this.sets.delete(toolSetKey(name, takenNames))
    const set = await this.setOf(names, takenNames, signal)
    const isOffered = ({ effect, name }: Tool) => effect !== 'write' || this.isAllowed(name)
    const leftOut = Map.groupBy(
      set.tools.filter((tool) => !isOffered(tool)),
      ({ server }) => server,
    )
    return {
      tools: set.tools.filter(isOffered).map(describeTool),
      unavailable: set.gaps.map(({ server, reason }) => ({
        source: `MCP server "${server}"`,
        reason: 'not_started',
        detail: reason,
      })),
      notices: [
        ...this.noticesSince(from, names).filter(({ text }) => !isNoticeOf(text, set.gaps)),
        ...[...leftOut].map(([server, tools]) =>
          leftOutNotice(server, tools, this.servers.get(server).config.isTrusted),
        ),
        ...set.repeated.map(noticeRepeats),
      ],
    }
  }

  /** How many tools of a server may be used, and the names of those that may not. */
  async look(
    name: string,
    signal: AbortSignal,
  ): Promise<{
    readonly tools: number
    readonly leftOut: readonly string[]
    readonly unavailable: McpOffer['unavailable']
  }> {
    const { tools, unavailable } = await this.offer([name], [], signal)
    const offered = new Set(tools.map((tool) => tool.name))
    const all = (await this.setOf([name], [], signal)).tools.map((tool) => tool.name)
    return { tools: tools.length, leftOut: all.filter((one) => !offered.has(one)), unavailable }
  }

  /**
   * Calls an offered tool.
   * @throws the signal's reason
   */
  async call(
    tool: Pick<DescribedTool, 'name' | 'server'>,
    takenNames: readonly string[],
    input: Json,
    run: ToolRun,
  ): Promise<McpOutcome> {
    const from = this.notices.length
    const told = () => this.noticesSince(from, [tool.server])
    try {
      const live = await this.liveTool(tool, takenNames, run.signal)
      const result = (await live.execute(input, run)) as unknown as McpResult
      return { ok: true, result, notices: told() }
    } catch (error) {
      run.signal.throwIfAborted()
      if (!(error instanceof ScholiumError)) throw error
      return { ok: false, error, unavailable: this.unavailableFor(tool, error), notices: told() }
    }
  }

  private async liveTool(
    { name, server }: Pick<DescribedTool, 'name' | 'server'>,
    takenNames: readonly string[],
    signal: AbortSignal,
  ): Promise<Tool> {
    this.servers.get(server)
    const { tools, gaps } = await this.setOf([server], takenNames, signal)
    const live = tools.find((tool) => tool.name === name)
    // It was offered under the rules in force when the run began.
    if (live?.effect === 'write' && !this.isAllowed(name)) {
      throw new ScholiumError(
        'tool_failed',
        `${name} may have side effects and is not allowed now.`,
        {
          hint: `Allow it with mcp.allow in your own configuration file.`,
        },
      )
    }
    if (live !== undefined) return live
    const reason = gaps[0]?.reason ?? `MCP server "${server}" no longer offers ${name}.`
    throw new ScholiumError('tool_failed', reason)
  }

  /** Names depend on the other requested servers only if two are alike, so each server's set is requested separately. */
  private async setOf(
    names: readonly string[],
    takenNames: readonly string[],
    signal: AbortSignal,
  ): Promise<McpToolSet & { readonly repeated: readonly McpServerTool[] }> {
    const sets = await Promise.all(
      names.map(async (name) => {
        const key = toolSetKey(name, takenNames)
        const known = this.sets.get(key)
        if (known !== undefined) return known
        const set = await mcpTools([this.servers.get(name)], takenNames, signal)
        // A failed server may be available the next time.
        if (set.gaps.length === 0) this.sets.set(key, set)
        return set
      }),
    )
    const seen = new Set<string>()
    const tools: McpServerTool[] = []
    const repeated: McpServerTool[] = []
    for (const tool of sets.flatMap((set) => set.tools)) {
      if (seen.has(tool.name)) repeated.push(tool)
      else tools.push(tool)
      seen.add(tool.name)
    }
    return { tools, repeated, gaps: sets.flatMap(({ gaps }) => gaps) }
  }

  private noticesSince(from: number, names: readonly string[]): readonly McpAccessNotice[] {
    return this.notices
      .slice(from, maxNotices)
      .filter(({ server }) => names.includes(server))
      .map(({ level, text }) => ({ level, text }))
  }

  private unavailableFor(
    { server }: Pick<DescribedTool, 'server'>,
    error: ScholiumError,
  ): readonly Unavailable[] {
    const known = this.servers.servers.find(({ name }) => name === server)
    const state = known?.status().state ?? 'dropped'
    if (state === 'connected' && !error.retryable && error.code !== 'outcome_unknown') return []
    const source = known === undefined ? `MCP server "${server}"` : serverTitle(known.config)
    const reason = error.code === 'outcome_unknown' ? 'outcome_unknown' : 'server_failed'
    return [{ source, reason, detail: error.message }]
  }
}

/** Whether a notice repeats a gap: why a server is unavailable, and that it was retried. */
function isNoticeOf(text: string, gaps: McpToolSet['gaps']): boolean {
  return gaps.some(
    ({ server, reason }) =>
      text === reason ||
      text.startsWith(`MCP server "${server}": failed and will be retried once:`),
  )
}

function toolSetKey(name: string, takenNames: readonly string[]): string {
  return JSON.stringify([name, takenNames])
}

function noticeRepeats({ server, name }: McpServerTool): McpAccessNotice {
  const text = `MCP server "${server}": ${name} is left out, because a tool of another server has the same name. Rename one of the servers.`
  return { level: 'warning', text }
}

function describeTool(tool: McpToolSet['tools'][number]): DescribedTool {
  const { name, description, parameters, effect, untrusted = 'all', timeoutMs, server } = tool
  return {
    name,
    description,
    parameters: parameters as JsonObject,
    effect,
    untrusted,
    timeoutMs,
    server,
  }
}

function leftOutNotice(
  server: string,
  tools: readonly Tool[],
  isTrusted: boolean,
): McpAccessNotice {
  const names = tools.slice(0, maxNamedTools).map(({ name }) => name)
  const more = tools.length > names.length ? ` and ${tools.length - names.length} more` : ''
  const trust = isTrusted
    ? ', which is the only way: the server does not mark them as read-only.'
    : '; or set "trust": true in its entry if you trust the server to mark tools as read-only.'
  const text = `MCP server "${server}": left out, because they may have side effects: ${names.join(', ')}${more}. Allow some with mcp.allow in your own configuration file${trust}`
  return { level: 'info', text }
}
