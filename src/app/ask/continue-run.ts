import {
  appendTurn,
  type Earlier,
  type NamedFiles,
  selectPassageIds,
  selectPassages,
} from '../../ask/earlier.ts'
import type { AskInput } from '../../ask/question.ts'
import type { AskResult } from '../../ask/result.ts'
import type { AskState } from '../../ask/state.ts'
import type { PassageReference } from '../../citations/claim.ts'
import type { PassageId } from '../../citations/source.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { EventOf, RunEvent } from '../../kernel/run/event.ts'
import { checkWorkflow } from '../../kernel/run/run-history.ts'
import type { RunRecord, RunStore } from '../../kernel/run/run-store.ts'
import { stateAt } from '../../kernel/run/state-at.ts'
import type { AppParts } from '../app-parts.ts'
import { findRunId } from '../runs/run-id.ts'
import { requireOwnHome } from '../trust/own-homes.ts'

/** The settings that a follow-up question takes from the run that it continues. */
type KeptSettings = Pick<
  AskInput,
  'claims' | 'depth' | 'web' | 'sequential' | 'answerFormat' | 'criteria'
>

/** What a follow-up question takes from the run that it continues. */
export type Continued = KeptSettings & { readonly earlier: Earlier }

/**
 * Reads what a follow-up question takes from a run; always the same for the same run.
 * @throws `run_not_found`, `invalid_input` for a run of another workflow or one that has not ended, `run_incompatible`
 * for one that another version recorded
 */
export async function continuedFrom(parts: AppParts, run: string): Promise<Continued> {
  const { store } = parts
  const record = await store.get(await findRunId(store, run))
  const { runId, lastSeq } = record
  requireOwnHome(parts, runId)
  const workflow = await parts.workflow()
  if (record.workflow !== workflow.name) throw otherWorkflow(record)
  const { started, result } = await readEnds(store, record)
  checkWorkflow(workflow, started)
  const state = (await stateAt(workflow, store, runId, { seq: lastSeq })) as AskState
  const { claims, depth, web, sequential, answerFormat, criteria } = state.question
  return {
    ...(claims === '' ? {} : { claims }),
    depth,
    web,
    sequential,
    ...(answerFormat === '' ? {} : { answerFormat }),
    ...(Object.keys(criteria).length === 0 ? {} : { criteria }),
    earlier: toEarlier(runId, state, result),
  }
}

function toEarlier(runId: string, state: AskState, result: AskResult): Earlier {
  const { text: question, earlier, files, filesWithin, sourceIds } = state.question
  const { citations, passages } = state.research
  const before = earlier ?? { turns: [], turnsLeftOut: 0, files: [], restsOn: [], sourceIds: [] }
  const restsOn = selectPassageIds([...findEvidence(result, passages), ...before.restsOn])
  const ids = [...before.sourceIds, ...sourceIds, ...citations.map((one) => one.sourceId)]
  return {
    runId,
    ...appendTurn(before, { question, answer: answerText(result) }),
    files: withFiles(before.files, { paths: files, within: filesWithin }),
    sourceIds: [...new Set(ids)],
    citations,
    passages: selectPassages(passages, restsOn),
    restsOn,
  }
}

/**
 * The passages that an answer is based on: what the check found or, if nothing was checked, those of its citation
 * numbers.
 */
function findEvidence(
  { claims, citations }: AskResult,
  passages: readonly PassageReference[],
): readonly PassageId[] {
  const found = claims.flatMap(({ evidence }) => evidence.map(({ passageId }) => passageId))
  if (found.length > 0) return found
  const cited = new Set(citations.map(({ n }) => n))
  return passages.filter(({ n }) => cited.has(n)).map(({ passageId }) => passageId)
}

/** The answer; for a short answer also the text it was made from, which has the citations. */
function answerText({ status, answer, basis }: AskResult): string {
  if (status === 'failed') return '(not answered: the run failed)'
  return basis === undefined ? answer : `${answer}\n\nMade from: ${basis}`
}

/** Files by the folder in which alone they are read, each once. */
function withFiles(groups: readonly NamedFiles[], own: NamedFiles): readonly NamedFiles[] {
  if (own.paths.length === 0) return groups
  const same = groups.find(({ within }) => within === own.within)
  const paths = [...new Set([...(same?.paths ?? []), ...own.paths])]
  return [...groups.filter((group) => group !== same), { paths, within: own.within }]
}

async function readEnds(
  store: RunStore,
  { runId }: RunRecord,
): Promise<{ readonly started: EventOf<'run.started'>; readonly result: AskResult }> {
  let started: EventOf<'run.started'> | undefined
  let finished: RunEvent | undefined
  for await (const event of store.events(runId, {
    types: ['run.started', 'run.resumed', 'run.forked', 'run.finished'],
  })) {
    if (event.type === 'run.started') started = event
    finished = event.type === 'run.finished' ? event : undefined
  }
  if (started === undefined || finished === undefined) throw notEnded(runId)
  return { started, result: finished.output as AskResult }
}

function notEnded(runId: string): ScholiumError {
  const text = `Run ${runId} has not ended, so it has no answer to follow up on.`
  return new ScholiumError('invalid_input', text, {
    hint: `Finish it first: scholium resume ${runId}`,
    details: { runId },
  })
}

function otherWorkflow({ runId, workflow }: RunRecord): ScholiumError {
  const text = `Run ${runId} is of the workflow "${workflow}": --continue needs a run of "ask".`
  return new ScholiumError('invalid_input', text, {
    hint: 'Give a run of "ask"; list runs with: scholium runs list',
    details: { runId, workflow },
  })
}

/** The run that a run continues, from its first event; `undefined` for none. */
function parentIn({ type, output }: RunEvent): string | undefined {
  if (type !== 'run.started') return undefined
  const { earlier } = (output ?? {}) as { readonly earlier?: JsonObject }
  return earlier === undefined ? undefined : String(earlier.runId)
}

/** Follow-ups are looked for among this number of the newest runs. */
const mostLookedThrough = 200

/** The ids of the runs that continue a run, oldest first, as far as they are among the newest. */
export async function findFollowUps(store: RunStore, runId: string): Promise<readonly string[]> {
  const { createdAt } = await store.get(runId)
  const newer = (await store.list({ limit: mostLookedThrough })).filter(
    (run) => run.createdAt >= createdAt && run.parent === undefined && run.runId !== runId,
  )
  const found: string[] = []
  for (const { runId: id } of newer)
    for await (const event of store.events(id, { types: ['run.started'] }))
      if (parentIn(event) === runId) found.unshift(id)
  return found
}
