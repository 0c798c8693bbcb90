import { relatedStems } from '../language/word-families.ts'
import { fold, toStem, type Word } from '../language/words.ts'
import type { Question, Term } from '../question/question.ts'
import { measuredDimensions } from '../question/question-form.ts'
import {
  type AnswerCandidate,
  findAmounts,
  findNames,
  findPeople,
  findPlaces,
  findTimes,
  givesReason,
} from './answer-candidates.ts'
import { scoreDefinition, scoreMeaning } from './definition-fit.ts'
import type { Evidence, Sentence } from './evidence.ts'

/** How well a sentence holds an answer of the wanted kind. */
export interface AnswerFit {
  /** 0 to 1; 0 if it cannot be an answer. */
  readonly fit: number
  /** The possible answers in it. */
  readonly candidates: readonly string[]
}

const noFit: AnswerFit = { fit: 0, candidates: [] }

/** Scores how well a sentence, read with its lead, holds the kind of answer that a question wants. */
export function scoreAnswerFit(
  question: Question,
  evidence: Evidence,
  sentence: Sentence,
  lead: Sentence | undefined,
): AnswerFit {
  const asked = new Set(question.terms.map(({ stem }) => stem))
  switch (question.kind) {
    case 'person':
      return scorePerson(question, evidence, sentence, lead, asked)
    case 'time':
      return toFit(filterNearAction(question, sentence, findTimes(sentence, asked)))
    case 'place': {
      const isNamed =
        question.isChoice === true || (sentence.isNote && isOfSubject(question, sentence))
      const named = isNamed ? findNames(sentence, evidence, asked) : []
      return toFit(filterNearAction(question, sentence, [...findPlaces(sentence, asked), ...named]))
    }
    case 'amount':
      return scoreAmount(question, sentence, lead, asked)
    case 'reason':
      return givesReason(sentence.text) ? { fit: 1, candidates: [] } : noFit
    case 'definition':
      return { fit: scoreDefinition(sentence, question.topic), candidates: [] }
    case 'meaning':
      return {
        fit: scoreMeaning(sentence, question.topic, isTopicNear(question, sentence)),
        candidates: [],
      }
    default:
      return { fit: 1, candidates: [] }
  }
}

function toFit(candidates: readonly AnswerCandidate[]): AnswerFit {
  return candidates.length === 0
    ? noFit
    : { fit: 1, candidates: candidates.map(({ text }) => text) }
}

const maxWordsFromAction = 13

/** The candidates near the word for the action; all of them if the sentence has no such word. */
function filterNearAction(
  question: Question,
  sentence: Sentence,
  candidates: readonly AnswerCandidate[],
): readonly AnswerCandidate[] {
  const at = findActions(question, sentence)
  if (at.length === 0) return candidates
  return candidates.filter(({ index }) =>
    at.some((place) => Math.abs(place - index) <= maxWordsFromAction),
  )
}

function isTopicNear({ topic }: Question, { passage, before }: Sentence): boolean {
  return topic.every(({ stem }) => passage.title.has(stem) || before?.stems.has(stem) === true)
}

function scoreAmount(
  question: Question,
  sentence: Sentence,
  lead: Sentence | undefined,
  asked: ReadonlySet<string>,
): AnswerFit {
  const { amount } = question
  if (amount === undefined) return noFit
  const near = [sentence.stems, lead?.stems, sentence.passage.section]
  const hasCue = [...amount.cues].some((stem) => near.some((stems) => stems?.has(stem) === true))
  if (amount.cues.size > 0 && !hasCue && !isOfSubject(question, sentence)) return noFit
  if (sentence.isNote && amount.cues.size === 0 && !isAskedNote(question, sentence)) return noFit
  const candidates = findAmounts(sentence, amount, collectCountedStems(question, amount.counted))
  return toFit(candidates.filter(({ text }) => !asked.has(text.split(' ')[0] as string)))
}

/** Whether the label of a line has a word of the question, or names what is measured ("price" for "how much does it cost"). */
function isAskedNote({ terms, amount }: Question, { text, words }: Sentence): boolean {
  const key = words.filter(({ start }) => start < text.indexOf(':'))
  const wanted = amount?.dimensions ?? []
  return key.some(
    ({ plain, stem }) =>
      terms.some(({ related }) => related.has(stem)) ||
      measuredDimensions(plain).some((dimension) => wanted.includes(dimension)),
  )
}

