import { type Failure, ScholiumError, toFailure } from '../kernel/errors.ts'
import { canonicalJson } from '../kernel/json.ts'
import type { RunStore } from '../kernel/run/run-store.ts'
import { type CrashPoint, FaultStore } from './fault-store.ts'
import { type Counts, countUnknown, writeProblems } from './fault-writes.ts'
import { createRandom } from './random.ts'

/** One trial's medium, on which a run is started, killed and resumed. */
export interface FaultTrial<Result> {
  /** The store that really holds the run. */
  readonly store: RunStore
  /** Starts the run over `store`, as a new process would, and runs it to its end. */
  start(store: RunStore): Promise<Result>
  /** Resumes the run over `store`, as another process would. */
  resume(store: RunStore, runId: string): Promise<Result>
  /** The paid calls that were answered, as counted by the service. */
  paidCalls?(): Counts
  /** The writes that happened, as found at their target; compared with those of a run without faults. */
  writes?(): Counts
  /** Removes everything the trial created. */
  close(): Promise<void>
}

/** A workflow under test. */
export interface FaultSubject<Result> {
  /** Opens a new trial over an empty medium. */
  open(): Promise<FaultTrial<Result>>
  /** The part of a result that must be the same with and without faults. Default: everything except `runId` and `timings`. */
  comparable?(result: Result): unknown
  /** Whether a different result is correct after these crashes, such as one that reports an interrupted write. Default: never. */
  accepts?(result: Result, crashes: readonly FaultStore[]): boolean
  /**
   * Whether a run may end with this failure after these crashes, such as `outcome_unknown` for an interrupted write. Default:
   * never.
   */
  acceptsFailure?(failure: Failure, crashes: readonly FaultStore[]): boolean
  /** Maximum number of paid calls in progress at once. Default 1. */
  readonly parallelCalls?: number
}

/** The crash points of one trial: one per killed process, in order. */
export type Crashes = readonly CrashPoint[]

/** The result of all trials. */
export interface FaultReport {
  /** Number of events in a run without faults. */
  readonly events: number
  /** Number of appends in a run without faults. */
  readonly appends: number
  /** Number of distinct trials: crashes at events of the same append are the same crash. */
  readonly trials: number
  /** One line per violation. */
  readonly problems: readonly string[]
}

/** Every event once with a crash before its commit and once with one after it. */
export function everyEvent(events: number): readonly Crashes[] {
  return Array.from({ length: events }, (_, index) => index + 1).flatMap((event) => [
    [{ event, when: 'before' } as const],
    [{ event, when: 'after' } as const],
  ])
}

/** `count` trials with `deaths` crashes each, at places drawn from the seed. */
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
 * Runs a workflow once without faults, then repeatedly with crashes, resuming it after each. Checks each trial against the first
 * run: same result, no finished paid call repeated, no write repeated or lost, no step with two ends. Of the crashes at events
 * that were committed together, only the first is tried.
 * @param options.plan the crashes of each trial, given the number of events of a clean run; default {@link everyEvent}
 * @param options.onTrial called after each trial
 */
export async function runFaults<Result>(
  subject: FaultSubject<Result>,
  options: {
    readonly plan?: (events: number) => readonly Crashes[]
    readonly onTrial?: (crashes: Crashes, problems: readonly string[]) => void
  } = {},
): Promise<FaultReport> {
  const clean = await runClean(subject)
  const plan = dropEquivalentCrashes((options.plan ?? everyEvent)(clean.events), clean.appendEnds)
  const problems: string[] = []
  for (const crashes of plan) {
    const found = await runTrial(subject, clean, crashes)
    problems.push(...found)
    options.onTrial?.(crashes, found)
  }
  const { events, appendEnds } = clean
  return { events, appends: appendEnds.length, trials: plan.length, problems }
}

/**
 * Drops single crashes at an append that an earlier trial already covers. Where later processes append is not known in advance.
 */
function dropEquivalentCrashes(
  plan: readonly Crashes[],
  appendEnds: readonly number[],
): readonly Crashes[] {
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
    const outcome = await runThroughCrashes(trial, crashes, views).then(
      (result) => resultProblems(subject, clean, result, views),
      (error: unknown) => {
        isEnded = false
        return failureProblems(subject, error, views)
      },
    )
    const problems = [
      // Later processes may have too little left to do to reach their crash.
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

/** Lets each process crash in turn, then lets the last one finish the run. */
async function runThroughCrashes<Result>(
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
  // A process killed before its first event leaves no run to resume, and nobody was given its id.
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

/** Paid calls that were repeated although they had finished. */
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

/** How many answers a crash may lose: those being committed or in transit. */
function lostCalls<Result>({ parallelCalls = 1 }: FaultSubject<Result>, view: FaultStore): number {
  if (!view.isDead) return 0
  if (parallelCalls > 1) return parallelCalls
  return view.isCutCommitted
    ? 0
    : view.cut.filter(({ type, data }) => type === 'step.done' && data.usage !== undefined).length
}

/** A run that ended with a failure has not reached all of its writes. */
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

/** Steps that the log says finished more than once. */
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
