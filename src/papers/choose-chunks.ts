import { setImmediate } from 'node:timers/promises'
import type { PassageReference, ReadPassage } from '../citations/claim.ts'
import type { SourceId } from '../citations/source.ts'
import { ScholiumError } from '../kernel/errors.ts'
import { hashJson, sha256 } from '../kernel/json.ts'
import { callEmbedding } from '../kernel/model/embed-call.ts'
import type { EmbeddingBinding } from '../kernel/model/model.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { cosine } from '../retrieval/cosine.ts'
import { createDictionary } from '../retrieval/dictionary.ts'
import { fuseRankings } from '../retrieval/fuse-rankings.ts'
import { readPassage, rerank } from '../retrieval/rerank.ts'
import { contentWords } from '../retrieval/words.ts'
import { readEvidence } from '../team/evidence.ts'
import { attempt, isRunLimit } from './attempt.ts'
import type { Chunk } from './paper.ts'
import type { PapersParts } from './parts.ts'
import { noCache } from './reading/work-cache.ts'
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

/** What is searched of a paper. */
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

/** All that each broad query finds, best first. It depends on the paper alone, so it is kept. */
function searchByWords(
  { cache = noCache }: PapersParts,
  { sourceId, chunks, text }: SearchedChunks,
): Promise<readonly (readonly number[])[]> {
  const cut = hashJson(chunks.map(({ start, end, section }) => [start, end, section ?? null]))
  const madeOf = { version: searchVersion, text: sha256(text), cut, queries: broadQueries }
  const asked = broadQueries.map((query) => ({ query, limit: chunks.length }))
  return cache.getOrCompute('searches', sourceId, madeOf, () => searchIndexes(chunks, text, asked))
}

/** Which chunks each query finds, by their places among all. */
async function searchIndexes(
  chunks: readonly Chunk[],
  text: string,
  asked: readonly ChunkQuery[],
): Promise<readonly (readonly number[])[]> {
  const texts = chunks.map(({ start, end }) => text.slice(start, end))
  const hits = await searchForEach(chunks, texts, asked)
  return hits.map((list) => list.map(({ chunk }) => chunks.indexOf(chunk)))
}

/** The members of all lists, each once: the first of each list, then the second of each. */
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

/** Vectors of a paper's chunks; `undefined` where the service fails, and the words alone are searched then. */
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
  const text = `No vectors of this paper, so its words alone are searched: ${embedded.failure.message}`
  await context.notice('embed', 'warning', text)
  return undefined
}

/** Services refuse a text with nothing in it. */
function toEmbeddableText({ text }: ReadPassage): string {
  return text.trim() === '' ? '-' : text
}

/** Vectors of the broad queries where the role `embedding` has a model that works. */
export async function embedQueries(context: RunContext): Promise<QueryVectors | undefined> {
  const binding = context.services.models.forEmbedding?.()
  if (binding === undefined) return undefined
  const embedded = await attempt(() => callEmbedding(context, 'queries', binding, broadQueries))
  if (embedded.ok) return { binding, vectors: embedded.value.vectors }
  if (!isRunLimit(embedded.failure, context)) {
    const text = `No vectors, so words alone are searched: ${embedded.failure.message}`
    await context.notice('embed', 'warning', text)
  }
  return undefined
}

/** Raised whenever a search by words finds other chunks in the same texts: of one version, it finds the same. */
export const searchVersion = 1

/** What is looked for. */
export interface ChunkQuery {
  readonly query: string
  /** How many chunks at most. */
  readonly limit: number
  /** Of the query and of the chunks, in their order, all by one model. */
  readonly vectors?: {
    readonly query: readonly number[]
    readonly chunks: readonly (readonly number[])[]
  }
}

/** A chunk that fits a query. `score` is comparable within one search only; larger is better. */
interface ChunkHit {
  readonly chunk: Chunk
  readonly score: number
}

/** A search in the chunks of one paper, whose texts were read once for all queries. */
interface ChunkSearch {
  /**
   * The chunks that fit a query, best first: by words, and where there are vectors by meaning too, the two rankings fused. By
   * words alone a chunk fits that shares some with the query or with its best chunks. Lists of references are never among
   * them.
   * @throws {@link ScholiumError} `invalid_input` where vectors are not as many as the chunks, or not of one dimension
   */
  search(asked: ChunkQuery): readonly ChunkHit[]
}

