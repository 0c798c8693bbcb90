import type { Tool } from '../../kernel/agent/tool.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import type { Json } from '../../kernel/json.ts'
import type { DescribedTool, McpAccess, McpOffer } from './mcp-access.ts'

/** The part of MCP access that runs use. */
export type ToolAccess = Pick<McpAccess, 'offer' | 'call'>

/** The name under which a program's own tools appear among a run's servers; no configured server can have it. */
export const ownToolsServer = 'own tools'

/**
 * Combines access to servers with tools of the program that drives the run, which are offered, recorded and read like a
 * server's.
 * @param tools not needed for a replay, which calls none
 * @param servers access to other servers, requested when one is used
 */
export function withOwnTools(
  tools: readonly Tool[],
  servers: () => Promise<ToolAccess>,
): ToolAccess {
  return {
    async offer(names, takenNames, signal) {
      const others = names.filter((name) => name !== ownToolsServer)
      const offered =
        others.length === 0 ? nothing : await (await servers()).offer(others, takenNames, signal)
      checkNames(tools, [...takenNames, ...offered.tools.map(({ name }) => name)])
      return others.length === names.length
        ? offered
        : { ...offered, tools: [...tools.map(describeTool), ...offered.tools] }
    },
    async call(called, takenNames, input, run) {
      if (called.server !== ownToolsServer)
        return (await servers()).call(called, takenNames, input, run)
      const tool = tools.find(({ name }) => name === called.name)
      if (tool === undefined)
        throw new ScholiumError('tool_failed', `The program has no tool "${called.name}".`)
      const parsed = tool.parse(input)
      if (!parsed.ok)
        throw new ScholiumError(
          'tool_failed',
          `Invalid arguments for ${tool.name}: ${parsed.reason}`,
        )
      return { ok: true, result: toMcpResult(await tool.execute(parsed.value, run)), notices: [] }
    },
  }
}

const nothing: McpOffer = { tools: [], unavailable: [], notices: [] }

/** A tool without its code, as recorded in the log. Its results are untrusted. */
function describeTool({
  name,
  description,
  parameters,
  effect,
  timeoutMs,
  untrusted,
}: Tool): DescribedTool {
  const facts = { name, description, parameters, effect, timeoutMs }
  return { ...facts, untrusted: untrusted ?? 'results', server: ownToolsServer }
}

/** @throws `invalid_configuration` for a name that another tool of the run has */
function checkNames(tools: readonly Tool[], taken: readonly string[]): void {
  const clash = tools.find(
    ({ name }, index) =>
      taken.includes(name) || tools.findIndex((one) => one.name === name) < index,
  )
  if (clash === undefined) return
  throw new ScholiumError('invalid_configuration', `There are two tools named "${clash.name}".`, {
    hint: 'Give your tool another name.',
  })
}

function toMcpResult(output: Json) {
  return typeof output === 'string'
    ? { content: [{ type: 'text', text: output }] }
    : { content: [], structured: output }
}
