import type { JsonObject } from '../../kernel/json.ts'
import { chooseEmbedding } from '../../kernel/model/choose-model.ts'
import { callEmbedding } from '../../kernel/model/embed-call.ts'
import type { Usage } from '../../kernel/run/event.ts'
import { startRun } from '../../kernel/run/run.ts'
import type { Execution } from '../../kernel/run/workflow.ts'
import { cosine } from '../../retrieval/cosine.ts'
import { openRunStore } from '../../stores/sqlite/run-store.ts'
import type { AppParts } from '../app-parts.ts'
import { presentResult } from '../runs/run-result.ts'
import { alikeRuns, type Beginning, comparableQuery, type EarlierRun } from './find-earlier.ts'
import type { PapersAnswer, ReusedPapers } from './papers-answer.ts'
import { queryVectorsOf } from './query-vectors.ts'

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
  const asked = await vectorOf(parts, query, execution)
  if (asked === undefined) return {}
  const near = await nearestOf(parts, alike, asked)
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
    ...((await presentResult(
      parts,
      record.runId,
      result as unknown as JsonObject,
    )) as PapersAnswer),
    reused: { ...how, query, createdAt },
  }
}

async function nearestOf(
  parts: AppParts,
  alike: readonly EarlierRun[],
  { model, vector }: AskedVector,
): Promise<{ readonly run: EarlierRun; readonly similarity: number } | undefined> {
  const kept = await queryVectorsOf(parts.home.path).of(model)
  const near = alike.flatMap((run) => {
    const known = kept.find(({ runId }) => runId === run.record.runId)
    // A model may have been given other dimensions since.
    const isComparable = known?.vector.length === vector.length
    const similarity = isComparable ? cosine([...known.vector], vector) : 0
    return similarity >= leastSimilarity ? [{ run, similarity: Math.min(1, similarity) }] : []
  })
  return near.toSorted((one, other) => other.similarity - one.similarity)[0]
}

/** A query's vector, in a run that is kept nowhere. A service that fails is told, and the work is then done anew. */
async function vectorOf(
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
      `Queries that mean the same could not be looked for: ${error instanceof Error ? error.message : error}`,
    )
    return undefined
  } finally {
    await store.close()
  }
}
