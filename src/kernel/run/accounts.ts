import { type EventOf, isOfStep, isStepEnd, type RunEvent, type StepEvent } from './event.ts'

/** A run's usage, added up from its log. */
export type Accounts = {
  readonly inputTokens: number
  /** Those of the input tokens that providers read from their caches; absent for none. */
  readonly cachedInputTokens?: number
  readonly outputTokens: number
  /** Tokens of embedded texts, not included in the input tokens. */
  readonly embeddingTokens: number
  /** Number of steps that called a model, whatever their number of attempts. */
  readonly modelCalls: number
  readonly toolCalls: number
  /** null if a model's price is unknown. */
  readonly costUsd: number | null
  /** From start to end, without pauses. */
  readonly wallMs: number
  /** Total time of all model calls. */
  readonly modelMs: number
}

const nothing: Accounts = {
  inputTokens: 0,
  outputTokens: 0,
  embeddingTokens: 0,
  modelCalls: 0,
  toolCalls: 0,
  costUsd: 0,
  wallMs: 0,
  modelMs: 0,
}

/**
 * Adds up the usage in a run's events, in order; outputs are not needed. What a fork shares with its parent counts as the
 * parent's.
 */
export async function sumAccounts(events: AsyncIterable<RunEvent>): Promise<Accounts> {
  let accounts = nothing
  let previousTs: number | undefined
  for await (const event of events) {
    if (event.type === 'run.forked') accounts = nothing
    const isPauseBefore = isPause(event) || previousTs === undefined
    const wallMs =
      accounts.wallMs + (isPauseBefore ? 0 : Math.max(0, event.ts - (previousTs as number)))
    previousTs = event.ts
    const isUsing = isStepEnd(event) || event.type === 'limit.reached'
    accounts = { ...(isUsing ? withStep(accounts, event) : accounts), wallMs }
  }
  return accounts
}

/** Whether the time before an event was not work: between sessions, or while waiting for a person. */
export function isPause(event: RunEvent): boolean {
  if (isOfStep(event)) return event.data.isPause === true
  return ['run.resumed', 'run.forked', 'run.waiting'].includes(event.type)
}

function withStep(accounts: Accounts, event: StepEvent | EventOf<'limit.reached'>): Accounts {
  const { usage, isEmbedding } = event.data
  const startedAt = (event.type === 'limit.reached' ? undefined : event.data.startedAt) ?? event.ts
  if (isToolCall(event)) return { ...accounts, toolCalls: accounts.toolCalls + 1 }
  if (usage === undefined) return accounts
  const isPriced = accounts.costUsd !== null && (usage === undefined || usage.costUsd !== null)
  const tokens = usage?.inputTokens ?? 0
  const cachedInputTokens = (accounts.cachedInputTokens ?? 0) + (usage.cachedInputTokens ?? 0)
  return {
    ...accounts,
    modelCalls: accounts.modelCalls + 1,
    ...(isEmbedding === true
      ? { embeddingTokens: accounts.embeddingTokens + tokens }
      : { inputTokens: accounts.inputTokens + tokens }),
    ...(cachedInputTokens === 0 ? {} : { cachedInputTokens }),
    outputTokens: accounts.outputTokens + (usage?.outputTokens ?? 0),
    costUsd: isPriced ? (accounts.costUsd as number) + (usage?.costUsd ?? 0) : null,
    modelMs: accounts.modelMs + Math.max(0, event.ts - startedAt),
  }
}

function isToolCall({ type, key }: RunEvent): boolean {
  return type !== 'limit.reached' && key.endsWith('/call')
}
