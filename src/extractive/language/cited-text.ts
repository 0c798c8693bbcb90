import { splitSentences } from '../../claims/language/sentences.ts'
import { fold } from './words.ts'

/** A sentence with its citation number: before the full stop, after any other end mark. */
export function citeSentence(text: string, n: number): string {
  if (/[^.]\.$/.test(text)) return `${text.slice(0, -1).trimEnd()} [${n}].`
  const isEnded = /[.!?…。！？]["'”’»)\]]*$/.test(text)
  return isEnded ? `${text} [${n}]` : `${text} [${n}].`
}

const marks = /\s?\[(\d{1,4}(?:\s?,\s?\d{1,4})*)\]/g

/** The numbers that a text cites, each once, in order. */
export function findCitations(text: string): readonly number[] {
  const lists = [...text.matchAll(marks)].map((match) => match[1] as string)
  return [...new Set(lists.flatMap((list) => list.split(',').map(Number)))]
}

/** A text without its citation marks. */
export function withoutCitations(text: string): string {
  return text.replaceAll(marks, '')
}

/** The sentences of an answer, each with its citation marks. */
export function splitCitedSentences(text: string): readonly string[] {
  return splitSentences(text).map(({ start, end }) => text.slice(start, end))
}

const quotedChars = 50

/** Whether a critic's feedback quotes the beginning of a sentence. */
export function isQuotedIn(feedback: string, sentence: string): boolean {
  const opening = toLetters(sentence).slice(0, quotedChars)
  return opening.length >= 20 && toLetters(feedback).includes(opening)
}

/** The letters and digits of a text, folded, without its citation marks: equal for texts that differ in marks and spacing only. */
export function toLetters(text: string): string {
  return fold(withoutCitations(text))
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
