import { type Accounts, sumAccounts } from '../../kernel/run/accounts.ts'
import { isStepEnd, type LiveEvent, type RunEvent } from '../../kernel/run/event.ts'
import { asObject } from '../render/as-object.ts'

/** Usage of a session, in tokens and US dollars. */
export interface SessionUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly modelCalls: number
  /** `null` if unknown. */
  readonly costUsd: number | null
}

/** Adds up a session's usage. */
export class UsageMeter {
  private used: SessionUsage = { inputTokens: 0, outputTokens: 0, modelCalls: 0, costUsd: 0 }
  private named: string | undefined

  get usage(): SessionUsage {
    return this.used
  }

  /** The model that the run was started with, once known. */
  get model(): string | undefined {
    return this.named
  }

  /** Starts with the session's usage so far. */
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

/** The session's model that an event of its run names. */
export function modelOf({ data }: RunEvent): string | undefined {
  if (!('configuration' in data)) return undefined
  const { models } = data.configuration
  const { default: name } = asObject(models)
  return typeof name === 'string' ? name : undefined
}
