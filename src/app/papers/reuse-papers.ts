import { canonicalJson, type JsonObject } from '../../kernel/json.ts'
import { chooseEmbedding } from '../../kernel/model/choose-model.ts'
import { callEmbedding } from '../../kernel/model/embed-call.ts'
import type { RunEvent, Usage } from '../../kernel/run/event.ts'
import { startRun } from '../../kernel/run/run.ts'
import type { RunRecord, RunStore } from '../../kernel/run/run-store.ts'
import type { Execution, Workflow } from '../../kernel/run/workflow.ts'
import type { PapersResult } from '../../papers/result.ts'
import { computeCosine } from '../../retrieval/rankings.ts'
import { openRunStore } from '../../stores/sqlite/run-store.ts'
import type { AppParts } from '../app-parts.ts'
import { type PapersAnswer, presentResult, type ReusedPapers } from '../runs/run-result.ts'
import { papersDefinition } from './papers-definition.ts'
import { openQueryVectors } from './query-vectors.ts'

/** From this cosine on two queries mean the same. */
const leastSimilarity = 0.95

/** What looking for an earlier run came to. */
export interface Lookup {
  readonly answer?: PapersAnswer
  /** The query's vector, to be kept for the run that is begun now, and what it was counted with. */
  readonly asked?: AskedVector
}

/** A query's vector, and what a model of embeddings used for it. */
export interface AskedVector {
  readonly model: string
  readonly vector: readonly number[]
  readonly usage: Usage
}

/**
 * The result of an earlier run that was asked the same under the same conditions; where a model of embeddings is configured, of
 * one that was asked what means the same.
 */
export async function findReusable(
  parts: AppParts,
  beginning: Beginning,
  execution: Execution,
): Promise<Lookup> {
  const query = String(beginning.input.query)
  const alike = await alikeRuns(parts.store, beginning)
  const same = alike.find((run) => comparableQuery(run.query) === comparableQuery(query))
  if (same !== undefined) return { answer: await reused(parts, same, { by: 'same' }) }
  if (execution.models.forEmbedding?.() === undefined) return {}
  const asked = await embedQuery(parts, query, execution)
  if (asked === undefined) return {}
  const near = await findNearest(parts, alike, asked)
  if (near === undefined) return { asked }
  const { run, similarity } = near
  return { answer: await reused(parts, run, { by: 'meaning', similarity }) }
}

async function reused(
  parts: AppParts,
  { record, query, result }: EarlierRun,
  how: Pick<ReusedPapers, 'by' | 'similarity'>,
): Promise<PapersAnswer> {
  const createdAt = new Date(record.createdAt).toISOString()
  return {
    ...((await presentResult(parts, record.runId, result)) as PapersAnswer),
    reused: { ...how, query, createdAt },
  }
}

async function findNearest(
  parts: AppParts,
  alike: readonly EarlierRun[],
  { model, vector }: AskedVector,
): Promise<{ readonly run: EarlierRun; readonly similarity: number } | undefined> {
  const kept = await openQueryVectors(parts.home.path).of(model)
  const near = alike.flatMap((run) => {
    const known = kept.find(({ runId }) => runId === run.record.runId)
    // A model may have been given other dimensions since.
    const isComparable = known?.vector.length === vector.length
    const similarity = isComparable ? computeCosine([...known.vector], vector) : 0
    return similarity >= leastSimilarity ? [{ run, similarity: Math.min(1, similarity) }] : []
  })
  return near.toSorted((one, other) => other.similarity - one.similarity)[0]
}

/** A query's vector, in a run that is kept nowhere. A service that fails is told, and the work is then done anew. */
async function embedQuery(
  parts: AppParts,
  query: string,
  execution: Execution,
): Promise<AskedVector | undefined> {
  const store = openRunStore(':memory:')
  const { listeners: _listeners, hooks: _hooks, ...others } = execution
  try {
    const workflow = {
      name: 'query',
      version: '1',
      promptHashes: {},
      title: () => query,
      status: () => 'answered' as const,
      run: async (context: Parameters<typeof callEmbedding>[0]): Promise<JsonObject> => {
        const binding = await chooseEmbedding(context)
        const texts = [comparableQuery(query)]
        const { vectors, usage } = await callEmbedding(context, 'vector', binding, texts)
        return { model: binding.name, vector: vectors[0] ?? [], usage }
      },
    }
    const { result } = await startRun(workflow, {}, 'query', { ...others, store })
    return result as unknown as AskedVector
  } catch (error) {
    if (execution.signal?.aborted === true) throw error
    parts.warn(
      `Similar earlier queries could not be searched: ${error instanceof Error ? error.message : error}`,
    )
    return undefined
  } finally {
    await store.close()
  }
}

/** The beginning of a run, as its record would have it. */
interface Beginning {
  readonly workflow: Pick<Workflow<JsonObject, JsonObject>, 'version' | 'promptHashes'>
  readonly packageVersion: string
  readonly input: JsonObject
  readonly configuration: JsonObject
}

/** A run with the same beginning, except for its query, and a valid result. */
interface EarlierRun {
  readonly record: RunRecord
  readonly query: string
  readonly result: PapersResult
}

/** An earlier run is looked for among this number of the newest runs of papers. */
const mostLookedThrough = 200

/**
 * The runs with the same beginning, except for the query, whose results can be returned again, newest first. A fork is
 * left out: its state differs from what its record says.
 */
async function alikeRuns(store: RunStore, beginning: Beginning): Promise<readonly EarlierRun[]> {
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
    const result = await readResult(store, record.runId)
    if (result !== undefined && isLasting(result)) alike.push({ record, query, result })
  }
  return alike
}

/** The query of a run with the same beginning. An input may be large, so it is compared last. */
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
    return toKey(own) === toKey(input) ? String(own.query) : undefined
  }
  return undefined
}

/** The result of a run that was made at one go: files may have changed before one was resumed. */
async function readResult(store: RunStore, runId: string): Promise<PapersResult | undefined> {
  let finished: RunEvent | undefined
  for await (const event of store.events(runId, { types: ['run.resumed', 'run.finished'] })) {
    if (event.type === 'run.resumed') return undefined
    finished = event
  }
  return finished?.output as PapersResult | undefined
}

/** All of an input but the query. How many papers are worked on at once, and what looking for it used, changes nothing. */
function toKey(input: JsonObject): string {
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
function comparableQuery(query: string): string {
  return query
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replace(/(?<![\s.?!])[\s.?!]+$/u, '')
    .trim()
}
