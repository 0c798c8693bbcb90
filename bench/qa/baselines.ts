import { splitSentences } from '../../src/claims/language/sentences.ts'
import { type Page, sentenceKey } from './data-sets.ts'

/** What a way of choosing that knows nothing of questions would quote. */
export interface Baseline {
  readonly name: string
  choose(question: string, pages: readonly Page[]): readonly Chosen[]
}

/** A sentence with the name that scores know it by. */
export interface Chosen {
  readonly key: string
  readonly text: string
}

/** Baselines in the order in which they are shown: first sentences of the best pages, best sentences. */
export const baselines: readonly Baseline[] = [
  {
    name: 'BM25: first sentence of the best page',
    choose: (question, pages) => leads(question, pages, 1),
  },
  {
    name: 'BM25: first sentences of the two best pages',
    choose: (question, pages) => leads(question, pages, 2),
  },
  { name: 'BM25: best sentence', choose: (question, pages) => bestSentences(question, pages, 1) },
  {
    name: 'BM25: two best sentences',
    choose: (question, pages) => bestSentences(question, pages, 2),
  },
]

function leads(question: string, pages: readonly Page[], count: number): readonly Chosen[] {
  const texts = pages.map(({ title, sentences }) => `${title} ${sentences.join(' ')}`)
  return bestOf(question, texts, count).map((index) => {
    const { title, sentences } = pages[index] as Page
    return { key: sentenceKey(title, 0), text: sentences[0] ?? '' }
  })
}

function bestSentences(question: string, pages: readonly Page[], count: number): readonly Chosen[] {
  const sentences = pages.flatMap(({ title, sentences: texts }) =>
    texts.map((text, index) => ({
      key: sentenceKey(title, index),
      text,
      whole: `${title} ${text}`,
    })),
  )
  const texts = sentences.map(({ whole }) => whole)
  return bestOf(question, texts, count).map((index) => sentences[index] as Chosen)
}

const k1 = 1.2
const b = 0.75

/**
 * The texts that a question's words fit best, by their index.
 * @see https://doi.org/10.1561/1500000019 (BM25 with the constants it names)
 */
function bestOf(question: string, texts: readonly string[], count: number): readonly number[] {
  const words = texts.map(wordsIn)
  const meanLength = words.reduce((sum, { length }) => sum + length, 0) / Math.max(1, words.length)
  const asked = [...new Set(wordsIn(question))]
  const holding = new Map(
    asked.map((word) => [word, words.filter((text) => text.includes(word)).length]),
  )
  const scores = words.map((text, index) => {
    const score = asked.reduce((sum, word) => {
      const found = text.filter((other) => other === word).length
      const held = holding.get(word) as number
      const rarity = Math.log(1 + (texts.length - held + 0.5) / (held + 0.5))
      const length = 1 - b + (b * text.length) / meanLength
      return sum + (rarity * found * (k1 + 1)) / (found + k1 * length)
    }, 0)
    return { index, score }
  })
  const ranked = scores.toSorted(
    (left, right) => right.score - left.score || left.index - right.index,
  )
  return ranked.slice(0, count).map(({ index }) => index)
}

function wordsIn(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

/** The sentences of a text as a page's. */
export function asSentences(text: string): readonly string[] {
  return splitSentences(text).map(({ start, end }) => text.slice(start, end))
}
