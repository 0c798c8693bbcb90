import { type Accounts, sumAccounts } from '../../kernel/run/accounts.ts'
import { isStepEnd, type LiveEvent, type RunEvent } from '../../kernel/run/event.ts'
import { asObject } from '../render/as-object.ts'

/** What a session has used, in tokens and US dollars. */
export interface SessionUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly modelCalls: number
  /** null: not known. */
  readonly costUsd: number | null
}

/** Adds up what a session uses while it goes on. */
export class UsageMeter {
  private used: SessionUsage = { inputTokens: 0, outputTokens: 0, modelCalls: 0, costUsd: 0 }
  private named: string | undefined

  get usage(): SessionUsage {
    return this.used
  }

  /** The model that the run was begun with, once that is known. */
  get model(): string | undefined {
    return this.named
  }

  /** Begins with what a session had used before. */
  async begin(events: AsyncIterable<RunEvent>): Promise<void> {
    const { inputTokens, outputTokens, modelCalls, costUsd }: Accounts = await sumAccounts(
      this.naming(events),
    )
    this.used = { inputTokens, outputTokens, modelCalls, costUsd }
  }

  hear(event: LiveEvent): void {
    if ('transient' in event) return
    this.named = modelOf(event) ?? this.named
    if (!isStepEnd(event) && event.type !== 'limit.reached') return
    const { usage } = event.data
    if (usage === undefined) return
    const { inputTokens, outputTokens, modelCalls, costUsd } = this.used
    const isPriced = costUsd !== null && usage.costUsd !== null
    this.used = {
      inputTokens: inputTokens + usage.inputTokens,
      outputTokens: outputTokens + usage.outputTokens,
      modelCalls: modelCalls + 1,
      costUsd: isPriced ? costUsd + (usage.costUsd as number) : null,
    }
  }

  private async *naming(events: AsyncIterable<RunEvent>): AsyncGenerator<RunEvent> {
    for await (const event of events) {
      this.named = modelOf(event) ?? this.named
      yield event
    }
  }
}

/** The model of a session that an event of its run names. */
export function modelOf({ data }: RunEvent): string | undefined {
  if (!('configuration' in data)) return undefined
  const { models } = data.configuration
  const { default: name } = asObject(models)
  return typeof name === 'string' ? name : undefined
}
