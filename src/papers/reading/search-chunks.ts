import { setImmediate } from 'node:timers/promises'
import { ScholiumError } from '../../kernel/errors.ts'
import { createDictionary } from '../../retrieval/dictionary.ts'
import { computeCosine, fuseRankings } from '../../retrieval/rankings.ts'
import { readPassage, rerank } from '../../retrieval/rerank.ts'
import { readContentWords } from '../../retrieval/words.ts'
import type { Chunk } from '../paper.ts'

/** Raised whenever the word search finds different chunks in the same texts. Results of one version are identical. */
export const searchVersion = 1

/** A search query for chunks. */
export interface ChunkQuery {
  readonly query: string
  /** Maximum number of chunks. */
  readonly limit: number
  /** Vectors of the query and of the chunks, in the chunks' order, all from one model. */
  readonly vectors?: {
    readonly query: readonly number[]
    readonly chunks: readonly (readonly number[])[]
  }
}

/** A chunk that matches a query. `score` is comparable within one search only; higher is better. */
interface ChunkHit {
  readonly chunk: Chunk
  readonly score: number
}

/** A search over the chunks of one paper, whose texts are tokenised once for all queries. */
interface ChunkSearch {
  /**
   * The matching chunks, best first: by words, or by words and meaning fused if vectors are given. By words alone, a
   * chunk matches if it shares words with the query or with the query's best chunks. Reference lists never match.
   * @throws {@link ScholiumError} `invalid_input` if the vectors do not match the chunks in number or dimension
   */
  search(asked: ChunkQuery): readonly ChunkHit[]
}

/**
 * Creates a search over chunks.
 * @param texts the chunks' texts, in their order
 * @throws {@link ScholiumError} `invalid_input` if there are not as many texts as chunks
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
        searched.map((index) => [
          index,
          computeCosine(vectors.query, vectors.chunks[index] as number[]),
        ]),
      )
      return fuseRankings([byWords, rank(searched, likeness)])
        .slice(0, limit)
        .map(({ item, score }) => toHit(chunks, item, score))
    },
  }
}

/**
 * Runs several queries; results come in the queries' order. Yields to the event loop between queries, so that pending
 * requests are not held up.
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

/** Scores by words: BM25 with the reranking of the library's search; term frequencies are those of these chunks. */
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
    const words = readContentWords(query)
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

/** Sorts chunks by score, best first; ties stay in reading order. */
function rank(searched: readonly number[], scores: ReadonlyMap<number, number>): readonly number[] {
  const score = (index: number): number => scores.get(index) as number
  return [...searched].sort((one, other) => score(other) - score(one) || one - other)
}

function toHit(chunks: readonly Chunk[], index: number, score: number): ChunkHit {
  return { chunk: chunks[index] as Chunk, score }
}
