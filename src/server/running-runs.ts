import type { ExecutionOptions, RunResult } from '../app.ts'
import { ScholiumError, toFailure } from '../kernel/errors.ts'
import type { LiveEvent } from '../kernel/run/event.ts'
import { RequestError } from './request-error.ts'

/** What a run is executed with by the server. */
export type RunExecution = Required<Pick<ExecutionOptions, 'signal' | 'finish' | 'onEvent'>>

/** A run that was asked for. */
export interface StartedRun {
  readonly runId: string
  /** False for an earlier run whose result is returned again. */
  readonly isNew: boolean
}

/** What hears the events of a run while it is executed here. */
export interface RunListener {
  hear(event: LiveEvent): void
  /** The run is no longer executed here. */
  settle(): void
}

interface RunningRun {
  readonly control: AbortController
  readonly finishing: AbortController
  ended: Promise<void>
}

/** How a server resumes a run by itself. */
export type ResumeRun = (runId: string, execution: RunExecution) => Promise<RunResult>

/** Runs that wait for their turn at most. */
const maxQueued = 1_000

/** The runs that this server executes, those that wait for their turn, and who listens. Everything else about a run is in its log. */
export class RunningRuns {
  private readonly maxRuns: number
  private readonly onFailure: (error: unknown) => void
  private readonly resume: ResumeRun | undefined
  private readonly all = new Set<RunningRun>()
  private readonly byId = new Map<string, RunningRun>()
  /** The ids of runs that are recorded and interrupted until it is their turn. */
  private queue: readonly string[] = []
  private readonly listeners = new Map<string, Set<RunListener>>()
  private isClosed = false

  /**
   * @param onFailure is called with what ended a run and is no failure that its log explains
   * @param resume executes runs when it is their turn. Absent: more runs than allowed are refused
   */
  constructor(maxRuns: number, onFailure: (error: unknown) => void, resume?: ResumeRun) {
    this.maxRuns = maxRuns
    this.onFailure = onFailure
    this.resume = resume
  }

  has(runId: string): boolean {
    return this.byId.has(runId)
  }

  /**
   * Starts a run; resolves as soon as that is in the log. Rejects with what prevented it.
   * @param resumed the run that is resumed; absent for a new one
   * @param turn whether a new run may wait for its turn; `at_once`: it is executed even if as many as allowed are, because it ends soon
   * @throws `too_many_requests` while as many runs as allowed are executed, `run_busy` if this one is
   */
  async start(
    execute: (options: RunExecution) => Promise<RunResult>,
    resumed?: string,
    turn: boolean | 'at_once' = this.resume !== undefined,
  ): Promise<StartedRun> {
    if (this.isClosed) throw tooMany('The server is stopping.')
    const isFull = this.all.size >= this.maxRuns && turn !== 'at_once'
    if (isFull && resumed === undefined && turn) return this.enqueue(execute)
    if (isFull) throw tooMany(`The server executes ${this.maxRuns} runs already.`)
    if (resumed !== undefined && this.has(resumed))
      throw new ScholiumError('run_busy', `Run ${resumed} is executed already.`)
    const started = Promise.withResolvers<StartedRun>()
    const control = new AbortController()
    const finishing = new AbortController()
    const run: RunningRun = { control, finishing, ended: Promise.resolve() }
    this.all.add(run)
    if (resumed !== undefined) {
      this.byId.set(resumed, run)
      this.leaveQueue(resumed)
    }
    let runId = resumed
    let isStarted = false
    const onEvent = (event: LiveEvent) => {
      if (!isStarted && !('transient' in event)) {
        isStarted = true
        runId ??= event.runId
        this.byId.set(runId, run)
        started.resolve({ runId, isNew: true })
      }
      this.tell(runId, event)
    }
    run.ended = execute({ signal: control.signal, finish: finishing.signal, onEvent })
      .then(
        (result) => started.resolve({ runId: result.runId, isNew: false }),
        (error) => {
          if (isStarted) this.onFailure(error)
          started.reject(error)
        },
      )
      .finally(() => {
        this.all.delete(run)
        if (runId !== undefined) this.byId.delete(runId)
        for (const listener of this.listeners.get(runId ?? '') ?? []) listener.settle()
        this.proceed()
      })
    return started.promise
  }

