import type { Depth } from '../../ask/result.ts'
import { canonicalJson } from '../../kernel/json.ts'
import { computeCostUsd } from '../../kernel/model/model-content.ts'
import { type Accounts, sumAccounts } from '../../kernel/run/accounts.ts'
import type { RunRecord } from '../../kernel/run/run-store.ts'
import { listModelNames } from '../../models/model-source.ts'
import type { AppParts } from '../app-parts.ts'
import { rolesInUse } from '../models/roles.ts'
import type { AskRequest } from '../options.ts'
import { recordedConditions } from '../runs/recorded-conditions.ts'
import { toAskInput } from './run-ask.ts'

/** The least and the most that is expected. */
export type Range = { readonly from: number; readonly to: number }

/** What a question is expected to take, before it is asked. */
export type AskEstimate = {
  readonly depth: Depth
  readonly modelCalls: Range
  /** Of requests and answers together. */
  readonly tokens: Range
  /** null: the price of a model is not known. */
  readonly costUsd: Range | null
  /** Of how many earlier questions of the same version, depth and models; 0 for a rough figure without any. */
  readonly earlierRuns: number
}

/** Among so many runs, the newest, earlier questions are looked for, and of these so many are counted. */
const maxLookedThrough = 200
const maxCounted = 20

/** @see App.estimate */
export async function estimateAsk(parts: AppParts, request: AskRequest): Promise<AskEstimate> {
  const { depth = 'standard' } = await toAskInput(parts, request)
  const earlier: Accounts[] = []
  for (const run of await parts.store.list({ limit: maxLookedThrough })) {
    if (earlier.length === maxCounted) break
    if (await isAlike(parts, run, depth))
      earlier.push(await sumAccounts(parts.store.events(run.runId, { withOutput: false })))
  }
  if (earlier.length === 0) return { depth, ...estimateRoughly(parts, depth), earlierRuns: 0 }
  const costs = earlier.flatMap((accounts) => costsOf(parts, accounts))
  return {
    depth,
    modelCalls: rangeOf(earlier.map(({ modelCalls }) => modelCalls)),
    tokens: rangeOf(earlier.map(({ inputTokens, outputTokens }) => inputTokens + outputTokens)),
    costUsd: costs.includes(null) ? null : rangeOf(costs.filter((cost) => cost !== null)),
    earlierRuns: earlier.length,
  }
}

/** What a run cost; if its models had no price then, the least and the most that its tokens cost at the prices of now. */
function costsOf(
  { modelSource }: AppParts,
  { inputTokens, outputTokens, costUsd }: Accounts,
): readonly (number | null)[] {
  if (costUsd !== null) return [costUsd]
  return rolesInUse.map((role) =>
    computeCostUsd(inputTokens, outputTokens, modelSource.forRole(role).price),
  )
}

/** Whether a run is an answered question of this version and depth that the same models answered. */
async function isAlike(parts: AppParts, run: RunRecord, depth: Depth): Promise<boolean> {
  const { name, version } = await parts.workflow()
  const isAnswered = run.status === 'answered' || run.status === 'partial'
  if (run.workflow !== name || run.parent !== undefined || !isAnswered) return false
  for await (const event of parts.store.events(run.runId, { types: ['run.started'] })) {
    const { depth: asked } = (event.output ?? {}) as { readonly depth?: Depth }
    if (event.data.versions.workflow !== version || asked !== depth) return false
  }
  const { models } = await recordedConditions(parts.store, run.runId)
  return canonicalJson(models) === canonicalJson(listModelNames(parts.modelSource, rolesInUse))
}

function rangeOf(values: readonly number[]): Range {
  return { from: Math.min(...values), to: Math.max(...values) }
}

/** Model calls of a question with one research step, and of one with four of which one is rejected. See docs/cost.md. */
const roughCalls: Readonly<Record<Depth, Range>> = {
  quick: { from: 2, to: 6 },
  standard: { from: 4, to: 16 },
  thorough: { from: 8, to: 26 },
}
/** Tokens of a call: of short passages, and of long ones with a long conversation. */
const roughInputTokens: Range = { from: 800, to: 8_000 }
const roughOutputTokens: Range = { from: 100, to: 1_000 }

function estimateRoughly(
  { modelSource }: AppParts,
  depth: Depth,
): Pick<AskEstimate, 'modelCalls' | 'tokens' | 'costUsd'> {
  const modelCalls = roughCalls[depth]
  const bindings = rolesInUse.map((role) => modelSource.forRole(role))
  const isFree = bindings.every(({ effect }) => effect === 'pure')
  const at = (end: keyof Range) => {
    const [input, output] = [roughInputTokens[end], roughOutputTokens[end]]
    const costs = bindings.map(({ price }) => computeCostUsd(input, output, price))
    const known = costs.filter((cost) => cost !== null)
    const perCall = end === 'from' ? Math.min(...known) : Math.max(...known)
    return {
      tokens: isFree ? 0 : modelCalls[end] * (input + output),
      costUsd: known.length === costs.length ? modelCalls[end] * perCall : null,
    }
  }
  const [least, most] = [at('from'), at('to')]
  const isPriced = least.costUsd !== null && most.costUsd !== null
  return {
    modelCalls,
    tokens: { from: least.tokens, to: most.tokens },
    costUsd: isPriced ? { from: least.costUsd ?? 0, to: most.costUsd ?? 0 } : null,
  }
}
