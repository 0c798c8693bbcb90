import { ScholiumError } from './errors.ts'
import { type RunEvent, type StepFacts, stepEnds, type Usage } from './event.ts'
import type { Journal } from './journal.ts'
import type { RunStore } from './run-store.ts'

/** What a log holds of a run, read once from its beginning. */
export interface History {
  readonly started: RunEvent
  readonly finished: RunEvent | undefined
  /** The last step that failed on something passing. */
  readonly failedStep: RunEvent | undefined
  readonly spent: readonly Usage[]
  readonly workedMs: number
}

/** Reads a run's log once, into the journal and into what its going on depends on. @throws `run_incompatible` for a log without beginning */
export async function readHistory(
  journal: Journal,
  store: RunStore,
  runId: string,
): Promise<History> {
  let started: RunEvent | undefined
  let finished: RunEvent | undefined
  let failedStep: RunEvent | undefined
  let sessionStart = 0
  let last = 0
  let workedMs = 0
  const spent: Usage[] = []
  for await (const event of store.events(runId, { withOutput: false })) {
    journal.record(event)
    if (event.type === 'run.started') started = event
    if (event.type === 'run.started' || event.type === 'run.resumed') {
      workedMs += last - sessionStart
      sessionStart = event.ts
      finished = undefined
      if (isTakenBack(failedStep, event)) failedStep = undefined
    }
    last = event.ts
    if (event.type === 'run.finished') finished = event
    if (event.type === 'step.failed' && isRetryable(event)) failedStep = event
    if (stepEnds.includes(event.type)) spent.push((event.data as StepFacts).usage ?? nothingUsed)
  }
  if (started === undefined) {
    throw new ScholiumError('run_incompatible', `The log of run ${runId} has no beginning.`, {
      hint: 'It was damaged; remove it with: scholium runs remove',
    })
  }
  return { started, finished, failedStep, spent, workedMs: workedMs + last - sessionStart }
}

const nothingUsed: Usage = { inputTokens: 0, outputTokens: 0, costUsd: 0 }

function isTakenBack(failedStep: RunEvent | undefined, { data }: RunEvent): boolean {
  return typeof data.rewindToSeq === 'number' && (failedStep?.seq ?? 0) > data.rewindToSeq
}

function isRetryable(event: RunEvent): boolean {
  return (event.data as StepFacts).failure?.retryable === true
}

/** @throws `run_incompatible` when another workflow, or another version of it, recorded the run */
export function checkWorkflow(
  workflow: { readonly name: string; readonly version: string },
  started: RunEvent,
): void {
  const recorded = started.data.versions as { workflow: string }
  if (started.data.workflow === workflow.name && recorded.workflow === workflow.version) return
  throw new ScholiumError(
    'run_incompatible',
    `The run was recorded by ${started.data.workflow} ${recorded.workflow}; this is ${workflow.name} ${workflow.version}.`,
    { hint: 'Use the version that recorded it, or ask again.' },
  )
}
