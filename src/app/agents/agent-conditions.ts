import type { RunStore } from '../../kernel/run/run-store.ts'
import type { DescribedTool } from '../../tools/mcp/mcp-access.ts'

/** What an agent's run is begun with beside its file and input. It goes on, and is forked, under the same. */
export type AgentConditions = {
  /** The folder out of which no file is read or written. */
  readonly workspace: string
  /** Whether the web may be asked. */
  readonly web: boolean
  /** Origins that may be asked wherever they are, such as `http://127.0.0.1:8080`. */
  readonly origins: readonly string[]
  /** Variables of the environment that the file may use and whose values are secret. */
  readonly secrets: readonly string[]
  /** Tools that an agent may use although it has read words from elsewhere. */
  readonly allow: readonly string[]
  /** Whose values the memory gives, and keeps: those of a file and its name, or of what the operator named. */
  readonly memory: string
}

/** What an agent's run was begun with. */
export interface RecordedAgent {
  readonly conditions: AgentConditions
  /** The hashes of its files. */
  readonly promptHashes: Readonly<Record<string, string>>
  /** The tools that MCP servers offered to it. */
  readonly mcpTools: readonly DescribedTool[]
}

const unknownConditions = { web: false, origins: [], secrets: [], allow: [], memory: '' }

/** What an agent's run was begun with, by its record. */
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
