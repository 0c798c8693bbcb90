import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { ActionRegistry } from '../../agents/actions/action.ts'
import type { ToolActionServices } from '../../agents/actions/tools/tool-action.ts'
import type { DocumentChecks } from '../../agents/document/checks.ts'
import type { AgentParts } from '../../agents/run/agent-parts.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import { hashJson, type Json } from '../../kernel/json.ts'
import type { Clock } from '../../kernel/run/clock.ts'
import type { Library } from '../../retrieval/library.ts'
import type { DescribedTool } from '../../tools/mcp/mcp-access.ts'
import type { Sandbox } from '../../tools/sandbox/sandbox.ts'
import type { WebSources } from '../../tools/web/web-sources.ts'
import type { AppMcp } from '../mcp/mcp.ts'
import type { Environment } from '../trust/user-folders.ts'
import type { AgentFeatures } from './agent-actions.ts'
import type { AgentConditions } from './agent-conditions.ts'
import { readSecretValues } from './agent-environment.ts'
import { createAgentCache, FileMemory } from './agent-memory.ts'

/** What agent files need from the app. */
export interface AgentHost {
  readonly environment: Environment
  /** Secret values of the app, which are never recorded. */
  secrets(): readonly string[]
  /** The folder of the home. */
  readonly homePath: string
  /** Creates the home if it is missing. */
  makeHome(): void
  readonly features: AgentFeatures
  /** Names of model providers. */
  readonly providers: readonly string[]
  readonly clock: Clock
  readonly mcp: Pick<AppMcp, 'access'>
  library(): Library
  /** Web access that also allows `origins`. */
  web(origins: readonly string[]): Promise<WebSources>
}

/** Checks and runs agent files for one app. Nothing is loaded before first use. */
export class AppAgents {
  private readonly host: AgentHost
  private readonly memory: FileMemory
  private sandbox: Promise<Sandbox> | undefined
  private known: Promise<DocumentChecks> | undefined

  constructor(host: AgentHost) {
    this.host = host
    this.memory = new FileMemory(join(host.homePath, 'memory.db'), host.clock, () =>
      host.makeHome(),
    )
  }

  /** All actions, for checks and lists: they cannot be called. */
  actions(): Promise<ActionRegistry> {
    return this.registry({})
  }

  /** What to check files against, including the tools of MCP servers if there are any. */
  checks(mcpTools: readonly DescribedTool[] = []): Promise<DocumentChecks> {
    if (mcpTools.length > 0) return this.readChecks(mcpTools)
    this.known ??= this.readChecks([])
    return this.known
  }

  /** The services of a run. */
  async partsOf(
    conditions: AgentConditions,
    mcpTools: readonly DescribedTool[],
  ): Promise<AgentParts> {
    const { workspace, web, origins, secrets, allow, memory: scope } = conditions
    const values = readSecretValues(this.host.environment, secrets)
    const servers = mcpTools as Json
    const kept = [...Object.values(values), ...this.host.secrets()]
    const { scopedMemory } = await import('./scoped-memory.ts')
    const memory = scopedMemory(this.memory, {
      memory: scope,
      workspace,
      conditions: hashJson({ workspace, web, origins, allow, servers }),
      secrets: kept,
    })
    const sandbox = await this.openSandbox()
    const sources = web ? await this.host.web(origins) : undefined
    const services: ToolActionServices = {
      // If another folder takes its place during the run, that is not the workspace.
      workspace: await realpath(workspace).catch(() => workspace),
      library: () => this.host.library(),
      sandbox: () => sandbox,
      memory: () => memory,
      web: () => sources ?? throwWebIsOff(),
    }
    return {
      actions: await this.registry(services, mcpTools),
      sandbox,
      secrets: values,
      workspace,
      // An operator's rule allowed them in the first place.
      allow: [
        ...allow,
        ...mcpTools.flatMap(({ effect, name }) => (effect === 'write' ? [name] : [])),
      ],
      cache: createAgentCache(memory),
    }
  }

  /** Ends its processes and closes what it opened. */
  async close(): Promise<void> {
    const sandbox = await this.sandbox?.catch(() => undefined)
    await sandbox?.close()
    await this.memory.close()
  }

  private async registry(
    services: ToolActionServices,
    mcpTools: readonly DescribedTool[] = [],
  ): Promise<ActionRegistry> {
    const { agentActions } = await import('./agent-actions.ts')
    if (mcpTools.length === 0) return agentActions(services, this.host)
    const { mcpActions } = await import('./mcp-actions.ts')
    const { mcp, clock } = this.host
    const scope = { mcp, library: () => this.host.library(), now: () => clock.now() }
    return agentActions(services, { ...this.host, more: mcpActions(mcpTools, scope) })
  }

  private async readChecks(mcpTools: readonly DescribedTool[]): Promise<DocumentChecks> {
    const { createChecks } = await import('./agent-checks.ts')
    const { refusedActions } = await import('../../agents/actions/refused-actions.ts')
    const { features, providers } = this.host
    return createChecks(await this.registry({}, mcpTools), refusedActions(features), providers)
  }

  private openSandbox(): Promise<Sandbox> {
    this.sandbox ??= import('../../tools/sandbox/sandbox.ts').then(({ createSandbox }) =>
      createSandbox({ limits: { valueCharacters: 1_000_000 } }),
    )
    return this.sandbox
  }
}

function throwWebIsOff(): never {
  throw new ScholiumError('invalid_configuration', 'Web access is disabled for this run.', {
    hint: 'Run the file with --web. A server in your own network also needs --allow-origin.',
  })
}
