import { canonicalJson, type JsonObject } from '../../kernel/json.ts'
import type { RunEvent } from '../../kernel/run/event.ts'
import type { RunRecord, RunStore } from '../../kernel/run/run-store.ts'
import type { Workflow } from '../../kernel/run/workflow.ts'
import type { PapersResult } from '../../papers/result.ts'
import { papersDefinition } from './papers-definition.ts'

/** What a run would be begun with, as its record would have it. */
export interface Beginning {
  readonly workflow: Pick<Workflow<JsonObject, JsonObject>, 'version' | 'promptHashes'>
  readonly packageVersion: string
  readonly input: JsonObject
  readonly configuration: JsonObject
}

/** A run that was begun with the same but for its query, and came to a result that holds. */
export interface EarlierRun {
  readonly record: RunRecord
  readonly query: string
  readonly result: PapersResult
}

/** Among so many runs of papers, the newest, an earlier one is looked for. */
const mostLookedThrough = 200

/**
 * The runs that were begun with the same but for the query, and whose result can be given again, newest first. A fork has other
 * things in its state than its record says, so it is none.
 */
export async function alikeRuns(
  store: RunStore,
  beginning: Beginning,
): Promise<readonly EarlierRun[]> {
  const all = await store.list({ limit: Number.MAX_SAFE_INTEGER })
  const candidates = all
    .filter(({ workflow, status, parent }) => {
      const isOver = status === 'answered' || status === 'partial'
      return workflow === papersDefinition.name && parent === undefined && isOver
    })
    .slice(0, mostLookedThrough)
  const alike: EarlierRun[] = []
  for (const record of candidates) {
    const query = await queryAlike(store, record.runId, beginning)
    if (query === undefined) continue
    const result = await resultOf(store, record.runId)
    if (result !== undefined && isLasting(result)) alike.push({ record, query, result })
  }
  return alike
}

/** The query of a run that was begun with the same but for it. An input may be large, so that it is looked at last. */
async function queryAlike(
  store: RunStore,
  runId: string,
  { workflow, packageVersion, configuration, input }: Beginning,
): Promise<string | undefined> {
  const { version, promptHashes } = workflow
  const versions = { package: packageVersion, workflow: version }
  const wanted = canonicalJson({ versions, promptHashes, configuration } as JsonObject)
  for await (const event of store.events(runId, { types: ['run.started'], withOutput: false })) {
    const { versions: by, promptHashes: hashes, configuration: recorded } = event.data
    const found = { versions: by, promptHashes: hashes, configuration: recorded }
    if (canonicalJson(found) !== wanted) return undefined
    const own = ((await store.output(runId, event.seq)) ?? {}) as JsonObject
    return keyOf(own) === keyOf(input) ? String(own.query) : undefined
  }
  return undefined
}

/** The result of a run that was made at one go: files may have changed before one was resumed. */
async function resultOf(store: RunStore, runId: string): Promise<PapersResult | undefined> {
  let finished: RunEvent | undefined
  for await (const event of store.events(runId, { types: ['run.resumed', 'run.finished'] })) {
    if (event.type === 'run.resumed') return undefined
    finished = event
  }
  return finished?.output as unknown as PapersResult | undefined
}

/** All of an input but the query. How many papers are worked on at once, and what looking for it used, changes nothing. */
function keyOf(input: JsonObject): string {
  const {
    query: _query,
    concurrency: _concurrency,
    lookup: _lookup,
    category = '',
    ...others
  } = input
  return canonicalJson({ ...others, category: String(category).toLowerCase() })
}

/** Whether the work, done now, would most likely come to the same: a service that could not be asked may be there again. */
function isLasting({ stopReason, gaps, papers }: PapersResult): boolean {
  if (stopReason !== 'answered' && stopReason !== 'gaps') return false
  const isMissing = papers.some(({ status, path }) => status === 'failed' && path === undefined)
  const passing = ['source_unavailable', 'tool_failed', 'error', 'limit', 'claims_unverified']
  return !isMissing && !gaps.some(({ kind }) => passing.includes(kind))
}

/** A query as two of them are compared: case, spaces, signs at its end and the form of its characters count for nothing. */
export function comparableQuery(query: string): string {
  return query
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replace(/[\s.?!]+$/u, '')
    .trim()
}
