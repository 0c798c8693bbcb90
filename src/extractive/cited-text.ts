import { splitSentences } from '../claims/language/sentences.ts'

/** A sentence with the number of its source: before its full stop, after any other ending mark. */
export function citeSentence(text: string, n: number): string {
  if (/[^.]\.$/.test(text)) return `${text.slice(0, -1).trimEnd()} [${n}].`
  const isEnded = /[.!?…。！？]["'”’»)\]]*$/.test(text)
  return isEnded ? `${text} [${n}]` : `${text} [${n}].`
}

const marks = /\s?\[(\d{1,4}(?:\s?,\s?\d{1,4})*)\]/g

/** The numbers that a text cites, each once, in order. */
export function citationsIn(text: string): readonly number[] {
  const lists = [...text.matchAll(marks)].map((match) => match[1] as string)
  return [...new Set(lists.flatMap((list) => list.split(',').map(Number)))]
}

/** A text without its marks of citations. */
export function withoutCitations(text: string): string {
  return text.replaceAll(marks, '')
}

/** The sentences of an answer, each with its marks. */
export function sentencesIn(text: string): readonly string[] {
  return splitSentences(text).map(({ start, end }) => text.slice(start, end))
}
