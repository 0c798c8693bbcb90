import type { PassageReference, ReadPassage } from '../citations/claim.ts'
import type { SourceId } from '../citations/source.ts'
import { hashJson, sha256 } from '../kernel/json.ts'
import { callEmbedding } from '../kernel/model/embed-call.ts'
import type { EmbeddingBinding } from '../kernel/model/model.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { readEvidence } from '../team/evidence.ts'
import { attempt, isRunLimit } from './attempt.ts'
import type { Chunk } from './paper.ts'
import type { PapersParts } from './parts.ts'
import { type ChunkQuery, searchForEach, searchVersion } from './reading/search-chunks.ts'
import { noCache } from './reading/work-cache.ts'
import type { StoredReading } from './state.ts'

/** The queries every paper is searched with, whatever its topic, so that each part of it is covered. */
export const broadQueries = [
  'methods: approach, study design, data sets, models, training, measures',
  'results: findings, experiments, comparison, performance, improvement, effect',
  'conclusions and contributions: we conclude, we propose, we show, implications, novelty',
  'limitations and future work: limited by, weakness, threats to validity, open problems, next steps',
] as const

/** Vectors of the broad queries and the model that made them; absent without a working embedding model. */
export interface QueryVectors {
  readonly binding: EmbeddingBinding
  readonly vectors: readonly (readonly number[])[]
}

/** A paper to search. */
export interface SearchedPaper {
  readonly n: number
  readonly reading: StoredReading
}

/** The chunks chosen for an analysis. */
export interface ChosenChunks {
  /** In reading order. */
  readonly passages: readonly PassageReference[]
  /** 0 to 1: distinct chunks found, as a share of the most that could be found. */
  readonly confidence: number
}

/**
 * Chooses the chunks of a paper that the broad queries find: a quarter of `topK` per query, rounded up, each chunk once,
 * the best of each query first, `topK` in total. Reference lists are not searched.
 */
export async function chooseChunks(
  parts: PapersParts,
  { n, reading }: SearchedPaper,
  topK: number,
  context: RunContext,
  queries: QueryVectors | undefined,
): Promise<ChosenChunks> {
  const chunks = reading.chunks.filter(({ kind }) => kind !== 'references')
  if (chunks.length === 0) return { passages: [], confidence: 0 }
  const embedded = queries && (await embedChunks(parts, { n, reading }, chunks, context, queries))
  const limit = Math.ceil(topK / broadQueries.length)
  const input = {
    sourceId: reading.sourceId,
    chunks: hashJson(chunks.map(({ id }) => id)),
    queries: broadQueries,
    limit,
    vectors: embedded === undefined ? null : hashJson([embedded, queries?.vectors]),
  }
  const lists = await context.step('search', 'read', input, async () => {
    const text = (await parts.library.text(reading.sourceId)) ?? ''
    const searched = { sourceId: reading.sourceId, chunks, text }
    const found = embedded
      ? await searchByWordsAndVectors(searched, embedded, queries?.vectors ?? [], limit)
      : await searchByWords(parts, searched)
    return found.map((list) => list.slice(0, limit).map((index) => (chunks[index] as Chunk).id))
  })
  const found = interleave(lists as readonly (readonly string[])[])
  const shown = new Set(found.slice(0, topK))
  return {
    passages: chunks
      .filter(({ id }) => shown.has(id))
      .map((chunk) => toReference(chunk, n, reading)),
    confidence: shown.size / Math.min(topK, chunks.length),
  }
}

/** What is searched in a paper. */
interface SearchedChunks {
  readonly sourceId: SourceId
  readonly chunks: readonly Chunk[]
  /** The snapshot's text. */
  readonly text: string
}

function searchByWordsAndVectors(
  { chunks, text }: SearchedChunks,
  embedded: readonly (readonly number[])[],
  queryVectors: QueryVectors['vectors'],
  limit: number,
): Promise<readonly (readonly number[])[]> {
  const asked = broadQueries.map((query, index) => {
    const vector = queryVectors[index]
    return { query, limit, ...(vector && { vectors: { query: vector, chunks: embedded } }) }
  })
  return searchIndexes(chunks, text, asked)
}

/** All results of each broad query, best first. They depend on the paper alone, so they are cached. */
function searchByWords(
  { cache = noCache }: PapersParts,
  { sourceId, chunks, text }: SearchedChunks,
): Promise<readonly (readonly number[])[]> {
  const cut = hashJson(chunks.map(({ start, end, section }) => [start, end, section ?? null]))
  const madeOf = { version: searchVersion, text: sha256(text), cut, queries: broadQueries }
  const asked = broadQueries.map((query) => ({ query, limit: chunks.length }))
  return cache.getOrCompute('searches', sourceId, madeOf, () => searchIndexes(chunks, text, asked))
}

/** The indexes of the chunks that each query finds. */
async function searchIndexes(
  chunks: readonly Chunk[],
  text: string,
  asked: readonly ChunkQuery[],
): Promise<readonly (readonly number[])[]> {
  const texts = chunks.map(({ start, end }) => text.slice(start, end))
  const hits = await searchForEach(chunks, texts, asked)
  return hits.map((list) => list.map(({ chunk }) => chunks.indexOf(chunk)))
}

/** The members of all lists, each once: the first of each list, then the second of each, and so on. */
function interleave(lists: readonly (readonly string[])[]): readonly string[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  const ranks = Array.from({ length: longest }, (_, rank) => rank)
  return [...new Set(ranks.flatMap((rank) => lists.flatMap((list) => list[rank] ?? [])))]
}

function toReference(chunk: Chunk, n: number, { sourceId }: StoredReading): PassageReference {
  const { id, start, end, page, section } = chunk
  return {
    n,
    passageId: id,
    sourceId,
    start,
    end,
    ...(page === undefined ? {} : { page }),
    ...(section === undefined ? {} : { section }),
  }
}

/** Vectors of a paper's chunks; `undefined` if the service fails, in which case only words are searched. */
async function embedChunks(
  { library }: PapersParts,
  { n, reading }: SearchedPaper,
  chunks: readonly Chunk[],
  context: RunContext,
  { binding }: QueryVectors,
): Promise<readonly (readonly number[])[] | undefined> {
  const references = chunks.map((chunk) => toReference(chunk, n, reading))
  const embedded = await attempt(async () => {
    const inTexts = context.child('texts')
    const read = await readEvidence(inTexts, library, references)
    return callEmbedding(context, 'embed', binding, read.map(toEmbeddableText))
  })
  if (embedded.ok) return embedded.value.vectors
  const text = `No embeddings for this paper, so it is searched by words only: ${embedded.failure.message}`
  await context.notice('embed', 'warning', text)
  return undefined
}

/** Embedding services refuse an empty text. */
function toEmbeddableText({ text }: ReadPassage): string {
  return text.trim() === '' ? '-' : text
}

/** Vectors of the broad queries; `undefined` unless the role `embedding` has a working model. */
export async function embedQueries(context: RunContext): Promise<QueryVectors | undefined> {
  const binding = context.services.models.forEmbedding?.()
  if (binding === undefined) return undefined
  const embedded = await attempt(() => callEmbedding(context, 'queries', binding, broadQueries))
  if (embedded.ok) return { binding, vectors: embedded.value.vectors }
  if (!isRunLimit(embedded.failure, context)) {
    const text = `No embeddings, so papers are searched by words only: ${embedded.failure.message}`
    await context.notice('embed', 'warning', text)
  }
  return undefined
}
