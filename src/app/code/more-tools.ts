import * as z from 'zod'
import type { AskInput } from '../../ask/question.ts'
import type { AskResult } from '../../ask/result.ts'
import type { MoreTools } from '../../code/parts.ts'
import { researchName } from '../../code/session-sources.ts'
import type { CodeInput } from '../../code/settings.ts'
import { defineTool, type Tool } from '../../kernel/agent/tool.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'
import type { Limits } from '../../kernel/limits/limits.ts'
import { withLimits } from '../../kernel/limits/with-limits.ts'
import type { RunContext } from '../../kernel/run/run-context.ts'
import type { McpOffer } from '../../tools/mcp/mcp-access.ts'
import { ownToolsServer, type ToolAccess, withOwnTools } from '../../tools/mcp/own-tools.ts'
import type { AppParts } from '../app-parts.ts'
import { toAskInput } from '../ask/run-ask.ts'
import { depths } from '../options.ts'

/** The rights of a session. */
export interface SessionGrant {
  /** Whether it may use the web, if it was started so. */
  readonly hasWeb: boolean
  readonly tools: readonly Tool[]
}

/** Time limit for a server to start. */
const offerTimeoutMs = 120_000

/**
 * The question team as a tool, and the tools of MCP servers: recorded once per session, so that a replay needs no
 * server.
 */
export async function createMoreTools(
  parts: AppParts,
  context: RunContext,
  input: CodeInput,
  { hasWeb, tools: own }: SessionGrant,
): Promise<MoreTools> {
  const research = researchTool(parts, input.web && hasWeb)
  if (input.mcp.length === 0) return { tools: [research], allowed: [], notes: [] }
  const { createMcpRunTools } = await import('../../tools/mcp/run-tools.ts')
  const access = async () => withOwnTools(own, () => parts.mcp.access())
  const { tools, unavailable, notices } = await readOffer(access, context, input.mcp)
  const scope = {
    access,
    library: parts.library,
    takenNames: [],
    now: () => parts.clock.now(),
  }
  return {
    tools: [research, ...createMcpRunTools(tools, scope)],
    // A server's tool that may change something is offered only if an operator's rule names it.
    allowed: tools.flatMap(({ name, effect, server }) =>
      effect === 'write' && server !== ownToolsServer ? [name] : [],
    ),
    notes: [
      ...notices.map(({ text }) => text),
      ...unavailable.map(({ source, detail }) => `${source} could not be reached: ${detail}`),
    ],
  }
}

function readOffer(
  access: () => Promise<ToolAccess>,
  context: RunContext,
  servers: readonly string[],
): Promise<McpOffer> {
  const offer = async (signal: AbortSignal) => await (await access()).offer(servers, [], signal)
  return context.step('mcp', 'read', { servers: [...servers] }, ({ signal }) => offer(signal), {
    label: 'asking the MCP servers',
    timeoutMs: offerTimeoutMs,
  }) as Promise<McpOffer>
}

const input = z.object({
  question: z
    .string()
    .min(1)
    .describe('A question in full; the team knows nothing of this session.'),
  depth: z
    .enum(depths)
    .default('standard')
    .describe('quick: one fact; standard; thorough: every step is reviewed, which takes longest.'),
})

/** Maximum number of model and tool calls for one question. */
const maxSteps = 120

/**
 * The question team as a tool: a cited answer from the library and, if the session may use it, the web. It runs as a
 * part of the session's run with half of the remaining limits; each of its steps is recorded like any other.
 */
export function researchTool(parts: AppParts, web: boolean): Tool {
  const declared = defineTool({
    name: researchName,
    description:
      'Has a team answer a question from the library of papers and documents, with the place of each sentence; a number stands for the same source in the whole session. For facts of the world, not for this folder. Takes minutes.',
    input,
    effect: 'read',
    untrusted: 'results',
    execute: async () => {
      throw new ScholiumError('internal', 'The question team works in a run of its own steps.')
    },
  })
  return {
    ...declared,
    performs: (context, given) => research(parts, web, context, given as z.output<typeof input>),
  }
}

async function research(
  parts: AppParts,
  web: boolean,
  context: RunContext,
  { question, depth }: z.output<typeof input>,
): Promise<Json> {
  const asked = (await context.step('input', 'read', { question, depth }, async () => ({
    input: await toAskInput(parts, { question, depth, web, mcp: false }),
    limits: { ...limitShare(context) },
  }))) as { readonly input: JsonObject; readonly limits: Limits }
  const part = await withLimits(context, 'ask', asked.limits)
  // A session started with the web continues without it if it is no longer granted.
  const workflow = await parts.workflow({ web: () => parts.webIf(web) })
  const result = await workflow.run(part, asked.input as AskInput)
  return formatAnswer(result)
}

/** Half of what remains. */
function limitShare({ services, share }: RunContext): Limits {
  const { steps, tokens, costUsd } = services.budget.remaining(share)
  return {
    maxSteps: Math.min(maxSteps, Math.max(1, Math.floor(steps / 2))),
    ...(Number.isFinite(tokens) ? { maxTokens: Math.max(1, Math.floor(tokens / 2)) } : {}),
    ...(Number.isFinite(costUsd) ? { maxCostUsd: Math.max(0, costUsd / 2) } : {}),
  }
}

/** The tool's result: the answer with its own numbers, their sources, and the verdicts. */
function formatAnswer({ status, stopReason, answer, citations, coverage, gaps }: AskResult): Json {
  return {
    status,
    ...(status === 'answered' ? {} : { stopReason }),
    answer,
    sources: citations.map(({ n, sourceId, title, url, path }) => ({
      n,
      sourceId,
      title,
      ...(url === undefined ? {} : { url }),
      ...(path === undefined ? {} : { path }),
    })),
    checked: { ...coverage },
    ...(gaps.length === 0 ? {} : { gaps: gaps.map(({ detail }) => detail) }),
  }
}
