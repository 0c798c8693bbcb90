import type { Evidence, Sentence } from './evidence.ts'
import { isNaming } from './meaning.ts'
import type { Question } from './question.ts'
import type { Candidate } from './rank-sentences.ts'
import { refersBack } from './reference.ts'

/** The sentences of the chosen candidates, best passage first and in reading order within one, with what they cannot be read without. */
export function arrange(
  question: Question,
  chosen: readonly Candidate[],
  evidence: Evidence,
  maxSentences: number,
): readonly Sentence[] {
  const wanted = chosen.flatMap(({ sentence, lead }) => [
    isPlain(question, sentence, chosen)
      ? undefined
      : (lead ?? (needsLead(sentence) ? sentence.before : undefined)),
    sentence,
    question.kind === 'definition' ? namingAfter(sentence, evidence) : undefined,
  ])
  const known = new Set(evidence.sentences)
  const found = wanted.filter((sentence) => sentence !== undefined && known.has(sentence))
  const sentences = [...new Set(found as readonly Sentence[])].slice(0, maxSentences)
  const passages = [...new Set(sentences.map(({ passage }) => passage))]
  return sentences.toSorted(
    (left, right) =>
      passages.indexOf(left.passage) - passages.indexOf(right.passage) || left.index - right.index,
  )
}

/**
 * Whether "it" at the beginning can only be what the question names: the sentence before says what that very thing is or has, and
 * nothing more of what is asked.
 */
function isPlain(
  { kind, terms, action, isAlone }: Question,
  { words, before }: Sentence,
  chosen: readonly Candidate[],
): boolean {
  if (!isAlone || !/^(?:person|time|place|amount)$/.test(kind)) return false
  if (chosen.length > 1 || before === undefined || words[0]?.plain !== 'it') return false
  const things = terms.filter((term) => term !== action && !term.isWeak)
  const opening = before.words.slice(0, things.length + 1).filter(({ plain }) => plain !== 'the')
  return (
    things.length > 0 &&
    before.text.length < maxLeadChars &&
    things.every(({ stem }, index) => opening[index]?.stem === stem)
  )
}

const maxLeadChars = 200
const namesThing = /^The \p{Ll}+ (?:is|are|was|were) (?:called|known|named)\b|^The letters\b/u

/** Whether a sentence cannot be understood without the one before. */
function needsLead(sentence: Sentence): boolean {
  return refersBack(sentence) || namesThing.test(sentence.text)
}

/** The sentence after a definition that says what the name means. */
function namingAfter(sentence: Sentence, evidence: Evidence): Sentence | undefined {
  const next = evidence.sentences.find(({ before }) => before === sentence)
  return next !== undefined && isNaming(next.text) ? next : undefined
}
