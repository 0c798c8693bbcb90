import { resolve } from 'node:path'
import type { AgentDocument } from '../../agents/document/agent-document.ts'
import { checkAgentInput, createAgentInput, documentHash } from '../../agents/run/agent-input.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { startRun } from '../../kernel/run/run.ts'
import { findNearest } from '../../kernel/text/nearest.ts'
import type { DescribedTool } from '../../tools/mcp/mcp-access.ts'
import type { AppParts } from '../app-parts.ts'
import { requirePrices } from '../models/require-prices.ts'
import type { ExecutionOptions } from '../options.ts'
import { newRunId } from '../runs/run-id.ts'
import { type AgentAnswer, presentResult } from '../runs/run-result.ts'
import type { AgentConditions } from './agent-conditions.ts'
import { bindAgent } from './agent-definition.ts'
import { agentEnvironment } from './agent-environment.ts'
import { type AgentSource, pathOf, type ReadAgentOptions, requireAgent } from './read-agent.ts'

/** Options for running an agent file. */
export interface AgentRunOptions extends ExecutionOptions, ReadAgentOptions {
  /** Files are read and written only in this folder. Default: the app's. */
  readonly workspace?: string
  /** Whether the web may be used: `http.*`, `web.*` and `academic.*`. Default false. */
  readonly web?: boolean
  /** Origins in a private network that it may request with `web`, such as `http://127.0.0.1:8080`. Default: none. */
  readonly allowedOrigins?: readonly string[]
  /** Environment variables that the file may read: names, or `NAME=VALUE`. Their values are recorded. Default: none. */
  readonly environment?: readonly string[]
  /** Environment variables that the file may use and whose values are never recorded. Default: none. */
  readonly secrets?: readonly string[]
  /** Name of a memory that files share for `memory.*`, `ltm.*` and `cache.*`. Default: each file has its own. */
  readonly memory?: string
  /** Tools that an agent may use after it has read untrusted text: names, in which `*` stands for any characters. Default: none. */
  readonly allow?: readonly string[]
  /** Which configured MCP servers' tools are actions for the file: all, none or these. Default: those of the app's settings. */
  readonly mcp?: boolean | readonly string[]
  /** Nodes before which the run waits for a person, in addition to those that the file names. */
  readonly interruptBefore?: readonly string[]
  /** Nodes after which the run waits for a person, in addition to those that the file names. */
  readonly interruptAfter?: readonly string[]
}

/** @see App.runAgent */
export async function runAgent(
  parts: AppParts,
  source: AgentSource,
  values: JsonObject,
  options: AgentRunOptions,
): Promise<AgentAnswer> {
  const asked = toConditions(parts, options)
  parts.requirePath(asked.workspace)
  const mcpTools = await toolsOfServers(parts, options)
  const checks = await parts.agents.checks(mcpTools)
  const { document: file, subgraphs } = await requireAgent(source, parts.folder, checks, options)
  const document = withInterrupts(file, options)
  const conditions = { ...asked, memory: chooseMemory(document, source, parts.folder, options) }
  const documents = [document, ...Object.values(subgraphs)]
  const { environment = [], secrets = [] } = options
  const read = agentEnvironment(parts.environment, { environment, secrets }, documents)
  const given = createAgentInput({ document, input: values, subgraphs, ...read })
  await checkAgentInput(document, values, options.signal ?? new AbortController().signal)
  const hashes = Object.fromEntries(documents.map((one) => [one.file, documentHash(one)]))
  const bound = await bindAgent(parts, { conditions, promptHashes: hashes, mcpTools })
  await parts.readWindows(options, parts.modelSource, bound)
  const execution = parts.execution(options, parts.modelSource, bound)
  requirePrices(execution.limits ?? {}, parts.modelSource)
  const runId = newRunId(parts.clock.now())
  const input = mcpTools.length === 0 ? given : { ...given, mcpTools }
  const { result } = await startRun(await bound.workflow(), input as JsonObject, runId, execution)
  return presentResult(parts, runId, result) as Promise<AgentAnswer>
}

/** The tools of the MCP servers that the run may use, recorded so that a replay need not ask again. */
async function toolsOfServers(
  parts: AppParts,
  { mcp: asked, signal }: AgentRunOptions,
): Promise<readonly DescribedTool[]> {
  const { mcp } = parts
  const servers = mcp.namesFor(asked)
  if (servers.length === 0) return []
  const { offeredMcpTools } = await import('./mcp-actions.ts')
  return offeredMcpTools(mcp, servers, signal, (text) => parts.warn(text))
}

/** @throws `invalid_input` for an invalid origin */
function toConditions(parts: AppParts, options: AgentRunOptions): Omit<AgentConditions, 'memory'> {
  const { web = false, allowedOrigins = [], secrets = [], allow = [] } = options
  const origins = allowedOrigins.map((given) => {
    const address = URL.canParse(given) ? new URL(given) : undefined
    if (address?.protocol === 'http:' || address?.protocol === 'https:') return address.origin
    throw new ScholiumError('invalid_input', `"${given}" is not an origin that can be allowed.`, {
      hint: 'Write it as http://127.0.0.1:8080.',
    })
  })
  const workspace = resolve(parts.folder, options.workspace ?? '.')
  return { workspace, web, origins, secrets, allow }
}

/** Whose part of the memory a run has: that which the operator names, else that of the file under its name. */
function chooseMemory(
  { name }: AgentDocument,
  source: AgentSource,
  folder: string,
  { memory }: AgentRunOptions,
): string {
  if (memory === undefined) return `file:${resolve(folder, pathOf(source))}#${name}`
  if (/^[\w.-]{1,100}$/.test(memory)) return `shared:${memory}`
  throw new ScholiumError('invalid_input', `"${memory}" is not a valid memory name.`, {
    hint: 'Use letters, digits, "_", "-" and ".".',
  })
}

function withInterrupts(
  document: AgentDocument,
  { interruptBefore = [], interruptAfter = [] }: AgentRunOptions,
): AgentDocument {
  const names = document.nodes.map(({ name }) => name)
  for (const node of [...interruptBefore, ...interruptAfter]) {
    if (names.includes(node)) continue
    const meant = findNearest(node, names)
    throw new ScholiumError('invalid_input', `${document.file} has no node "${node}".`, {
      hint: meant === undefined ? `Its nodes: ${names.join(', ')}.` : `Did you mean "${meant}"?`,
    })
  }
  return {
    ...document,
    interruptBefore: [...new Set([...document.interruptBefore, ...interruptBefore])],
    interruptAfter: [...new Set([...document.interruptAfter, ...interruptAfter])],
  }
}