/** "Warranty: 3 years", "The warranty is 3 years" for "How long is the warranty?". */
function isOfSubject({ terms }: Question, { isNote, text, words }: Sentence): boolean {
  const main = terms.filter(({ isWeak }) => !isWeak)
  const colon = /:|\b(?:is|are|was|were)\b/.exec(text)?.index ?? 0
  const key = words.filter(({ start }) => start < colon)
  const isWhole =
    main.length > 0 && main.every(({ related }) => key.some(({ stem }) => related.has(stem)))
  if (!isWhole || key.length > main.length + 1) return false
  return (
    isNote ||
    /^(?:is|are|was|were) (?:\p{L}+ )?[\d.,]+ (?:years?|months?|weeks?|days?|hours?|minutes?)\b(?! (?:old|ago|away))/u.test(
      text.slice(colon),
    )
  )
}

/** What a figure may count: what is asked, or, if that is people, also what happened to them ("deaths"). */
function collectCountedStems(
  { terms }: Question,
  counted: ReadonlySet<string>,
): ReadonlySet<string> {
  const stems = new Set([...counted].flatMap((stem) => [...relatedStems(stem)]))
  const isSaid = terms.some(({ stem }) => counted.has(stem))
  if (counted.size === 0 || isSaid) return stems
  for (const { form, related } of terms) {
    if (form === 'word') for (const stem of related) stems.add(stem)
  }
  return stems
}

/** "Who did X marry", "whom", "who is X married to": the person asked for is not the one who acts. */
function asksForObject(text: string): boolean {
  return /\bwhom\b|^who (?:is|was|were|are|did|does|do|has|have|had) (?:the |an? )?\p{Lu}|\b(?:to|with|for|after|by|against)\W*$/u.test(
    text,
  )
}

function scorePerson(
  question: Question,
  evidence: Evidence,
  sentence: Sentence,
  lead: Sentence | undefined,
  asked: ReadonlySet<string>,
): AnswerFit {
  const names = findPeople(sentence, evidence, asked)
  const leadNames = lead === undefined ? [] : findPeople(lead, evidence, asked)
  if (names.length === 0 && leadNames.length === 0) return noFit
  const action = question.action
  if (question.office !== undefined) {
    if (!holdsOffice(question, sentence)) return noFit
  } else if (
    action !== undefined &&
    !asksForObject(question.text) &&
    !isDoneBy(action, sentence, names, leadNames.length > 0)
  ) {
    return noFit
  }
  const candidates = names.length > 0 ? names : leadNames
  return { fit: names.length > 0 ? 1 : 0.9, candidates: candidates.map(({ text }) => text) }
}

/** The positions of the question's word for the action. */
function findActions({ action }: Question, { words, stems }: Sentence): readonly number[] {
  if (action === undefined) return []
  return words.flatMap(({ stem }, index) =>
    action.related.has(stem) && stems.has(stem) ? [index] : [],
  )
}

/** Whether a sentence denies what is asked ("did not", "neither", "could not"), or only the action if one is given. */
export function isDenied({ terms }: Question, { words }: Sentence, deed?: Term): boolean {
  const denial = /^(?:not|never|neither|nor|nobody|none|cannot|without)$/
  return words.some(
    (word, index) =>
      (deed === undefined ? terms : [deed]).some(
        ({ form, related }) => form === 'word' && related.has(word.stem),
      ) && words.slice(Math.max(0, index - 6), index).some(({ plain }) => denial.test(plain)),
  )
}

/** For "When did A win": whether the sentence is about somebody else and names A only after the action. */
export function isAboutSomebodyElse(
  question: Question,
  evidence: Evidence,
  sentence: Sentence,
): boolean {
  const subject = question.terms.findLast(({ nameSpan }) => nameSpan === 0)
  if (
    subject === undefined ||
    !/\b(?:did|does|do|has|have|had) (?:the )?\p{Lu}/u.test(question.text)
  )
    return false
  const at = sentence.words.findIndex(({ stem }) => stem === subject.stem)
  const asked = new Set(question.terms.map(({ stem }) => stem))
  const [action] = findActions(question, sentence)
  if (action === undefined || at < action) return false
  return findPeople(sentence, evidence, asked)[0]?.index === 0
}

/** Verbs whose subject is not the person asked for: "the prize went to A", "the film stars A". */
const invertedVerbs = new Set([...relatedStems(toStem('win')), toStem('star'), toStem('feature')])

/** Whether one of the names does what is asked: it comes before the verb, or after "by" if the verb is passive. */
function isDoneBy(
  action: Term,
  sentence: Sentence,
  names: readonly AnswerCandidate[],
  hasLeadName: boolean,
): boolean {
  if (invertedVerbs.has(action.stem)) return names.length > 0
  const { words, text } = sentence
  const at = words.flatMap(({ stem }, index) => (action.related.has(stem) ? [index] : []))
  if (at.length === 0) return names.length > 0
  return at.some((index) => {
    if (sentence.isNote && isInLabel(sentence, index)) return names.length > 0
    const by = words.findIndex(({ plain }, place) => place > index && plain === 'by')
    if (by > 0 && names.some((name) => name.index > by && name.index <= by + 6)) return true
    if (isAgentNoun(words[index] as Word))
      return names.some((name) => Math.abs(name.index - index) <= 4)
    if (isPassive(words, index) || isActionNoun(words, index))
      return names.length > 0 && creditPattern.test(text)
    return (
      names.some((name) => name.index < index) ||
      (hasLeadName && pronounFirst.test(words[0]?.plain ?? ''))
    )
  })
}

