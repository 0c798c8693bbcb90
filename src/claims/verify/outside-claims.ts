import { type CitedSentence, splitClaims } from '../check/parse-claims.ts'
import { trimSpan } from '../language/sentences.ts'
import { editSentences, type SentenceEdit } from './edit-sentences.ts'
import { foreignPart } from './foreign-addresses.ts'

/** An answer without parts of it, and what these were. */
export interface Cleared {
  readonly answer: string
  readonly removed: readonly { readonly text: string; readonly foreign: string }[]
}

/**
 * An answer without what asserts nothing and leads to an address that is not known: questions, headings, lead-ins, definitions
 * of labels. Code blocks stay as they are, and so do claims.
 */
export function clearOutsideClaims(answer: string, known: readonly string[]): Cleared {
  const removed = spansOutside(answer).flatMap(({ start, end }) => {
    const text = answer.slice(start, end)
    const foreign = foreignPart(text, known)
    return foreign === undefined ? [] : [{ start, end, text, foreign }]
  })
  if (removed.length === 0) return { answer, removed }
  const edits = removed.map(({ start, end }): SentenceEdit => ({ start, end, replacement: null }))
  return {
    answer: editSentences(answer, edits).text,
    removed: removed.map(({ text, foreign }) => ({ text, foreign })),
  }
}

const fenceMark = /^[\s>]*(`{3,}|~{3,})/

/** What is in no claim and in no code block, line by line. */
function spansOutside(answer: string): readonly { readonly start: number; readonly end: number }[] {
  const claims = splitClaims(answer)
  const spans: { start: number; end: number }[] = []
  let fence = ''
  let first = 0
  for (const { 0: line, index } of answer.matchAll(/[^\n]+/g)) {
    const [, mark = ''] = fenceMark.exec(line) ?? []
    const wasFenced = fence !== ''
    if (wasFenced && mark.startsWith(fence)) fence = ''
    else if (!wasFenced) fence = mark
    if (wasFenced || mark !== '') continue
    const lineEnd = index + line.length
    let from = index
    while ((claims[first]?.end ?? lineEnd) <= index) first++
    for (let at = first; (claims[at]?.start ?? lineEnd) < lineEnd; at++) {
      const claim = claims[at] as CitedSentence
      spans.push({ start: from, end: claim.start })
      from = claim.end
    }
    spans.push({ start: from, end: lineEnd })
  }
  return spans.flatMap(({ start, end }) => trimSpan(answer, start, end) ?? [])
}