  /** The runs that are executed here or wait for their turn. */
  get ids(): readonly string[] {
    return [...this.byId.keys(), ...this.queue]
  }

  /** Resolves when a run is not executed here, or no longer. */
  async settled(runId: string): Promise<void> {
    await this.byId.get(runId)?.ended
  }

  /** A run's place in the queue, from 1; `undefined` for a run that does not wait for its turn. */
  placeInQueue(runId: string): number | undefined {
    const place = this.queue.indexOf(runId)
    return place < 0 ? undefined : place + 1
  }

  /** Takes a run out of the queue. */
  leaveQueue(runId: string): void {
    this.queue = this.queue.filter((queued) => queued !== runId)
  }

  /** Has runs resumed in order, as soon as it is their turn. */
  continue(runIds: readonly string[]): void {
    this.queue = [...this.queue, ...runIds]
    this.proceed()
  }

  /** Records a run and interrupts it at once, until it is its turn. */
  private async enqueue(
    execute: (options: RunExecution) => Promise<RunResult>,
  ): Promise<StartedRun> {
    if (this.queue.length >= maxQueued)
      throw tooMany(`${maxQueued} runs wait for their turn already.`)
    const control = new AbortController()
    let runId = ''
    const onEvent = (event: LiveEvent) => {
      if (runId === '' && !('transient' in event)) {
        runId = event.runId
        control.abort(interruption('The run waits for its turn.'))
      }
      this.tell(runId, event)
    }
    const finish = new AbortController().signal
    try {
      const result = await execute({ signal: control.signal, finish, onEvent })
      return { runId: result.runId, isNew: runId !== '' }
    } catch (error) {
      if (runId === '' || toFailure(error).code !== 'cancelled') throw error
    }
    this.continue([runId])
    return { runId, isNew: true }
  }

  /** Resumes as many waiting runs as there is room for. */
  private proceed(): void {
    while (!this.isClosed && this.all.size < this.maxRuns && this.resume !== undefined) {
      const { resume, queue } = this
      const [runId, ...rest] = queue
      if (runId === undefined) return
      this.queue = rest
      this.start((execution) => resume(runId, execution), runId).catch(this.onFailure)
    }
  }

  private tell(runId: string | undefined, event: LiveEvent): void {
    for (const listener of this.listeners.get(runId ?? '') ?? []) listener.hear(event)
  }

  /**
   * Interrupts a run, and waits until its log says so. False for a run that is not executed here.
   * @param reason what the log says of it
   */
  async cancel(runId: string, reason?: ScholiumError): Promise<boolean> {
    const run = this.byId.get(runId)
    if (run === undefined) return false
    run.control.abort(reason)
    await run.ended
    return true
  }

  /**
   * Has a run end with what it has, and waits until it has ended. False for a run that is not executed here.
   * @param reason whose details the log has
   */
  async finish(runId: string, reason: ScholiumError): Promise<boolean> {
    const run = this.byId.get(runId)
    if (run === undefined) return false
    run.finishing.abort(reason)
    await run.ended
    return true
  }

  /** Has a run's events heard from now on, whether or not it is executed already. Returns what ends that. */
  listen(runId: string, listener: RunListener): () => void {
    const known = this.listeners.get(runId) ?? new Set()
    this.listeners.set(runId, known.add(listener))
    return () => {
      known.delete(listener)
      if (known.size === 0 && this.listeners.get(runId) === known) this.listeners.delete(runId)
    }
  }

  /** Interrupts all runs, which a later server continues, and starts no more. */
  async close(): Promise<void> {
    this.isClosed = true
    for (const { control } of this.all) control.abort(interruption('The server was stopped.'))
    await Promise.all([...this.all].map(({ ended }) => ended))
  }
}

/** An interruption after which a server continues the run by itself. */
function interruption(message: string): ScholiumError {
  return new ScholiumError('cancelled', message, { retryable: true, details: continues })
}

/** What the log says of such an interruption. */
export const continues = { continues: true } as const

function tooMany(message: string): RequestError {
  return new RequestError('too_many_requests', message, 'Try again later.')
}
