import { type Page, sentenceKey } from './data-sets.ts'

/** A sentence with the name that scores know it by. */
export interface Chosen {
  readonly key: string
  readonly text: string
}

/** The sentences of all pages that BM25 finds best, with the titles of their pages. */
export function findBestSentences(
  question: string,
  pages: readonly Page[],
  count: number,
): readonly Chosen[] {
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
