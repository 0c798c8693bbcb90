import type { Sentence } from './evidence.ts'

const pronounFirst = /^(?:he|she|it|they|this|these|those|its|his|her|their|such|here|both)$/
/** "This paper", "these authors": the document itself, not the sentence before. */
const ownDocument =
  /^th(?:is|ese) (?:paper|study|work|article|report|thesis|section|chapter|book|page|review|survey|authors?)\b/i
/** "A friend of the house, he opened it." */
const pronounAfterComma = /^[^,]{3,80}, (?:he|she|they) /

/** Whether a sentence begins with what stands for something in the one before: a pronoun, or "the" and a word from there. */
export function refersBack({ words, text, before }: Sentence): boolean {
  const [first, second] = words
  if (first === undefined || ownDocument.test(text)) return false
  if (pronounFirst.test(first.plain) || pronounAfterComma.test(text)) return true
  if (first.plain !== 'the' || second === undefined || second.isCapital) return false
  const isTold = /^The \p{Ll}+ of \p{N}/u.test(text)
  return !isTold && before?.stems.has(second.stem) === true
}
