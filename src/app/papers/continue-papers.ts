import { ScholiumError } from '../../kernel/errors.ts'
import type { EventOf } from '../../kernel/run/event.ts'
import { checkWorkflow } from '../../kernel/run/run-history.ts'
import { stateAt } from '../../kernel/run/state-at.ts'
import { type PapersInput, toEarlierPapers } from '../../papers/input.ts'
import type { PapersState } from '../../papers/state.ts'
import type { AppParts } from '../app-parts.ts'
import { findRunId } from '../runs/run-id.ts'
import { requireOwnHome } from '../trust/own-homes.ts'
import { papersDefinition } from './papers-definition.ts'
import { createPapersWorkflow } from './papers-parts.ts'

/** The settings that a run of papers takes from the run it continues, and what that run provides. */
type Kept = Omit<PapersInput, 'files' | 'filesWithin' | 'tiers' | 'searchFor'>

/**
 * Reads what a run of papers takes from the run it continues; always the same for the same run.
 * @throws `run_not_found`, `invalid_input` for a run of another workflow or one that has not ended, `run_incompatible`
 * for one that another version recorded
 */
export async function keptFrom(parts: AppParts, run: string): Promise<Kept> {
  const { store } = parts
  const record = await store.get(await findRunId(store, run))
  const { runId, lastSeq } = record
  requireOwnHome(parts, runId)
  if (record.workflow !== papersDefinition.name) throw otherWorkflow(runId, record.workflow)
  const workflow = createPapersWorkflow(parts, { sources: '', mcpArxiv: '' })
  const started = await endedRun(parts, runId)
  checkWorkflow(workflow, started)
  const { web, library } = started.output as PapersInput
  const state = (await stateAt(workflow, store, runId, { seq: lastSeq })) as PapersState
  const { query, category, threshold, topK, concurrency, claims } = state
  return {
    query,
    ...(category === '' ? {} : { category }),
    threshold,
    ...(topK === null ? {} : { topK }),
    concurrency,
    claims,
    ...(web === undefined ? {} : { web }),
    ...(library === undefined ? {} : { library }),
    earlier: toEarlierPapers(runId, state),
  }
}

/** The start of a run that has ended. */
async function endedRun({ store }: AppParts, runId: string): Promise<EventOf<'run.started'>> {
  let started: EventOf<'run.started'> | undefined
  let isEnded = false
  for await (const event of store.events(runId, {
    types: ['run.started', 'run.resumed', 'run.forked', 'run.finished'],
  })) {
    if (event.type === 'run.started') started = event
    isEnded = event.type === 'run.finished'
  }
  if (started !== undefined && isEnded) return started
  const text = `Run ${runId} has not ended, so it cannot be continued.`
  throw new ScholiumError('invalid_input', text, {
    hint: `Finish it first: scholium resume ${runId}`,
    details: { runId },
  })
}

function otherWorkflow(runId: string, workflow: string): ScholiumError {
  const text = `Run ${runId} is of the workflow "${workflow}": --continue needs a run of "papers".`
  return new ScholiumError('invalid_input', text, {
    hint: 'Give a run of "papers"; list runs with: scholium runs list',
    details: { runId, workflow },
  })
}
