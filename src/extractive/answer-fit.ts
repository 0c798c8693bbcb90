import { dimensionsOf } from './amount-form.ts'
import {
  amountsIn,
  hasReason,
  namesIn,
  peopleIn,
  placesIn,
  type Sign,
  timesIn,
} from './answer-signs.ts'
import { definitionFit } from './definition.ts'
import type { Evidence, Sentence } from './evidence.ts'
import { meaningFit } from './meaning.ts'
import { actionsIn, holdsOffice, isDoneBy } from './person-fit.ts'
import type { Question } from './question.ts'
import { relatedStems } from './word-families.ts'

/** Whether a sentence holds an answer of the wanted kind. */
export interface AnswerFit {
  /** 0 to 1; 0 when it cannot be an answer. */
  readonly fit: number
  /** What it could answer with. */
  readonly signs: readonly string[]
}

const noFit: AnswerFit = { fit: 0, signs: [] }

/** How well a sentence, read with its lead, holds the kind of answer that a question wants. */
export function answerFit(
  question: Question,
  evidence: Evidence,
  sentence: Sentence,
  lead: Sentence | undefined,
): AnswerFit {
  const asked = new Set(question.terms.map(({ stem }) => stem))
  switch (question.kind) {
    case 'person':
      return personFit(question, evidence, sentence, lead, asked)
    case 'time':
      return fromSigns(nearAction(question, sentence, timesIn(sentence, asked)))
    case 'place': {
      const isNamed =
        question.isChoice === true || (sentence.isNote && isOfSubject(question, sentence))
      const named = isNamed ? namesIn(sentence, evidence, asked) : []
      return fromSigns(nearAction(question, sentence, [...placesIn(sentence, asked), ...named]))
    }
    case 'amount':
      return amountFit(question, sentence, lead, asked)
    case 'reason':
      return hasReason(sentence.text) ? { fit: 1, signs: [] } : noFit
    case 'definition':
      return { fit: definitionFit(sentence, question.topic), signs: [] }
    case 'meaning':
      return {
        fit: meaningFit(sentence, question.topic, isTopicNear(question, sentence)),
        signs: [],
      }
    default:
      return { fit: 1, signs: [] }
  }
}

function fromSigns(signs: readonly Sign[]): AnswerFit {
  return signs.length === 0 ? noFit : { fit: 1, signs: signs.map(({ text }) => text) }
}

const maxWordsFromAction = 13

/** The signs that stand near the word for what was done; all of them where the sentence has no such word. */
function nearAction(
  question: Question,
  sentence: Sentence,
  signs: readonly Sign[],
): readonly Sign[] {
  const at = actionsIn(question, sentence)
  if (at.length === 0) return signs
  return signs.filter(({ index }) =>
    at.some((place) => Math.abs(place - index) <= maxWordsFromAction),
  )
}

function isTopicNear({ topic }: Question, { passage, before }: Sentence): boolean {
  return topic.every(({ stem }) => passage.title.has(stem) || before?.stems.has(stem) === true)
}

function amountFit(
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
  const signs = amountsIn(sentence, amount, countedStems(question, amount.counted))
  return fromSigns(signs.filter(({ text }) => !asked.has(text.split(' ')[0] as string)))
}

/** Whether the key of a note has a word of the question, or names what is measured ("price" for "how much does it cost"). */
function isAskedNote({ terms, amount }: Question, { text, words }: Sentence): boolean {
  const key = words.filter(({ start }) => start < text.indexOf(':'))
  const wanted = amount?.dimensions ?? []
  return key.some(
    ({ plain, stem }) =>
      terms.some(({ related }) => related.has(stem)) ||
      dimensionsOf(plain).some((dimension) => wanted.includes(dimension)),
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

/** What a figure may stand before: what is counted, or, where that is people, also what befell them ("deaths"). */
function countedStems({ terms }: Question, counted: ReadonlySet<string>): ReadonlySet<string> {
  const stems = new Set([...counted].flatMap((stem) => [...relatedStems(stem)]))
  const isSaid = terms.some(({ stem }) => counted.has(stem))
  if (counted.size === 0 || isSaid) return stems
  for (const { form, related } of terms) {
    if (form === 'word') for (const stem of related) stems.add(stem)
  }
  return stems
}

/** "Who did X marry", "whom", "who is X married to": the one wanted did not do it. */
function asksForObject(text: string): boolean {
  return /\bwhom\b|^who (?:is|was|were|are|did|does|do|has|have|had) (?:the |an? )?\p{Lu}|\b(?:to|with|for|after|by|against)\W*$/u.test(
    text,
  )
}

function personFit(
  question: Question,
  evidence: Evidence,
  sentence: Sentence,
  lead: Sentence | undefined,
  asked: ReadonlySet<string>,
): AnswerFit {
  const names = peopleIn(sentence, evidence, asked)
  const leadNames = lead === undefined ? [] : peopleIn(lead, evidence, asked)
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
  const signs = names.length > 0 ? names : leadNames
  return { fit: names.length > 0 ? 1 : 0.9, signs: signs.map(({ text }) => text) }
}
