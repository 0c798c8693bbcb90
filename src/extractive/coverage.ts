import type { Evidence, Sentence } from './evidence.ts'
import type { Question } from './question.ts'
import type { Term } from './question-terms.ts'
import type { Word } from './words.ts'

/** How much of a question a sentence with its surroundings speaks of. */
export interface Coverage {
  /** 0 to 1: the share of the question's words, by their weight, each by how near it stands. */
  readonly share: number
  /** The share of the words that may not be missing which stand in the sentence or its lead. */
  readonly ownShare: number
  /** Words that neither the sentence, nor its lead, nor its headings have. */
  readonly missing: readonly Term[]
  /** Whether a qualified name of the question stands here with another qualifier ("Prize in Chemistry", "Prize in Physics"). */
  readonly isCorrection: boolean
}

/** How near a word must stand to count as spoken of. */
const nearEnough = 0.6

const levels = {
  own: 1,
  related: 0.9,
  lead: 0.9,
  heading: 0.8,
  before: 0.5,
  referred: 0.75,
  passage: 0.45,
  source: 0.2,
  otherQualifier: 0.6,
} as const

/** The weights of a question's words against what was found: rare words weigh more. */
export interface Weights {
  readonly weightOf: ReadonlyMap<Term, number>
  /** Given names of people whose family name is asked for too. */
  readonly given: ReadonlySet<Term>
}

const weakWeight = 0.1

/** The weights of a question's words by their rarity in the evidence. */
export function weigh(question: Question, evidence: Evidence): Weights {
  const given = givenNames(question, evidence)
  const total = evidence.sentences.length
  const weightOf = new Map<Term, number>()
  for (const term of question.terms) {
    const count = evidence.sentences.filter(({ stems }) => isIn(term, stems) !== undefined).length
    const rarity = Math.log(1 + (total - count + 0.5) / (count + 0.5))
    const factor =
      (term.form === 'name' ? 1.5 : 1) * (term.isSide ? 0.6 : 1) * (given.has(term) ? 0.3 : 1)
    weightOf.set(term, term.isWeak ? weakWeight : Math.max(0.3, rarity) * factor)
  }
  return { weightOf, given }
}

/** "Marie" of "Marie Curie": all but the last word of a name whose last word is never a plain word. */
function givenNames(question: Question, evidence: Evidence): ReadonlySet<Term> {
  const given = new Set<Term>()
  const spans = new Map<number, Term[]>()
  for (const term of question.terms) {
    if (term.nameSpan !== undefined)
      spans.set(term.nameSpan, [...(spans.get(term.nameSpan) ?? []), term])
  }
  for (const span of spans.values()) {
    const last = span.at(-1) as Term
    const isPerson =
      span.length >= 2 && span.length <= 3 && !evidence.plainWords.has(last.text.toLowerCase())
    if (isPerson) for (const term of span.slice(0, -1)) given.add(term)
  }
  return given
}

/** How well a word is among stems: 1 itself, less for a related word. */
function isIn(term: Term, stems: ReadonlySet<string>): number | undefined {
  if (stems.has(term.stem)) return levels.own
  for (const stem of term.related) if (stems.has(stem)) return levels.related
  return undefined
}

/** What of a question a sentence covers, read together with `lead` when there is one. */
export function coverageOf(
  question: Question,
  weights: Weights,
  sentence: Sentence,
  lead: Sentence | undefined,
): Coverage {
  let total = 0
  let covered = 0
  let own = 0
  let hard = 0
  let isCorrection = false
  const missing: Term[] = []
  for (const term of question.terms) {
    const weight = weights.weightOf.get(term) ?? 1
    let level = levelOf(term, weights, question, sentence, lead)
    if (level < nearEnough && hasOtherQualifier(term, question, sentence)) {
      level = levels.otherQualifier
      isCorrection = true
    }
    total += weight
    covered += weight * level
    if (term.isWeak || weights.given.has(term)) continue
    hard++
    if (level >= levels.lead) own++
    if (level < nearEnough) missing.push(term)
  }
  return {
    share: total === 0 ? 0 : covered / total,
    ownShare: hard === 0 ? 1 : own / hard,
    missing,
    isCorrection,
  }
}

