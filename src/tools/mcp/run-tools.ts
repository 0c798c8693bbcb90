import type { Tool } from '../../kernel/agent/tool.ts'
import type { Json } from '../../kernel/json.ts'
import type { Library } from '../../retrieval/library.ts'
import { keepResult } from './keep-result.ts'
import type { DescribedTool, McpAccess } from './mcp-access.ts'
import { parseArguments } from './mcp-tools.ts'

/** What tools of servers need of a run. */
export interface McpScope {
  /** The way to the servers, asked for when a tool is first called. */
  readonly access: () => Promise<McpAccess>
  readonly library: Library
  /** Names of the tools beside which these stand. */
  readonly takenNames: readonly string[]
  /** Tells the time; asked inside of steps only, whose results are recorded. */
  readonly now: () => number
}

/**
 * The tools that a run was offered, for a model to call. What they read becomes snapshots in the library. A server that fails is
 * told as data, so that it can become a gap.
 */
export function createMcpRunTools(
  offered: readonly DescribedTool[],
  scope: McpScope,
): readonly Tool[] {
  return offered.map((tool) => {
    const { server: _server, ...described } = tool
    return {
      ...described,
      parse: (input) => parseArguments(tool.parameters, input),
      execute: (input, run) => execute(tool, scope, input, run),
    }
  })
}

async function execute(
  tool: DescribedTool,
  { access, library, takenNames, now }: McpScope,
  input: Json,
  run: Parameters<Tool['execute']>[1],
): Promise<Json> {
  const outcome = await (await access()).call(tool, takenNames, input, run)
  const told = outcome.notices.length === 0 ? {} : { notices: outcome.notices as unknown as Json }
  if (outcome.ok) {
    const kept = await keepResult(library, outcome.result, { tool, input, atMs: now() })
    return { ...kept, ...told }
  }
  const { error, unavailable } = outcome
  // Only a step that failed can say that nobody knows what it did.
  if (error.code === 'outcome_unknown' || (unavailable.length === 0 && told.notices === undefined))
    throw error
  return {
    error: error.message,
    code: error.code,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    unavailable: unavailable as unknown as Json,
    ...told,
  }
}
