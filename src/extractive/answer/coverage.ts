import { isEmptyWord } from '../language/word-families.ts'
import { endMarks } from '../question/end-marks.ts'
import type { Question, Term } from '../question/question.ts'
import { type Evidence, refersBack, type Sentence } from './evidence.ts'

/** How much of a question a sentence covers, including its context. */
export interface Coverage {
  /** 0 to 1: the share of the question's words, weighted, each by how near it is. */
  readonly share: number
  /** 0 to 1: the share of the required words that are in the sentence, its lead or what it refers back to. */
  readonly ownShare: number
  /** Required words that are in neither the sentence, nor its lead, nor its headings. */
  readonly missing: readonly Term[]
  /** Whether a name of the question appears with another qualifier ("Prize in Chemistry", "Prize in Physics"). */
  readonly isCorrection: boolean
}

/** How much a word counts by where it is found, from the sentence itself to elsewhere in its source. */
const levels = {
  own: 1,
  related: 0.9,
  lead: 0.9,
  referred: 0.88,
  heading: 0.8,
  otherQualifier: 0.6,
  before: 0.5,
  passage: 0.45,
  source: 0.2,
} as const

/** The lowest level at which a word counts as covered. */
const minCoveredLevel = 0.6
const minOwnLevel = 0.85

/** The weights of a question's words, given the evidence. */
export interface Weights {
  readonly weightOf: ReadonlyMap<Term, number>
  /** Given names of people whose family name is also in the question; these may be missing. */
  readonly given: ReadonlySet<Term>
}

/** One missing word is allowed for this many required words. */
export const requiredWordsPerMissing = 5

const weakWeight = 0.1
const minWeight = 0.3
const nameFactor = 1.5
const sideFactor = 0.6
const givenFactor = 0.3

/**
 * Weights the question's words: rare words weigh more.
 * @see https://doi.org/10.1561/1500000019 (the inverse document frequency of BM25, here over sentences)
 */
export function weighTerms(question: Question, evidence: Evidence): Weights {
  const given = findGivenNames(question, evidence)
  const total = evidence.sentences.length
  const weightOf = new Map<Term, number>()
  for (const term of question.terms) {
    const { form, isSide, isWeak } = term
    const count = evidence.sentences.filter(
      ({ stems }) => levelAmong(term, stems) !== undefined,
    ).length
    const rarity = Math.log(1 + (total - count + 0.5) / (count + 0.5))
    const name = form === 'name' ? nameFactor : 1
    const side = isSide ? sideFactor : 1
    const part = given.has(term) ? givenFactor : 1
    const weight = Math.max(minWeight, rarity) * name * side * part
    weightOf.set(term, isWeak ? weakWeight : weight)
  }
  return { weightOf, given }
}

/** Measures what a sentence covers of a question, read together with `lead` if there is one. */
export function measureCoverage(
  question: Question,
  weights: Weights,
  sentence: Sentence,
  lead: Sentence | undefined,
): Coverage {
  let [total, covered, main, own] = [0, 0, 0, 0]
  let isCorrection = false
  const missing: Term[] = []
  for (const term of question.terms) {
    const weight = weights.weightOf.get(term) ?? 1
    let level: number = findLevel(term, weights, question, sentence, lead)
    if (level < minCoveredLevel && hasOtherQualifier(term, question, sentence)) {
      level = levels.otherQualifier
      isCorrection = true
    }
    total += weight
    covered += weight * level
    if (term.isWeak || weights.given.has(term)) continue
    main++
    const isOwn = level >= (sentence.isNote ? levels.heading : minOwnLevel)
    if (isOwn) own++
    if (level < minCoveredLevel) missing.push(term)
  }
  return {
    share: total === 0 ? 0 : covered / total,
    ownShare: main === 0 ? 1 : own / main,
    missing,
    isCorrection,
  }
}

/** The level of a word that is among `stems` itself or as a related word. */
function levelAmong(term: Term, stems: ReadonlySet<string>): number | undefined {
  if (stems.has(term.stem)) return levels.own
  for (const stem of term.related) if (stems.has(stem)) return levels.related
  return undefined
}

/** "Era" as a magazine's name, in a sentence that only has "the era". */
function isOrdinaryWord({ form, stem }: Term, { words }: Sentence): boolean {
  return form === 'name' && words.every((word) => word.stem !== stem || /^\p{Ll}/u.test(word.text))
}

function findLevel(
  term: Term,
  { given }: Weights,
  question: Question,
  sentence: Sentence,
  lead: Sentence | undefined,
): number {
  const levelIn = (place: Sentence | undefined): number | undefined =>
    place === undefined ||
    isOtherPerson(term, given, question, place) ||
    isOrdinaryWord(term, place)
      ? undefined
      : levelAmong(term, place.stems)
  const { passage, before, stems } = sentence
  const inSentence = levelIn(sentence)
  if (inSentence !== undefined) return inSentence
  if (levelIn(lead) !== undefined) return levels.lead
  const isAnother = levelAmong(term, stems) !== undefined
  if (term.isQuoted || isAnother) return 0
  const isReferred = levelIn(before) !== undefined
  if (isReferred && refersBack(sentence)) return levels.referred
  if (levelAmong(term, passage.title) !== undefined || levelAmong(term, passage.section))
    return levels.heading
  if (isReferred) return levels.before
  if (levelAmong(term, passage.stems) !== undefined) return levels.passage
  return levelAmong(term, passage.sourceStems) !== undefined ? levels.source : 0
}

/** "Marie" of "Marie Curie": all but the last word of a name whose last word is never used in lower case. */
function findGivenNames(question: Question, evidence: Evidence): ReadonlySet<Term> {
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

/** "Was Ann Lee German": the last capitalised word is what is asked about the person, not a family name. */
function isWholePredicate({ kind, text }: Question, last: Term): boolean {
  if (kind !== 'yes-no' || !/^(?:is|are|was|were) /i.test(text)) return false
  return text.replace(endMarks, '').endsWith(last.text)
}

/** Whether a family name appears only with other given names ("Pierre Curie" for "Marie Curie"). */
function isOtherPerson(
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
 * Whether a sentence has the name that `term` qualifies in the question, but with another qualifier: the
 * question asks for a person's "Nobel Prize in Chemistry", the sentence is about the "Nobel Prize in Physics".
 */
function hasOtherQualifier(
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