/** Whether a word comes before the colon of a labelled line: "Project lead: Jane Roe". */
function isInLabel({ text, words }: Sentence, index: number): boolean {
  return (words[index] as Word).start < text.indexOf(':')
}

const creditPattern =
  /\b(?:credited|attributed|due|goes) (?:with|to)\b|\b(?:inventor|discoverer|author|founder|creator)s?\b/i
const pronounFirst = /^(?:he|she|they|it|his|her|their|the)$/

function isPassive(words: readonly Word[], index: number): boolean {
  if (/(?:ing|ible|able)$/.test((words[index] as Word).plain)) return false
  const before = words.slice(Math.max(0, index - 3), index)
  return before.some(({ plain }) => /^(?:is|are|was|were|been|being)$/.test(plain))
}

/** "the proof", "its first discovery": the action as a noun, whose agent follows "by". */
function isActionNoun(words: readonly Word[], index: number): boolean {
  const before = words.slice(Math.max(0, index - 2), index)
  const isThing = before.some(({ plain }) => /^(?:the|an?|its|this|first|of)$/.test(plain))
  return isThing && !(words[index] as Word).plain.endsWith('ed')
}

/** "director", "inventor": the one who acts. */
function isAgentNoun({ plain }: Word): boolean {
  return /(?:[^aeiou]or|[^e]er|ist)s?$/.test(plain) && plain.length > 5
}

const maxWordsToOwner = 6

/** Whether the office appears with what it belongs to ("captain of the ship", "the ship's captain"), and not as a title. */
function holdsOffice(question: Question, sentence: Sentence): boolean {
  const { words } = sentence
  const office = toStem(fold(question.office as string))
  const owners = question.terms.filter(({ stem, isWeak }) => stem !== office && !isWeak)
  const at = words.flatMap(({ stem }, index) => (stem === office ? [index] : []))
  if (at.length === 0 && owners.length === 0) return false
  if (at.length === 0) return [...relatedStems(office)].some((stem) => sentence.stems.has(stem))
  return at.some(
    (index) => isOwned(sentence, index, owners) || isHeldBy(question, sentence, index, owners),
  )
}

/** "CEO: Jane Roe", "Jane Roe, the CEO, …", "the CEO is Jane Roe": of what is asked, or of what the page is about. */
function isHeldBy(
  { topic }: Question,
  { words, text, passage }: Sentence,
  index: number,
  owners: readonly Term[],
): boolean {
  const isNamed = ({ related }: Term) =>
    words.some(({ stem }) => related.has(stem)) ||
    [...related].some((stem) => passage.title.has(stem) || passage.section.has(stem))
  if (topic.length > 0 || !owners.every(isNamed)) return false
  const word = words[index] as Word
  const [before, after] = [text.slice(0, word.start), text.slice(word.start + word.text.length)]
  if (/^(?:\p{L}+ )?$/u.test(before) && /^: \p{Lu}/u.test(after)) return true
  const isApposed =
    /\p{Lu}[\p{L}.'’-]+ \p{Lu}[\p{L}.'’-]+(?:,| (?:is|was|became)) (?:the |our |an? )?(?:\p{L}+ )?$/u
  if (isApposed.test(before) && /^(?:[,.;)]|$| (?:of|and|in|at|since|for)\b)/.test(after))
    return true
  return /^(?:The|Our) (?:\p{L}+ )?$/u.test(before) && /^(?:,| (?:is|was)) \p{Lu}/u.test(after)
}

function isOwned({ words, text }: Sentence, index: number, owners: readonly Term[]): boolean {
  const isOwner = ({ stem }: Word) =>
    owners.some(({ related, form }) => form !== 'number' && related.has(stem))
  const before = words.slice(Math.max(0, index - 4), index)
  if (before.some((word) => isOwner(word) || /^(?:its|their)$/.test(word.plain))) return true
  const owner = words.slice(index + 1, index + 1 + maxWordsToOwner).find(isOwner)
  if (owner === undefined) return false
  const between = text.slice((words[index] as Word).start, owner.start)
  return /^\p{L}+\s+(?:of|in|for|at|behind)\b[^,;]*$/u.test(between)
}
