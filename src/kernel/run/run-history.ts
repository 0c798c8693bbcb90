import { ScholiumError } from '../errors.ts'
import type { LimitName } from '../limits/limit-reached.ts'
import type { Limits, Spent } from '../limits/limits.ts'
import { resolveMaxLogBytes } from '../limits/log-limit.ts'
import { isPause } from './accounts.ts'
import { type EventOf, isStepEnd, type RunEvent, type StepFacts, type Usage } from './event.ts'
import type { Journal } from './journal.ts'
import { effectiveEvents } from './rewind.ts'
import type { RunStore } from './run-store.ts'

/** A run's history, read once from its log. */
export interface History {
  readonly started: EventOf<'run.started'>
  /** The event with the run's configuration: its start, or the fork that created it. */
  readonly configured: EventOf<'run.started' | 'run.forked'>
  readonly finished: EventOf<'run.finished'> | undefined
  /** The event after which to restart, if the run ended with a failure that may be temporary: see {@link Retry}. */
  readonly rewindToSeq: number | null
  /** Where a limit of the run stopped the last work: after which event, and which limit. */
  readonly stopped: Stop | undefined
  /** The limits of the last execution. */
  readonly limits: Limits
  readonly spent: readonly Spent[]
  readonly workedMs: number
}

/** A run limit that stopped the run. */
export interface Stop {
  readonly afterSeq: number
  readonly limit: LimitName
}

/**
 * Reads a run's log once, into the journal and the facts needed to resume it.
 * @throws `run_incompatible` for a log without a beginning
 */
export async function readHistory(
  journal: Journal,
  store: RunStore,
  runId: string,
): Promise<History> {
  let started: History['started'] | undefined
  let configured: History['configured'] | undefined
  let finished: History['finished']
  let sessionStart = 0
  let last = 0
  let workedMs = 0
  let limits: Limits = {}
  let stopped: Stop | undefined
  const retry = new Retry()
  let spending = new Spending()
  for await (const event of store.events(runId, { withOutput: false })) {
    journal.record(event)
    retry.record(event)
    if (event.type === 'run.started') started = event
    if (isSessionStart(event)) {
      if (event.type !== 'run.resumed') configured = event
      limits = event.data.limits ?? limits
      workedMs += Math.max(0, last - sessionStart)
      sessionStart = event.ts
      finished = undefined
      stopped = stopAfter(stopped, event)
    }
    if (event.type === 'run.forked') {
      // The cost of shared events was the parent's.
      spending = new Spending()
      workedMs = 0
    }
    if (isPause(event) && !isSessionStart(event)) workedMs -= Math.max(0, event.ts - last)
    last = event.ts
    if (event.type === 'run.finished') finished = event
    stopped ??= stopAt(event)
    spending.record(event)
  }
  if (started === undefined || configured === undefined) {
    throw new ScholiumError('run_incompatible', `The log of run ${runId} has no start event.`, {
      hint: 'It is damaged; remove it with: scholium runs remove',
    })
  }
  const { rewindToSeq } = retry
  workedMs += Math.max(0, last - sessionStart)
  const spent = spending.total
  return { started, configured, finished, rewindToSeq, stopped, limits, spent, workedMs }
}

/** The stop that an event records; a limit of a part stops only that part. */
function stopAt(event: RunEvent): Stop | undefined {
  if (event.type !== 'limit.reached') return undefined
  const { limit, part } = event.data.failure.details ?? {}
  return part === undefined ? { afterSeq: event.seq - 1, limit: limit as LimitName } : undefined
}

/** The stop that still applies after a session started: none for a fork, or if the run was resumed from before it. */
function stopAfter(stopped: Stop | undefined, event: SessionStart): Stop | undefined {
  if (stopped === undefined || event.type !== 'run.resumed') return undefined
  const { rewindToSeq } = event.data
  return rewindToSeq !== null && rewindToSeq <= stopped.afterSeq ? undefined : stopped
}

/**
 * The event after which a finished run is resumed: before a temporary failure, or where a limit stopped it that has been raised
 * since. null: it resumes where it is, or has ended.
 */
export function findRewind(history: History, limits: Limits): number | null {
  const { rewindToSeq, stopped, finished } = history
  if (stopped === undefined || finished?.data.status === 'answered') return rewindToSeq
  const { limit, afterSeq } = stopped
  const isRaised =
    limit === 'maxLogBytes'
      ? resolveMaxLogBytes(limits) > resolveMaxLogBytes(history.limits)
      : (limits[limit] ?? 0) > (history.limits[limit] ?? Infinity)
  return isRaised ? Math.min(rewindToSeq ?? afterSeq, afterSeq) : rewindToSeq
}

