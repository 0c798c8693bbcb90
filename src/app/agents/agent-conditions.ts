import type { RunStore } from '../../kernel/run/run-store.ts'
import type { DescribedTool } from '../../tools/mcp/mcp-access.ts'

/**
 * The conditions of an agent's run, in addition to its file and input. They also apply when it is resumed or forked.
 */
export type AgentConditions = {
  /** The only folder in which files are read or written. */
  readonly workspace: string
  /** Whether the web may be used. */
  readonly web: boolean
  /** Origins in a private network that may be requested, such as `http://127.0.0.1:8080`. */
  readonly origins: readonly string[]
  /** Environment variables that the file may use and whose values are secret. */
  readonly secrets: readonly string[]
  /** Tools that an agent may use after it has read untrusted text. */
  readonly allow: readonly string[]
  /** The owner of the memory: the file and its name, or a name that the operator gave. */
  readonly memory: string
}

/** The recorded conditions of an agent's run. */
export interface RecordedAgent {
  readonly conditions: AgentConditions
  /** The hashes of its files. */
  readonly promptHashes: Readonly<Record<string, string>>
  /** The tools that MCP servers offered. */
  readonly mcpTools: readonly DescribedTool[]
}

const unknownConditions = { web: false, origins: [], secrets: [], allow: [], memory: '' }

/** Reads the conditions of an agent's run from its record. */
export async function recordedAgentConditions(
  store: RunStore,
  runId: string,
): Promise<RecordedAgent> {
  for await (const { data, output } of store.events(runId, { types: ['run.started'] })) {
    const { promptHashes } = data
    const { agent } = data.configuration as { readonly agent?: AgentConditions }
    const { mcpTools = [] } = output as { readonly mcpTools?: readonly DescribedTool[] }
    if (agent !== undefined) return { conditions: agent, promptHashes, mcpTools }
  }
  return {
    conditions: { ...unknownConditions, workspace: process.cwd() },
    promptHashes: {},
    mcpTools: [],
  }
}
