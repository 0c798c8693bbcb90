import type { App, RunFilter } from '../app.ts'
import { ScholiumError } from '../kernel/errors.ts'
import { continues } from './running-runs.ts'
import { serverOrigin } from './tokens.ts'

/** Interrupted runs that are looked at: the newest. */
const maxLookedAt = 1_000

/** A run that ended the process so many times is not continued by itself. */
const maxCrashes = 2

const interrupted: RunFilter = { limit: maxLookedAt, statuses: ['interrupted'] }

/**
 * The ids of runs that an earlier server left, oldest first: those that waited for their turn, that it interrupted when it was
 * stopped, or that were executed when it died. Runs that somebody interrupted, and those of other programs, are not among them.
 */
export async function findLeftRuns(app: App): Promise<readonly string[]> {
  const left: string[] = []
  for (const { runId } of await app.listRuns(interrupted))
    if (await isLeft(app, runId)) left.unshift(runId)
  return left
}

/** @throws `cancelled` for a run that is not to be continued any more: another server on the home may have had its turn first */
export async function checkLeft(app: App, runId: string): Promise<void> {
  if (await isLeft(app, runId)) return
  throw new ScholiumError('cancelled', `Run ${runId} was interrupted elsewhere, or waits.`)
}

async function isLeft(app: App, runId: string): Promise<boolean> {
  let isOfServer = false
  let isExecuted = false
  let willContinue = false
  let crashes = 0
  for await (const event of app.events(runId, { types: [...types], withOutput: false })) {
    if (event.type === 'run.suspended') {
      isExecuted = false
      crashes = 0
      willContinue = event.data.failure.details?.continues === continues.continues
      continue
    }
    // A fork begins with what its parent recorded.
    crashes = event.type === 'run.resumed' && isExecuted ? crashes + 1 : 0
    isExecuted = true
    isOfServer = event.data.labels?.origin === serverOrigin
  }
  return isExecuted ? isOfServer && crashes + 1 < maxCrashes : willContinue
}

const types = ['run.started', 'run.forked', 'run.resumed', 'run.suspended'] as const