type SessionStart = EventOf<'run.started' | 'run.resumed' | 'run.forked'>

function isSessionStart(event: RunEvent): event is SessionStart {
  return ['run.started', 'run.resumed', 'run.forked'].includes(event.type)
}

const nothingUsed: Usage = { inputTokens: 0, outputTokens: 0, costUsd: 0 }

/**
 * Adds up the usage in a log. A start without an end counts as everything reserved for it: a call in flight may have been
 * charged.
 */
class Spending {
  private readonly ended: Spent[] = []
  private readonly open = new Map<string, { readonly start: Spent; readonly before?: Spent }>()

  record(event: RunEvent): void {
    const { key } = event
    if (event.type === 'step.started') {
      const { reservation } = event.data
      this.close(key)
      if (reservation !== undefined) this.open.set(key, { start: spentWhole(key, reservation) })
    } else if (isStepEnd(event) || event.type === 'limit.reached') {
      const { steps = 0, usage = nothingUsed } = event.data
      // A limit that stopped the next attempt before it began says nothing about the attempt that was lost.
      if (event.type !== 'limit.reached' || event.data.steps !== undefined) this.open.delete(key)
      this.add({ key, steps, usage })
    } else if (event.type === 'notice' && event.data.usage !== undefined) {
      const { steps = 0, usage } = event.data
      // The usage of earlier calls of the same step.
      const open = this.open.get(key)
      if (open !== undefined) this.open.set(key, { ...open, before: { key, steps, usage } })
    }
  }

  get total(): readonly Spent[] {
    return [...this.ended, ...[...this.open.keys()].flatMap((key) => this.ofOpen(key))]
  }

  private ofOpen(key: string): readonly Spent[] {
    const { start, before } = this.open.get(key) ?? {}
    return [start, before].filter((spent) => spent !== undefined)
  }

  private add(spent: Spent): void {
    const { inputTokens, outputTokens } = spent.usage
    if (spent.steps > 0 || inputTokens + outputTokens > 0) this.ended.push(spent)
  }

  /** Counts an attempt that never ended, before the next one at the same step. */
  private close(key: string): void {
    this.ended.push(...this.ofOpen(key))
    this.open.delete(key)
  }
}

function spentWhole(
  key: string,
  { steps, tokens, costUsd }: NonNullable<StepFacts['reservation']>,
): Spent {
  return { key, steps, usage: { inputTokens: tokens, outputTokens: 0, costUsd } }
}

/**
 * Finds where to retry a run that ended with a temporary failure: at the first such failure that was not handled. A failure
 * inside a finished turn, or inside a branch of a finished fan-out, was handled as a value.
 */
class Retry {
  private failures: EventOf<'step.failed'>[] = []
  private isEnded = false

  record(event: RunEvent): void {
    const { type, key } = event
    if (event.type === 'step.failed') this.failures.push(event)
    if (
      event.type === 'turn.done' ||
      (event.type === 'node.done' && event.data.branches !== undefined)
    ) {
      this.failures = this.failures.filter((failed) => !failed.key.startsWith(`${key}/`))
    }
    this.failures = effectiveEvents(this.failures, event)
    if (type === 'run.forked') this.failures = []
    if (type.startsWith('run.')) this.isEnded = isFailure(event)
  }

  get rewindToSeq(): number | null {
    const failed = this.failures.find(({ data }) => data.failure?.retryable === true)
    return this.isEnded && failed !== undefined ? failed.seq - 1 : null
  }
}

/** Whether a run ended here because of a failure, or for lack of something that failed. */
function isFailure(event: RunEvent): boolean {
  if (event.type === 'run.finished')
    return event.data.status === 'failed' || event.data.mayRetry === true
  return event.type === 'run.suspended' && event.data.failure.retryable
}

/**
 *
 * @throws `run_incompatible` if another workflow, or another version of it, recorded the run
 */
export function checkWorkflow(
  workflow: { readonly name: string; readonly version: string },
  started: EventOf<'run.started'>,
): void {
  const recorded = started.data.versions
  if (started.data.workflow === workflow.name && recorded.workflow === workflow.version) return
  throw new ScholiumError(
    'run_incompatible',
    `The run was recorded by ${started.data.workflow} ${recorded.workflow}; this is ${workflow.name} ${workflow.version}.`,
    { hint: 'Use the version that recorded it, or ask again.' },
  )
}
