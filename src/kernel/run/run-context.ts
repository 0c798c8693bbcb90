import type { Hooks } from '../agent/hooks.ts'
import type { Message } from '../agent/message.ts'
import { messageContent, messageHash } from '../agent/message-hash.ts'
import { fromFailure, ScholiumError, toFailure } from '../errors.ts'
import { type Hash, type Json, type JsonObject, sha256 } from '../json.ts'
import { finishRequested, limitReached } from '../limits/limit-reached.ts'
import type { Budget } from '../limits/limits.ts'
import { checkLogSize } from '../limits/log-limit.ts'
import type { ModelSource } from '../model/model.ts'
import { runStep } from '../step/step.ts'
import type { StepAttempt, StepOptions } from '../step/step-attempt.ts'
import { recordingLimit } from '../step/step-limit.ts'
import type { LimitUse, StepUse } from '../step/step-scope.ts'
import type { Clock } from './clock.ts'
import type { BoundaryType, Effect, EventData, NewEvent, Notice, TransientData } from './event.ts'
import type { Boundary, Journal, UnmarkedEvent } from './journal.ts'
import { redactGrowing, redactSecrets } from './secrets.ts'

interface OwnOptions {
  readonly services: RunServices
  readonly path: string
  readonly signal: AbortSignal
  readonly share?: string | undefined
  readonly isTimeless?: boolean
  /** The key of the decision to stop the part: see `createCancellationScope`. */
  readonly stopKey?: string | undefined
  readonly time?: { ms: number }
}

/** Options of a derived context; `budget` is the account of a part with its own limits. */
type DerivedOptions = Partial<Omit<OwnOptions, 'services' | 'path' | 'time'>> &
  Partial<Pick<RunServices, 'budget' | 'count'>>

/** A run's only access to the outside world. Each effect is a step, whose key is the context's path and the step's name. */
export class RunContext {
  readonly path: string
  readonly signal: AbortSignal
  readonly services: RunServices
  /** The reserved part of the budget that this part of the run may use. */
  readonly share: string | undefined
  /** Whether limits on time and log size do not apply: for work that ends a run after they were reached. */
  private readonly isTimeless: boolean
  private readonly stopKey: string | undefined
  private readonly time: { ms: number }

  constructor(options: OwnOptions) {
    this.services = options.services
    this.path = options.path
    this.signal = options.signal
    this.share = options.share
    this.isTimeless = options.isTimeless ?? false
    this.stopKey = options.stopKey
    this.time = options.time ?? { ms: 0 }
  }

  /** The run's id. */
  get runId(): string {
    return this.services.journal.runId
  }

  /** Whether this execution only reads what an earlier one recorded. */
  get isReplay(): boolean {
    return this.services.journal.mode === 'replay'
  }

  /** A context whose steps' keys begin with this one's path and `segment`. */
  child(segment: string, options: DerivedOptions = {}): RunContext {
    return this.derive(segment, this.time, options)
  }

  /** Like {@link child}, for a branch that runs in parallel with others and has its own time. See {@link join}. */
  branch(segment: string, signal: AbortSignal = this.signal): RunContext {
    return this.derive(segment, { ms: this.time.ms }, { signal })
  }

  /** The recorded decision to stop this part. */
  get stop(): Boundary | undefined {
    const { stopKey, services } = this
    return stopKey === undefined ? undefined : services.journal.decision('notice', stopKey)
  }

  /** Moves this context's time to the latest of its branches, at the fan-in. */
  join(branches: readonly RunContext[]): void {
    for (const branch of branches) this.advanceTime(branch.time.ms)
  }

  /**
   * Performs an effect once per run: calls `run` the first time, and returns the recorded result ever after.
   * @param name unique within this context: in a loop, it needs the index, or a context of its own (`child`, `branch`)
   * @param run may throw `outcome_unknown` if a write may have happened; any other error of a write says that it has not
   * @param input everything the effect depends on, without secrets; a recorded result is used only if its hash is the same
   * @throws `step_repeated` for a key used twice, `step_changed` if the recorded input differs, `step_missing` in a replay,
   * `outcome_unknown` for an interrupted write, `cancelled`, `limit_reached`, and whatever `run` throws
   */
  step<T extends Json>(
    name: string,
    effect: Effect,
    input: Json,
    run: (attempt: StepAttempt) => Promise<T>,
    options: StepOptions = {},
  ): Promise<T> {
    return runStep(this, { name, effect, input, run, ...options })
  }

  /** The time at which this branch's last step ended, in milliseconds since 1970; the same in each execution. */
  now(): number {
    return this.time.ms
  }

  /** Moves the branch's time forward. */
  advanceTime(timeMs: number): void {
    if (timeMs > this.time.ms) this.time.ms = timeMs
  }

