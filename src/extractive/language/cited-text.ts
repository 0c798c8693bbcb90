import { splitSentences } from '../../claims/language/sentences.ts'

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

/** The expert's trace line when the results are about the right things but do not answer the question. */
export const notSaid = 'What was found does not say what is asked.'

const quotedChars = 50

/** Whether a critic's feedback quotes the beginning of a sentence. */
export function isQuotedIn(feedback: string, sentence: string): boolean {
  const opening = lettersOf(sentence).slice(0, quotedChars)
  return opening.length >= 20 && lettersOf(feedback).includes(opening)
}

function lettersOf(text: string): string {
  return withoutCitations(text)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