function levelOf(
  term: Term,
  weights: Weights,
  question: Question,
  sentence: Sentence,
  lead: Sentence | undefined,
): number {
  const { passage, before } = sentence
  const inSentence = isIn(term, sentence.stems)
  if (inSentence !== undefined && !isOtherPerson(term, weights, question, sentence))
    return inSentence
  if (lead !== undefined) {
    const inLead = isIn(term, lead.stems)
    if (inLead !== undefined && !isOtherPerson(term, weights, question, lead)) return levels.lead
  }
  if (term.isQuoted) return 0
  if (passage.title.has(term.stem) || isIn(term, passage.section) !== undefined)
    return levels.heading
  if (
    before !== undefined &&
    isIn(term, before.stems) !== undefined &&
    !isOtherPerson(term, weights, question, before)
  )
    return refersBack(sentence) ? levels.referred : levels.before
  if (inSentence !== undefined) return 0
  if (isIn(term, passage.stems) !== undefined) return levels.passage
  return isIn(term, passage.sourceStems) !== undefined ? levels.source : 0
}

/** Whether a sentence begins with a word that stands for something said before. */
export function refersBack({ words, text }: Sentence): boolean {
  if (/^[^,]{3,80}, (?:he|she|they) /.test(text)) return true
  return /^(?:he|she|it|they|this|these|those|its|his|her|their|such|here|both)$/.test(
    words[0]?.plain ?? '',
  )
}

/** Whether a family name stands in a sentence only behind other given names ("Pierre Curie" for "Marie Curie"). */
function isOtherPerson(
  term: Term,
  weights: Weights,
  question: Question,
  sentence: Sentence,
): boolean {
  if (term.nameSpan === undefined) return false
  const givenStems = question.terms
    .filter((other) => other.nameSpan === term.nameSpan && weights.given.has(other))
    .map(({ stem }) => stem)
  if (givenStems.length === 0 || givenStems.includes(term.stem)) return false
  const { words, stems } = sentence
  const hasGiven = givenStems.some((stem) => stems.has(stem))
  return words.every((word, index) => {
    if (word.stem !== term.stem) return true
    const before = words[index - 1]
    if (before === undefined) return hasGiven
    if (words.slice(Math.max(0, index - 3), index).some(({ stem }) => givenStems.includes(stem)))
      return false
    return (
      (word.isJoined && before.isCapital && index > 1) ||
      (hasGiven && words[index + 1]?.isCapital === true)
    )
  })
}

/**
 * Whether the sentence has the name that `term` qualifies in the question, with another qualifier: asked for the "Nobel Prize in
 * Chemistry" of a person, it speaks of that person and the "Nobel Prize in Physics".
 */
function hasOtherQualifier(term: Term, question: Question, sentence: Sentence): boolean {
  if (term.nameSpan === undefined || term.nameSpan === 0) return false
  const head = question.terms.filter(({ nameSpan }) => nameSpan === (term.nameSpan as number) - 1)
  if (head.length < 2 || !question.text.includes(`${(head.at(-1) as Term).text} in ${term.text}`))
    return false
  const others = question.terms.filter(
    ({ nameSpan }) =>
      nameSpan !== undefined &&
      nameSpan !== term.nameSpan &&
      nameSpan !== (term.nameSpan as number) - 1,
  )
  if (others.length === 0 || !others.every(({ stem }) => sentence.stems.has(stem))) return false
  const last = head.at(-1) as Term
  return sentence.words.some(
    (word, index) =>
      word.stem === last.stem && isQualified(sentence.words.slice(index + 1, index + 3)),
  )
}

function isQualified([preposition, name]: readonly Word[]): boolean {
  return preposition?.plain === 'in' && name?.isCapital === true
}
