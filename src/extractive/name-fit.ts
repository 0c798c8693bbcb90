import type { Evidence, Sentence } from './evidence.ts'
import type { Question } from './question.ts'
import type { Term } from './question-terms.ts'
import { isEmptyWord } from './word-families.ts'

/** "Marie" of "Marie Curie": all but the last word of a name whose last word is never a plain word. */
export function givenNames(question: Question, evidence: Evidence): ReadonlySet<Term> {
  const spans = new Map<number, Term[]>()
  for (const term of question.terms) {
    if (term.nameSpan === undefined) continue
    spans.set(term.nameSpan, [...(spans.get(term.nameSpan) ?? []), term])
  }
  const given = [...spans.values()].flatMap((span) => {
    const last = span.at(-1) as Term
    if (isWholePredicate(question, last)) return []
    const isPerson = span.length <= 3 && !evidence.plainWords.has(last.text.toLowerCase())
    return isPerson ? span.slice(0, -1) : []
  })
  return new Set(given)
}

/** "Was Ann Lee German": the last capital is no family name but what is asked of the person. */
function isWholePredicate({ kind, text }: Question, last: Term): boolean {
  if (kind !== 'yes-no' || !/^(?:is|are|was|were) /i.test(text)) return false
  return text.replace(/[\s?.!]+$/, '').endsWith(last.text)
}

/** Whether a family name stands in a sentence only with other given names ("Pierre Curie" for "Marie Curie"). */
export function isOtherPerson(
  term: Term,
  given: ReadonlySet<Term>,
  question: Question,
  { words, stems }: Sentence,
): boolean {
  const own = question.terms.filter(
    (other) => given.has(other) && other.nameSpan === term.nameSpan && other !== term,
  )
  if (term.nameSpan === undefined || given.has(term) || own.length === 0) return false
  const ownStems = new Set(own.map(({ stem }) => stem))
  const hasOwn = [...ownStems].some((stem) => stems.has(stem))
  const places = words.flatMap(({ stem }, index) => (stem === term.stem ? [index] : []))
  return places.every((index) => {
    const near = words.slice(Math.max(0, index - 3), index)
    if (near.some(({ stem }) => ownStems.has(stem))) return false
    const before = near.at(-1)
    if (before === undefined || !words[index]?.isJoined || !before.isCapital) {
      return hasOwn && words[index + 1]?.isCapital === true
    }
    return !isEmptyWord(before.plain)
  })
}

/**
 * Whether a sentence has the name that `term` qualifies in the question, with another qualifier: asked for the "Nobel Prize in
 * Chemistry" of a person, it speaks of that person and the "Nobel Prize in Physics".
 */
export function hasOtherQualifier(
  term: Term,
  { terms, text }: Question,
  { words, stems }: Sentence,
): boolean {
  const span = term.nameSpan
  if (span === undefined || span === 0) return false
  const head = terms.filter(({ nameSpan }) => nameSpan === span - 1)
  const last = head.at(-1)
  if (last === undefined || head.length < 2 || !text.includes(`${last.text} in ${term.text}`)) {
    return false
  }
  const others = terms.filter(
    ({ nameSpan }) => nameSpan !== undefined && nameSpan !== span && nameSpan !== span - 1,
  )
  if (others.length === 0 || !others.every(({ stem }) => stems.has(stem))) return false
  return words.some(
    ({ stem }, index) =>
      stem === last.stem &&
      words[index + 1]?.plain === 'in' &&
      words[index + 2]?.isCapital === true,
  )
}
