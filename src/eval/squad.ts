import { withoutPunctuation, wordsOf } from './python-text.ts'

/** An article as a word of its own: a letter or digit of any script beside it makes it a part of another. */
const article = /(?<![\p{L}\p{N}_])(?:a|an|the)(?![\p{L}\p{N}_])/gu

/**
 * An answer as it is compared: small letters, no punctuation, no English articles, one space between words.
 * @see https://rajpurkar.github.io/SQuAD-explorer/ (the evaluation script of SQuAD)
 */
export function normalizeAnswer(text: string): string {
  return normalizedWords(text).join(' ')
}

/** Whether an answer is a right one, both normalised. */
export function isExactMatch(answer: string, gold: string): boolean {
  return normalizeAnswer(answer) === normalizeAnswer(gold)
}

/**
 * How far the words of two answers agree, 0 to 1: the harmonic mean of precision and recall over normalised words, each as
 * often as it stands there. Where one has no words, 1 if neither has.
 * @see https://arxiv.org/abs/1606.05250 (section 6.1)
 */
export function tokenF1(answer: string, gold: string): number {
  const given = normalizedWords(answer)
  const wanted = normalizedWords(gold)
  if (given.length === 0 || wanted.length === 0) return given.length === wanted.length ? 1 : 0
  const left = new Map<string, number>()
  for (const word of wanted) left.set(word, (left.get(word) ?? 0) + 1)
  let shared = 0
  for (const word of given) {
    const times = left.get(word) ?? 0
    if (times === 0) continue
    left.set(word, times - 1)
    shared++
  }
  return (2 * shared) / (given.length + wanted.length)
}

function normalizedWords(text: string): readonly string[] {
  return wordsOf(withoutPunctuation(text.toLowerCase()).replaceAll(article, ' '))
}
