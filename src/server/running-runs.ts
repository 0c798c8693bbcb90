import type { ExecutionOptions, RunResult } from '../app.ts'
import { ScholiumError } from '../kernel/errors.ts'
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

/** The runs that this server executes, and who listens to them. Everything else about a run is in its log. */
export class RunningRuns {
  private readonly maxRuns: number
  private readonly onFailure: (error: unknown) => void
  private readonly all = new Set<RunningRun>()
  private readonly byId = new Map<string, RunningRun>()
  private readonly listeners = new Map<string, Set<RunListener>>()
  private isClosed = false

  /** @param onFailure is called with what ended a run and is no failure that its log explains */
  constructor(maxRuns: number, onFailure: (error: unknown) => void) {
    this.maxRuns = maxRuns
    this.onFailure = onFailure
  }

  has(runId: string): boolean {
    return this.byId.has(runId)
  }

  /**
   * Starts a run; resolves as soon as that is in the log. Rejects with what prevented it.
   * @param resumed the run that is resumed; absent for a new one
   * @throws `too_many_requests` while as many runs as allowed are executed, `run_busy` if this one is
   */
  async start(
    execute: (options: RunExecution) => Promise<RunResult>,
    resumed?: string,
  ): Promise<StartedRun> {
    if (this.isClosed || this.all.size >= this.maxRuns)
      throw new RequestError(
        'too_many_requests',
        this.isClosed
          ? 'The server is stopping.'
          : `The server executes ${this.maxRuns} runs already.`,
        'Try again later.',
      )
    if (resumed !== undefined && this.has(resumed))
      throw new ScholiumError('run_busy', `Run ${resumed} is executed already.`)
    const started = Promise.withResolvers<StartedRun>()
    const control = new AbortController()
    const finishing = new AbortController()
    const run: RunningRun = { control, finishing, ended: Promise.resolve() }
    this.all.add(run)
    if (resumed !== undefined) this.byId.set(resumed, run)
    let runId = resumed
    let isStarted = false
    const onEvent = (event: LiveEvent) => {
      if (!isStarted && !('transient' in event)) {
        isStarted = true
        runId ??= event.runId
        this.byId.set(runId, run)
        started.resolve({ runId, isNew: true })
      }
      for (const listener of this.listeners.get(runId ?? '') ?? []) listener.hear(event)
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
        if (runId === undefined) return
        this.byId.delete(runId)
        for (const listener of this.listeners.get(runId) ?? []) listener.settle()
      })
    return started.promise
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

  /** Has a run end with what it has, and waits until it has ended. False for a run that is not executed here. */
  async finish(runId: string): Promise<boolean> {
    const run = this.byId.get(runId)
    if (run === undefined) return false
    run.finishing.abort()
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

  /** Interrupts all runs, which can be resumed, and starts no more. */
  async close(): Promise<void> {
    this.isClosed = true
    for (const { control } of this.all) control.abort()
    await Promise.all([...this.all].map(({ ended }) => ended))
  }
}