/**
 * A search in these chunks.
 * @param texts the chunks' texts, in their order
 * @throws {@link ScholiumError} `invalid_input` where texts are not as many as the chunks
 */
export function createChunkSearch(chunks: readonly Chunk[], texts: readonly string[]): ChunkSearch {
  if (texts.length !== chunks.length) throw refusal(chunks, `${texts.length} texts`)
  const searched = [...chunks.keys()].filter((index) => chunks[index]?.kind !== 'references')
  const scoresOf = createWordScores(searched, chunks, texts)
  return {
    search({ query, limit, vectors }) {
      checkVectors(chunks, vectors)
      const scores = scoresOf(query)
      const byWords = rank(searched, scores).filter((index) => (scores.get(index) as number) > 0)
      if (vectors === undefined)
        return byWords
          .slice(0, limit)
          .map((index) => toHit(chunks, index, scores.get(index) as number))
      const likeness = new Map(
        searched.map((index) => [index, cosine(vectors.query, vectors.chunks[index] as number[])]),
      )
      return fuseRankings([byWords, rank(searched, likeness)])
        .slice(0, limit)
        .map(({ item, score }) => toHit(chunks, item, score))
    },
  }
}

/**
 * What a search finds for each query, in the queries' order. Between two of them it lets others go on: a request that is to be sent
 * need not wait for all of it.
 * @throws {@link ScholiumError} `invalid_input` as {@link createChunkSearch} and {@link ChunkSearch.search}
 */
export async function searchForEach(
  chunks: readonly Chunk[],
  texts: readonly string[],
  queries: readonly ChunkQuery[],
): Promise<readonly (readonly ChunkHit[])[]> {
  await setImmediate()
  const inChunks = createChunkSearch(chunks, texts)
  const found: (readonly ChunkHit[])[] = []
  for (const asked of queries) {
    await setImmediate()
    found.push(inChunks.search(asked))
  }
  return found
}

function checkVectors(chunks: readonly Chunk[], vectors: ChunkQuery['vectors']): void {
  if (vectors === undefined) return
  if (vectors.chunks.length !== chunks.length)
    throw refusal(chunks, `${vectors.chunks.length} vectors`)
  const other = vectors.chunks.find((vector) => vector.length !== vectors.query.length)
  if (other !== undefined)
    throw refusal(chunks, `vectors of ${vectors.query.length} and ${other.length} dimensions`)
}

function refusal(chunks: readonly Chunk[], what: string): ScholiumError {
  return new ScholiumError('invalid_input', `A search over ${chunks.length} chunks got ${what}.`)
}

/** Scores by words: BM25 with what else the library's search ranks by; frequencies are those of these chunks. */
function createWordScores(
  searched: readonly number[],
  chunks: readonly Chunk[],
  texts: readonly string[],
): (query: string) => ReadonlyMap<number, number> {
  const dictionary = createDictionary()
  const readings = searched.map((index) =>
    readPassage(chunks[index]?.section ?? '', texts[index] as string, dictionary),
  )
  const stems = readings.map(
    ({ title, body }) => new Set([...title, ...body].map(dictionary.stemOf)),
  )
  return (query) => {
    const words = contentWords(query)
    const counts = new Map(
      words.map((word) => {
        const stem = dictionary.stemOf(dictionary.idOf(word))
        return [word, stems.filter((known) => known.has(stem)).length]
      }),
    )
    const scores = rerank({ words, counts, total: searched.length }, readings, dictionary)
    return new Map(searched.map((index, place) => [index, scores[place] as number]))
  }
}

/** The chunks with these scores, best first; equal ones in reading order. */
function rank(searched: readonly number[], scores: ReadonlyMap<number, number>): readonly number[] {
  const score = (index: number): number => scores.get(index) as number
  return [...searched].sort((one, other) => score(other) - score(one) || one - other)
}

function toHit(chunks: readonly Chunk[], index: number, score: number): ChunkHit {
  return { chunk: chunks[index] as Chunk, score }
}
