import type { RunStore } from '../../kernel/run-store.ts'

/** What an agent's run is begun with beside its file and input. It goes on, and is forked, under the same. */
export type AgentConditions = {
  /** The folder out of which no file is read or written. */
  readonly workspace: string
  /** Whether the web may be asked. */
  readonly web: boolean
  /** Origins that may be asked wherever they are, such as `http://127.0.0.1:8080`. */
  readonly origins: readonly string[]
  /** Variables of the environment that the file may read although they have names of secrets. */
  readonly secrets: readonly string[]
  /** Tools that an agent may use although it has read words from elsewhere. */
  readonly allow: readonly string[]
}

/** What an agent's run was begun with, and the hashes of its files. */
export async function recordedAgentConditions(
  store: RunStore,
  runId: string,
): Promise<{
  readonly conditions: AgentConditions
  readonly promptHashes: Readonly<Record<string, string>>
}> {
  for await (const { data } of store.events(runId, {
    types: ['run.started'],
    withOutput: false,
  })) {
    const { agent } = (data.configuration ?? {}) as { readonly agent?: AgentConditions }
    const promptHashes = (data.promptHashes ?? {}) as Readonly<Record<string, string>>
    if (agent !== undefined) return { conditions: agent, promptHashes }
  }
  return {
    conditions: { workspace: process.cwd(), web: false, origins: [], secrets: [], allow: [] },
    promptHashes: {},
  }
}
