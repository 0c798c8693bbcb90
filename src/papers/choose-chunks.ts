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

/** The queries every paper is searched with after the question itself, so that each part of it is covered. */
const broadQueries = [
  'methods: approach, study design, data sets, models, training, measures',
  'results: findings, experiments, comparison, performance, improvement, effect',
  'conclusions and contributions: we conclude, we propose, we show, implications, novelty',
  'limitations and future work: limited by, weakness, threats to validity, open problems, next steps',
] as const

/** Vectors of the question and the broad queries, and the model that made them; absent without a working embedding model. */
export interface QueryVectors {
  readonly binding: EmbeddingBinding
  readonly vectors: readonly (readonly number[])[]
}

/** A paper to search. */
export interface SearchedPaper {
  readonly n: number
  readonly reading: StoredReading
}

/** What an analysis should see of a paper. */
export interface Wanted {
  readonly question: string
  /** Maximum number of chunks; null: as many as there is room for. */
  readonly topK: number | null
  /** How many tokens of the paper there is room for. */
  readonly roomTokens: number
}

/** The chunks chosen for an analysis. */
export interface ChosenChunks {
  /** In reading order. */
  readonly passages: readonly PassageReference[]
  /** 0 to 1: distinct chunks chosen, as a share of `topK` or of the paper if that is shorter. */
  readonly confidence: number
}

/** How many chunks are chosen if there is no room for more. */
const usualTopK = 10

/**
 * Chooses the chunks of a paper for its analysis: all if there is room for them. Otherwise those that the question and the broad
 * queries find, the best of each query first: up to `topK`, of which no query adds more than a quarter; then, unless `topK` is
 * given, more in the same order while there is room. Reference lists are left out.
 */
export async function chooseChunks(
  parts: PapersParts,
  { n, reading }: SearchedPaper,
  wanted: Wanted,
  context: RunContext,
  queries: QueryVectors | undefined,
): Promise<ChosenChunks> {
  const chunks = selectChunks(reading)
  const isWhole = fitsWhole(reading, wanted)
  const shown = isWhole
    ? new Set(chunks.map(({ id }) => id as string))
    : await searchPaper(parts, { n, reading }, wanted, context, queries)
  const most = Math.min(wanted.topK ?? usualTopK, chunks.length)
  return {
    passages: chunks
      .filter(({ id }) => shown.has(id))
      .map((chunk) => toReference(chunk, n, reading)),
    confidence: most === 0 ? 0 : Math.min(1, shown.size / most),
  }
}

/** Whether there is room for a whole paper, so that it need not be searched. */
export function fitsWhole(reading: StoredReading, { topK, roomTokens }: Wanted): boolean {
  return topK === null && countTokens(selectChunks(reading)) <= roomTokens
}

function selectChunks({ chunks }: StoredReading): readonly Chunk[] {
  return chunks.filter(({ kind }) => kind !== 'references')
}

function countTokens(chunks: readonly Chunk[]): number {
  return chunks.reduce((sum, { tokens }) => sum + tokens, 0)
}

/** The ids of the chunks that searches find, as a step. */
async function searchPaper(
  parts: PapersParts,
  { n, reading }: SearchedPaper,
  { question, topK, roomTokens }: Wanted,
  context: RunContext,
  queries: QueryVectors | undefined,
): Promise<ReadonlySet<string>> {
  const { sourceId } = reading
  const chunks = selectChunks(reading)
  const embedded = queries && (await embedChunks(parts, { n, reading }, chunks, context, queries))
  const input = {
    sourceId,
    chunks: hashJson(chunks.map(({ id }) => id)),
    queries: [question, ...broadQueries],
    topK,
    roomTokens: topK === null ? roomTokens : 0,
    vectors: embedded === undefined ? null : hashJson([embedded, queries?.vectors]),
  }
  const ids = await context.step('search', 'read', input, async () => {
    const text = (await parts.library.text(sourceId)) ?? ''
    const searched = { sourceId, chunks, text }
    const lists = embedded
      ? await searchByWordsAndVectors(searched, question, embedded, queries?.vectors ?? [])
      : await searchByWords(parts, searched, question)
    const found = pickChunks(chunks, lists, topK ?? usualTopK, input.roomTokens)
    return found.map(({ id }) => id)
  })
  return new Set(ids as readonly string[])
}

/** The chunks that lists of indexes rank best: up to `topK`, then as many more as there is room for. */
function pickChunks(
  chunks: readonly Chunk[],
  lists: readonly (readonly number[])[],
  topK: number,
  roomTokens: number,
): readonly Chunk[] {
  const limit = Math.ceil(topK / broadQueries.length)
  const least = interleave(lists.map((list) => list.slice(0, limit))).slice(0, topK)
  const all = new Set([...least, ...interleave(lists), ...chunks.keys()])
  const picked = [...all].map((index) => chunks[index] as Chunk)
  let left = roomTokens
  return picked.filter(({ tokens }, rank) => {
    left -= tokens
    return rank < least.length || left >= 0
  })
}

/** What is searched in a paper. */
interface SearchedChunks {
  readonly sourceId: SourceId
  readonly chunks: readonly Chunk[]
  /** The snapshot's text. */
  readonly text: string
}

/** All results of the question and of each broad query, best first. */
function searchByWordsAndVectors(
  { chunks, text }: SearchedChunks,
  question: string,
  embedded: readonly (readonly number[])[],
  queryVectors: QueryVectors['vectors'],
): Promise<readonly (readonly number[])[]> {
  const asked = [question, ...broadQueries].map((query, index) => {
    const vector = queryVectors[index]
    const vectors = vector && { query: vector, chunks: embedded }
    return { query, limit: chunks.length, ...(vectors && { vectors }) }
  })
  return searchIndexes(chunks, text, asked)
}

/** As {@link searchByWordsAndVectors}. The results of the broad queries depend on the paper alone, so they are cached. */
async function searchByWords(
  { cache = noCache }: PapersParts,
  { sourceId, chunks, text }: SearchedChunks,
  question: string,
): Promise<readonly (readonly number[])[]> {
  const cut = hashJson(chunks.map(({ start, end, section }) => [start, end, section ?? null]))
  const madeOf = { version: searchVersion, text: sha256(text), cut, queries: broadQueries }
  const search = (queries: readonly string[]) =>
    searchIndexes(
      chunks,
      text,
      queries.map((query) => ({ query, limit: chunks.length })),
    )
  const broad = await cache.getOrCompute('searches', sourceId, madeOf, () => search(broadQueries))
  return [...(await search([question])), ...broad]
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
function interleave(lists: readonly (readonly number[])[]): readonly number[] {
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

/** Vectors of the question and the broad queries; `undefined` unless the role `embedding` has a working model. */
export async function embedQueries(
  question: string,
  context: RunContext,
): Promise<QueryVectors | undefined> {
  const binding = context.services.models.forEmbedding?.()
  if (binding === undefined) return undefined
  const embedded = await attempt(() =>
    callEmbedding(context, 'queries', binding, [question, ...broadQueries]),
  )
  if (embedded.ok) return { binding, vectors: embedded.value.vectors }
  if (!isRunLimit(embedded.failure, context)) {
    const text = `No embeddings, so papers are searched by words only: ${embedded.failure.message}`
    await context.notice('embed', 'warning', text)
  }
  return undefined
}
