import { type Failure, ScholiumError, toFailure } from '../kernel/errors.ts'
import { canonicalJson } from '../kernel/json.ts'
import type { RunStore } from '../kernel/run/run-store.ts'
import { type CrashPoint, FaultStore } from './fault-store.ts'
import { type Counts, countUnknown, writeProblems } from './fault-writes.ts'
import { createRandom } from './random.ts'

/** One medium on which a run is started, dies and is resumed. */
export interface FaultTrial<Result> {
  /** Where the run really is. */
  readonly store: RunStore
  /** Starts the run over `store`, as a process of its own would, and drives it to its end. */
  start(store: RunStore): Promise<Result>
  /** Goes on with the run over `store`, as another process would. */
  resume(store: RunStore, runId: string): Promise<Result>
  /** The paid calls that were answered, as the service counted them. */
  paidCalls?(): Counts
  /** The writes that took place, as found where they were written: held against those of a run without faults. */
  writes?(): Counts
  /** Removes what the trial made. */
  close(): Promise<void>
}

/** A workflow under test. */
export interface FaultSubject<Result> {
  /** A new trial over an empty medium. */
  open(): Promise<FaultTrial<Result>>
  /** What of a result must be the same with and without faults. Default: all but the members `runId` and `timings`. */
  comparable?(result: Result): unknown
  /**
   * Whether a result that is not the same is right after these crashes: a write that was cut off may be told of.
   * Default: none is.
   */
  accepts?(result: Result, crashes: readonly FaultStore[]): boolean
  /** Whether a run may end on this failure after these crashes: `outcome_unknown` for a write that was cut off. Default: on none. */
  acceptsFailure?(failure: Failure, crashes: readonly FaultStore[]): boolean
  /** How many paid calls may be under way at once. Default 1. */
  readonly parallelCalls?: number
}

/** The crash points of one trial: one for each process that dies, in order. */
export type Crashes = readonly CrashPoint[]

/** What the trials came to. */
export interface FaultReport {
  /** Events of a run without faults. */
  readonly events: number
  /** How many appends those came in. */
  readonly appends: number
  /** Those that differ: a death at any event of an append is the same death. */
  readonly trials: number
  /** One line for each thing that was not as it should be. */
  readonly problems: readonly string[]
}

/** Every event once with a crash before its commit and once with one after it. */
export function everyEvent(events: number): readonly Crashes[] {
  return Array.from({ length: events }, (_, index) => index + 1).flatMap((event) => [
    [{ event, when: 'before' } as const],
    [{ event, when: 'after' } as const],
  ])
}

/** `count` trials of `deaths` crashes each, at places that the seed gives. */
export function seededCrashes(
  events: number,
  count: number,
  deaths: number,
  seed: number,
): readonly Crashes[] {
  const random = createRandom(seed)
  return Array.from({ length: count }, () =>
    Array.from({ length: deaths }, () => ({
      event: 1 + Math.floor((random() * events) / deaths),
      when: random() < 0.5 ? ('before' as const) : ('after' as const),
    })),
  )
}

/**
 * Runs a workflow without faults, then again and again with crashes, resuming it each time, and holds each against the first:
 * the same result, no finished paid call made again, no write done twice, none lost, no step with two ends. Of single crashes
 * at events that were stored together, which are the same, the first of the plan is tried.
 *
 * @param options.plan the crashes of each trial, for the number of events of a clean run; default {@link everyEvent}
 * @param options.onTrial told after each trial
 */
export async function runFaults<Result>(
  subject: FaultSubject<Result>,
  options: {
    readonly plan?: (events: number) => readonly Crashes[]
    readonly onTrial?: (crashes: Crashes, problems: readonly string[]) => void
  } = {},
): Promise<FaultReport> {
  const clean = await runClean(subject)
  const plan = different((options.plan ?? everyEvent)(clean.events), clean.appendEnds)
  const problems: string[] = []
  for (const crashes of plan) {
    const found = await runTrial(subject, clean, crashes)
    problems.push(...found)
    options.onTrial?.(crashes, found)
  }
  const { events, appendEnds } = clean
  return { events, appends: appendEnds.length, trials: plan.length, problems }
}

/** Without single crashes at an append that an earlier one is at. Where later processes append is not known beforehand. */
function different(plan: readonly Crashes[], appendEnds: readonly number[]): readonly Crashes[] {
  const seen = new Set<string>()
  return plan.filter(([first, ...later]) => {
    if (first === undefined || later.length > 0) return true
    const place = `${first.when} ${appendEnds.find((end) => end >= first.event)}`
    if (seen.has(place)) return false
    seen.add(place)
    return true
  })
}

interface Clean {
  readonly events: number
  readonly appendEnds: readonly number[]
  readonly result: string
  readonly paidCalls: Counts
  readonly writes: Counts
}

const none: Counts = new Map()

async function runClean<Result>(subject: FaultSubject<Result>): Promise<Clean> {
  const trial = await subject.open()
  try {
    const view = new FaultStore(trial.store)
    const result = comparable(subject, await trial.start(view))
    const paidCalls = new Map(trial.paidCalls?.() ?? none)
    const writes = new Map(trial.writes?.() ?? none)
    return {
      events: view.committedCount,
      appendEnds: view.appendEnds,
      result,
      paidCalls,
      writes,
    }
  } finally {
    await trial.close()
  }
}

