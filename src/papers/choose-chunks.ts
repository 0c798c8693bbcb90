import type { PassageReference, ReadPassage } from '../citations/claim.ts'
import type { SourceId } from '../citations/source.ts'
import { hashJson, sha256 } from '../kernel/json.ts'
import { callEmbedding } from '../kernel/model/embed-call.ts'
import type { EmbeddingBinding } from '../kernel/model/model.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { readEvidence } from '../team/evidence.ts'
import { attempted, isLimitOf } from './branches.ts'
import type { PapersParts } from './parts.ts'
import { nothingKept } from './places/kept-work.ts'
import type { Chunk } from './places/paper.ts'
import { type ChunkQuery, searchForEach, searchVersion } from './places/search-chunks.ts'
import type { StoredReading } from './state.ts'

/** What each paper is asked, whatever it is about, so that no part of it goes unseen. */
export const broadQueries = [
  'methods: approach, study design, data sets, models, training, measures',
  'results: findings, experiments, comparison, performance, improvement, effect',
  'conclusions and contributions: we conclude, we propose, we show, implications, novelty',
  'limitations and future work: limited by, weakness, threats to validity, open problems, next steps',
] as const

/** Vectors of the broad queries, and the model that made them; absent where no model of embeddings works. */
export interface QueryVectors {
  readonly binding: EmbeddingBinding
  readonly vectors: readonly (readonly number[])[]
}

/** A paper's text as it is searched. */
export interface SearchedPaper {
  readonly n: number
  readonly reading: StoredReading
}

/** What an analysis sees of a paper. */
export interface ChosenChunks {
  /** In reading order. */
  readonly passages: readonly PassageReference[]
  /** 0 to 1: how many different chunks the queries found, of as many as they could. */
  readonly confidence: number
}

/**
 * The chunks of a paper that the broad queries find: a quarter of `topK` for each, rounded up, each chunk once, the best of each
 * query first, `topK` at most. Lists of references are not searched.
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
      ? await searchByBoth(searched, embedded, queries?.vectors ?? [], limit)
      : await searchByWords(parts, searched)
    return found.map((list) => list.slice(0, limit).map((index) => (chunks[index] as Chunk).id))
  })
  const found = inTurns(lists as readonly (readonly string[])[])
  const shown = new Set(found.slice(0, topK))
  return {
    passages: chunks
      .filter(({ id }) => shown.has(id))
      .map((chunk) => toReference(chunk, n, reading)),
    confidence: shown.size / Math.min(topK, chunks.length),
  }
}

/** What is searched of a paper. */
interface SearchedChunks {
  readonly sourceId: SourceId
  readonly chunks: readonly Chunk[]
  /** The snapshot's text. */
  readonly text: string
}

function searchByBoth(
  { chunks, text }: SearchedChunks,
  embedded: readonly (readonly number[])[],
  queryVectors: QueryVectors['vectors'],
  limit: number,
): Promise<readonly (readonly number[])[]> {
  const asked = broadQueries.map((query, index) => {
    const vector = queryVectors[index]
    return { query, limit, ...(vector && { vectors: { query: vector, chunks: embedded } }) }
  })
  return placesOf(chunks, text, asked)
}

/** All that each broad query finds, best first. It depends on the paper alone, so it is kept. */
function searchByWords(
  { kept = nothingKept }: PapersParts,
  { sourceId, chunks, text }: SearchedChunks,
): Promise<readonly (readonly number[])[]> {
  const cut = hashJson(chunks.map(({ start, end, section }) => [start, end, section ?? null]))
  const madeOf = { version: searchVersion, text: sha256(text), cut, queries: broadQueries }
  const asked = broadQueries.map((query) => ({ query, limit: chunks.length }))
  return kept.once('searches', sourceId, madeOf, () => placesOf(chunks, text, asked))
}

/** Which chunks each query finds, by their places among all. */
async function placesOf(
  chunks: readonly Chunk[],
  text: string,
  asked: readonly ChunkQuery[],
): Promise<readonly (readonly number[])[]> {
  const texts = chunks.map(({ start, end }) => text.slice(start, end))
  const hits = await searchForEach(chunks, texts, asked)
  return hits.map((list) => list.map(({ chunk }) => chunks.indexOf(chunk)))
}

/** The members of all lists, each once: the first of each list, then the second of each. */
function inTurns(lists: readonly (readonly string[])[]): readonly string[] {
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

/** Vectors of a paper's chunks; `undefined` where the service fails, and the words alone are searched then. */
async function embedChunks(
  { library }: PapersParts,
  { n, reading }: SearchedPaper,
  chunks: readonly Chunk[],
  context: RunContext,
  { binding }: QueryVectors,
): Promise<readonly (readonly number[])[] | undefined> {
  const references = chunks.map((chunk) => toReference(chunk, n, reading))
  const embedded = await attempted(async () => {
    const inTexts = context.child('texts')
    const read = await readEvidence(inTexts, library, references)
    return callEmbedding(context, 'embed', binding, read.map(textOf))
  })
  if (embedded.ok) return embedded.value.vectors
  const text = `No vectors of this paper, so its words alone are searched: ${embedded.failure.message}`
  await context.notice('embed', 'warning', text)
  return undefined
}

/** Services refuse a text with nothing in it. */
function textOf({ text }: ReadPassage): string {
  return text.trim() === '' ? '-' : text
}

/** Vectors of the broad queries where the role `embedding` has a model that works. */
export async function embedQueries(context: RunContext): Promise<QueryVectors | undefined> {
  const binding = context.services.models.forEmbedding?.()
  if (binding === undefined) return undefined
  const embedded = await attempted(() => callEmbedding(context, 'queries', binding, broadQueries))
  if (embedded.ok) return { binding, vectors: embedded.value.vectors }
  if (!isLimitOf(embedded.failure, context)) {
    const text = `No vectors, so words alone are searched: ${embedded.failure.message}`
    await context.notice('embed', 'warning', text)
  }
  return undefined
}