  /** 16 hex digits; the same for the same name and path in each execution. */
  id(name: string): string {
    return sha256(`${this.services.seed}\n${this.path}\n${name}`).slice(0, 16)
  }

  /** A number in [0, 1); the same for the same name and path in each execution. */
  random(name: string): number {
    return Number.parseInt(this.id(name).slice(0, 13), 16) / 2 ** 52
  }

  /** Sends listeners a live event that is not stored. Secrets in streamed model output were already held back by its source. */
  emit<Type extends keyof TransientData>(type: Type, data: TransientData[Type], name = ''): void {
    const { journal, secrets } = this.services
    const redacted = type === 'progress' ? redactGrowing : redactSecrets
    journal.emit({ key: this.key(name), type, data: redacted(data, secrets) } as UnmarkedEvent)
  }

  /** Records a note about the run, once per name and path. */
  async notice(name: string, level: Notice['level'], text: string): Promise<void> {
    const key = this.key(name)
    if (this.services.journal.decision('notice', key) !== undefined) return
    const data = { level, component: this.path, text: this.redact(text) }
    await this.services.journal.append({ key, type: 'notice', data, ts: this.services.clock.now() })
  }

  /** Like {@link notice}, without waiting: a failing log is noticed at the next step. */
  warn(name: string, text: string): void {
    void this.notice(name, 'warning', text).catch(() => undefined)
  }

  /** Records that a node or turn ended, once; a resumed run starts after the last of these. */
  async reachBoundary<Type extends 'node.done' | 'turn.done'>(
    type: Type,
    name: string,
    data: EventData[Type],
    output?: Json,
  ): Promise<void> {
    const { journal, clock } = this.services
    const key = this.key(name)
    const recorded = journal.decision(type, key)
    if (recorded !== undefined) return this.advanceTime(recorded.ts)
    if (this.isReplay) return
    const withOutput = output === undefined ? {} : { output }
    const ts = clock.now()
    this.advanceTime(ts)
    await journal.appendAhead({ key, type, data, ...withOutput, ts } as NewEvent)
  }

  /** The boundary that an earlier execution reached under this name, with its output. */
  async boundary<Type extends BoundaryType>(
    type: Type,
    name: string,
  ): Promise<{ boundary: Boundary<Type>; output: Json } | undefined> {
    const { journal } = this.services
    const boundary = journal.boundary(type, this.key(name))
    if (boundary === undefined) return undefined
    this.advanceTime(boundary.ts)
    return { boundary, output: (await journal.output(boundary.seq)) ?? null }
  }

  /** The state fields that forks set after the boundary of this name, per fork; `''` is the beginning. */
  changedFields(name: string): Promise<readonly JsonObject[]> {
    return this.services.journal.changedFields(this.key(name))
  }

  /** Stores messages in the run, each once under its hash, so that a state only needs the hashes. */
  keepMessages(messages: readonly Message[]): readonly Hash[] {
    const hashes = messages.map(messageHash)
    this.services.journal.keep(
      messages.map((message, index) => ({
        hash: hashes[index] as Hash,
        text: messageContent(message),
      })),
    )
    return hashes
  }

  /**
   * Messages stored in the run. Parts that models are not shown have only their ids.
   * @throws `step_missing`
   */
  async loadMessages(hashes: readonly Hash[]): Promise<readonly Message[]> {
    return Promise.all(hashes.map((hash, index) => this.loadMessage(hash, index)))
  }

  private async loadMessage(hash: Hash, index: number): Promise<Message> {
    const text = await this.services.journal.blob(hash)
    if (text === undefined)
      throw new ScholiumError('step_missing', `The log has no message ${hash}.`, {
        details: { hash },
      })
    const { role, parts } = JSON.parse(text) as Pick<Message, 'role' | 'parts'>
    return { id: this.id(`message ${index}`), role, parts, createdAt: this.now() }
  }

  /**
   * A person's answer, requested once. If nobody can answer, the run is left waiting and can be resumed with an answer.
   * @throws `waiting`; `limit_reached` when the answer so far is wanted, and there is none to this question
   */
  async ask(name: string, prompt: Json): Promise<Json> {
    const { journal, answer, clock, budget } = this.services
    const key = this.key(name)
    const ask = async () => {
      const askedAtMs = clock.now()
      const given = await answer?.(prompt, key)
      budget.leaveOut(clock.now() - askedAtMs)
      if (given !== undefined) return given
      if (this.finish?.aborted === true) throw this.wallLimit('')
      if (journal.decision('run.waiting', key) === undefined) {
        await journal.append(
          { key, type: 'run.waiting', data: { key }, output: prompt, ts: clock.now() },
          'full',
        )
      }
      throw new ScholiumError('waiting', `The run is waiting for an answer at ${key}.`, {
        hint: `Answer with: scholium resume ${journal.runId} --answer TEXT`,
        details: { key, prompt },
      })
    }
    // A person may take as long as they like.
    const timeless = this.child('', { isTimeless: true })
    return timeless.step(name, 'pure', prompt, ask, { isPause: true })
  }