async function runTrial<Result>(
  subject: FaultSubject<Result>,
  clean: Clean,
  crashes: Crashes,
): Promise<readonly string[]> {
  const where = crashes.map(({ event, when }) => `${when} event ${event}`).join(', then ')
  const trial = await subject.open()
  try {
    const views: FaultStore[] = []
    let isEnded = true
    const outcome = await driveThrough(trial, crashes, views).then(
      (result) => resultProblems(subject, clean, result, views),
      (error: unknown) => {
        isEnded = false
        return failureProblems(subject, error, views)
      },
    )
    const problems = [
      // Later processes may have too little left to do to come to their crash.
      ...(crashes.length > 0 && views[0]?.isDead === false
        ? ['the run ended before it came there']
        : []),
      ...outcome,
      ...repeatedCalls(subject, clean, trial, views),
      ...(await wrongWrites(clean, trial, views, isEnded)),
      ...(await repeatedSteps(trial.store)),
    ]
    return problems.map((problem) => `killed ${where}: ${problem}`)
  } finally {
    await trial.close()
  }
}

function resultProblems<Result>(
  subject: FaultSubject<Result>,
  clean: Clean,
  result: Result,
  views: readonly FaultStore[],
): readonly string[] {
  const found = comparable(subject, result)
  if (found === clean.result || subject.accepts?.(result, views) === true) return []
  return [`the result is another one: ${found.slice(0, 2_000)}`]
}

function failureProblems<Result>(
  subject: FaultSubject<Result>,
  error: unknown,
  views: readonly FaultStore[],
): readonly string[] {
  const failure = toFailure(error)
  return subject.acceptsFailure?.(failure, views) === true ? [] : [failure.message]
}

/** Lets one process after the other die, then lets the last one bring the run to its end. */
async function driveThrough<Result>(
  trial: FaultTrial<Result>,
  crashes: Crashes,
  views: FaultStore[],
): Promise<Result> {
  for (const point of [...crashes, undefined]) {
    const view = new FaultStore(trial.store, point)
    views.push(view)
    try {
      return await drive(trial, view)
    } catch (error) {
      if (!view.isDead) throw error
    }
  }
  throw new Error('A process died that had no crash point.')
}

async function drive<Result>(trial: FaultTrial<Result>, view: FaultStore): Promise<Result> {
  const [run] = await trial.store.list({ limit: 1 })
  if (run === undefined) return trial.start(view)
  if (run.lastSeq > 0) return trial.resume(view, run.runId)
  // Died before its first event, a run has no beginning to go on from, and nobody was told of it.
  const refusal = await trial.resume(view, run.runId).catch((error: unknown) => error)
  if (refusal instanceof ScholiumError && refusal.code === 'run_incompatible') {
    return trial.start(view)
  }
  throw new Error('A run without a beginning was resumed.')
}

function comparable<Result>(subject: FaultSubject<Result>, result: Result): string {
  return canonicalJson((subject.comparable ?? withoutRun)(result))
}

function withoutRun(result: unknown): unknown {
  const { runId: _runId, timings: _timings, ...rest } = result as Record<string, unknown>
  return rest
}

/** Paid calls that were made again although they were finished. */
function repeatedCalls<Result>(
  subject: FaultSubject<Result>,
  clean: Clean,
  trial: FaultTrial<Result>,
  views: readonly FaultStore[],
): readonly string[] {
  const extra = [...(trial.paidCalls?.() ?? none)].flatMap(([name, count]) => {
    const over = count - Math.max(1, clean.paidCalls.get(name) ?? 0)
    return over > 0 ? [{ name, over }] : []
  })
  const repeated = extra.reduce((sum, { over }) => sum + over, 0)
  const allowed = views.reduce((sum, view) => sum + lostCalls(subject, view), 0)
  if (repeated <= allowed) return []
  const names = extra.map(({ name }) => name.slice(0, 16)).join(', ')
  return [`${repeated} paid calls were made again, ${allowed} at most could be (${names})`]
}

/** How many answers a crash could lose: those whose ends were just being committed, or were on their way. */
function lostCalls<Result>({ parallelCalls = 1 }: FaultSubject<Result>, view: FaultStore): number {
  if (!view.isDead) return 0
  if (parallelCalls > 1) return parallelCalls
  return view.isCutCommitted
    ? 0
    : view.cut.filter(({ type, data }) => type === 'step.done' && data.usage !== undefined).length
}

/** A run that ended on a failure has not come to all of its writes. */
async function wrongWrites<Result>(
  clean: Clean,
  trial: FaultTrial<Result>,
  views: readonly FaultStore[],
  isEnded: boolean,
): Promise<readonly string[]> {
  const found = trial.writes?.() ?? none
  const [run] = await trial.store.list({ limit: 1 })
  const mayBeLost = isEnded && run ? await countUnknown(trial.store, run.runId, views) : Infinity
  return writeProblems(clean.writes, found, mayBeLost)
}

/** Steps that the log says were finished more than once. */
async function repeatedSteps(store: RunStore): Promise<readonly string[]> {
  const [run] = await store.list({ limit: 1 })
  if (run === undefined) return []
  const done = new Set<string>()
  const repeated: string[] = []
  for await (const { key } of store.events(run.runId, {
    types: ['step.done'],
    withOutput: false,
  })) {
    if (done.has(key)) repeated.push(`the step ${key} was finished twice`)
    done.add(key)
  }
  return repeated
}
