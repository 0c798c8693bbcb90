import { setImmediate } from 'node:timers/promises'
import { ScholiumError } from '../../kernel/errors.ts'
import { cosine } from '../../retrieval/cosine.ts'
import { createDictionary } from '../../retrieval/dictionary.ts'
import { fuseRankings } from '../../retrieval/fuse-rankings.ts'
import { readPassage, rerank } from '../../retrieval/rerank.ts'
import { contentWords } from '../../retrieval/words.ts'
import type { Chunk } from './paper.ts'

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
export interface ChunkHit {
  readonly chunk: Chunk
  readonly score: number
}

/** A search in the chunks of one paper, whose texts were read once for all queries. */
export interface ChunkSearch {
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
  if (texts.length !== chunks.length) throw refused(chunks, `${texts.length} texts`)
  const searched = [...chunks.keys()].filter((index) => chunks[index]?.kind !== 'references')
  const scoresOf = createWordScores(searched, chunks, texts)
  return {
    search({ query, limit, vectors }) {
      checkVectors(chunks, vectors)
      const scores = scoresOf(query)
      const byWords = ranked(searched, scores).filter((index) => (scores.get(index) as number) > 0)
      if (vectors === undefined)
        return byWords
          .slice(0, limit)
          .map((index) => hit(chunks, index, scores.get(index) as number))
      const likeness = new Map(
        searched.map((index) => [index, cosine(vectors.query, vectors.chunks[index] as number[])]),
      )
      return fuseRankings([byWords, ranked(searched, likeness)])
        .slice(0, limit)
        .map(({ item, score }) => hit(chunks, item, score))
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
    throw refused(chunks, `${vectors.chunks.length} vectors`)
  const other = vectors.chunks.find((vector) => vector.length !== vectors.query.length)
  if (other !== undefined)
    throw refused(chunks, `vectors of ${vectors.query.length} and ${other.length} dimensions`)
}

function refused(chunks: readonly Chunk[], what: string): ScholiumError {
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
function ranked(
  searched: readonly number[],
  scores: ReadonlyMap<number, number>,
): readonly number[] {
  const score = (index: number): number => scores.get(index) as number
  return [...searched].sort((one, other) => score(other) - score(one) || one - other)
}

function hit(chunks: readonly Chunk[], index: number, score: number): ChunkHit {
  return { chunk: chunks[index] as Chunk, score }
}