  /** Rejects if the run was cancelled or ended early, or its limit on time or log size is reached. */
  async throwIfStopped(): Promise<void> {
    if (this.signal.aborted) throw new ScholiumError('cancelled', 'The run was interrupted.')
    const remaining = this.remainingWall()
    if (remaining !== undefined && remaining.ms <= 0) throw this.wallLimit(remaining.path)
    if (!this.isReplay && !this.isTimeless) await checkLogSize(this)
  }

  /**
   * Rejects as a step would that started here, for work that may have no steps; records under the name what stopped it. First
   * yields to pending signals and timers, which work without steps would otherwise block.
   * @throws `cancelled`, `limit_reached`
   */
  async throwIfStoppedAt(name: string): Promise<void> {
    const key = this.key(name)
    await new Promise((resolve) => setImmediate(resolve))
    this.throwIfLimitRecorded(key)
    await recordingLimit(this, key, () => this.throwIfStopped())
  }

  /** Aborted when a person wants the answer so far; absent in a replay, and for work that ends a run. */
  get finish(): AbortSignal | undefined {
    return this.isReplay || this.isTimeless ? undefined : this.services.finish
  }

  /** How long the run, or the part at this path, may still work, in milliseconds; `undefined` without a time limit. */
  remainingWall(): { readonly ms: number; readonly path: string } | undefined {
    if (this.isReplay || this.isTimeless) return undefined
    const { budget, clock, finish } = this.services
    return finish?.aborted === true ? { ms: 0, path: '' } : budget.remainingWall(clock.now())
  }

  /** The error for a run that a person ended early, or for a run, or a part at this path, that has reached its time limit. */
  wallLimit(part: string): ScholiumError {
    if (this.finish?.aborted === true) return finishRequested(this.finish.reason)
    const asked = { steps: 1, tokens: 0, costUsd: 0 }
    return limitReached('maxWallMs', asked, this.services.budget.remaining(this.share), part)
  }

  /** Records that a limit stopped this key, with the usage so far, so that a replay stops there too. */
  async recordLimit(key: string, error: ScholiumError, used: LimitUse = {}): Promise<void> {
    if (this.isReplay) return
    const { journal, clock } = this.services
    const data = { failure: toFailure(error), ...used }
    await journal.append({ key, type: 'limit.reached', data, ts: clock.now() })
    this.services.count?.(used)
  }

  /** In a replay, throws again what a recorded limit threw. */
  throwIfLimitRecorded(key: string): void {
    const { journal, count } = this.services
    const recorded = this.isReplay ? journal.decision('limit.reached', key) : undefined
    if (recorded === undefined) return
    count?.(recorded.data)
    throw fromFailure(recorded.data.failure)
  }

  /** The value with every known secret replaced by `[secret]`. */
  redact<T extends Json>(value: T): T {
    return redactSecrets(value, this.services.secrets)
  }

  /** The full key of a name at this path. */
  key(name: string): string {
    return name === '' ? this.path : `${this.path}/${name}`
  }

  private derive(segment: string, time: { ms: number }, options: DerivedOptions): RunContext {
    const { share, isTimeless, stopKey, signal } = this
    const { budget, count, ...own } = { share, isTimeless, stopKey, signal, ...options }
    const services = { ...this.services, ...(budget && { budget }), ...(count && { count }) }
    return new RunContext({ ...own, services, path: this.key(segment), time })
  }
}

/** What all contexts of one execution share. */
export interface RunServices {
  readonly journal: Journal
  readonly budget: Budget
  readonly clock: Clock
  readonly hooks: Hooks
  readonly models: ModelSource
  /** Makes ids and random numbers the same in each execution of the run. */
  readonly seed: string
  /** Values that must not enter the log; replaced at the boundary of each step. */
  readonly secrets: readonly string[]
  /** Keys of notices that this execution has already given, for those given once per run. */
  readonly noticed: Set<string>
  /** Receives each step's logged usage: see `countTokens`. */
  readonly count?: (facts: StepUse) => void
  /** Aborted when a person wants the answer so far. */
  readonly finish?: AbortSignal
  /** Answers a question to a person, or `undefined` to let the run wait. */
  readonly answer?: (prompt: Json, key: string) => Promise<Json | undefined>
}
