import { ScholiumError } from '../kernel/errors.ts'
import type { RunStatus } from '../kernel/event.ts'
import type { Limits } from '../kernel/limits.ts'
import type { RunStore } from '../kernel/run-store.ts'
import type { DescribedTool } from '../tools/mcp/mcp-access.ts'
import type { AppParts } from './app-parts.ts'
import { environmentServers } from './papers/environment-servers.ts'
import type { PapersConditions } from './papers/papers-conditions.ts'

/**
 * Refuses to go on with a run without the MCP servers that it began with: each call of them would fail, and that would stand in
 * its record for good.
 * @throws `invalid_input`
 */
export async function requireServers(
  { store, mcp, environment }: Pick<AppParts, 'store' | 'mcp' | 'environment'>,
  runId: string,
  limits: Limits = {},
): Promise<void> {
  const { status } = await store.get(runId)
  // What has ended only gives its answer, unless a higher limit lets it go on.
  if (ended.includes(status) && Object.keys(limits).length === 0) return
  const used = await serversOf(store, runId)
  if (used.length === 0) return
  const known = [...mcp.servers, ...environmentServers(environment)].map(({ name }) => name)
  const missing = used.filter((name) => !known.includes(name))
  if (missing.length === 0) return
  throw new ScholiumError(
    'invalid_input',
    `Run ${runId} uses the MCP ${missing.length === 1 ? 'server' : 'servers'} ${missing.join(', ')}, which this command does not know.`,
    {
      hint: `Nothing was done. Go on with them, in the folder of their .mcp.json: scholium resume ${runId} --mcp`,
      details: { runId, servers: missing },
    },
  )
}

const ended: readonly RunStatus[] = ['answered', 'partial', 'unanswered', 'failed']

/** The names of the servers that a run may use, by what it began with. */
async function serversOf(store: RunStore, runId: string): Promise<readonly string[]> {
  for await (const { output, data } of store.events(runId, { types: ['run.started'] })) {
    const { papers } = (data.configuration ?? {}) as { readonly papers?: PapersConditions }
    const ofPapers = papers === undefined || papers.mcpArxiv === '' ? [] : [papers.mcpArxiv]
    const { mcp = [], mcpTools = [] } = (output ?? {}) as {
      readonly mcp?: readonly string[]
      readonly mcpTools?: readonly DescribedTool[]
    }
    return [...new Set([...mcp, ...mcpTools.map(({ server }) => server), ...ofPapers])]
  }
  return []
}
