import { peopleIn, type Sign } from './answer-signs.ts'
import type { Evidence, Sentence } from './evidence.ts'
import type { Question } from './question.ts'
import type { Term } from './question-terms.ts'
import { stemOf } from './stem.ts'
import { relatedStems } from './word-families.ts'
import { fold, type Word } from './words.ts'

/** Which words of a sentence are the question's word for what was done. */
export function actionsIn({ action }: Question, { words, stems }: Sentence): readonly number[] {
  if (action === undefined) return []
  return words.flatMap(({ stem }, index) =>
    action.related.has(stem) && stems.has(stem) ? [index] : [],
  )
}

/** Whether a sentence denies what is asked ("did not", "neither", "could not"), or of that only `deed`. */
export function isDenied({ terms }: Question, { words }: Sentence, deed?: Term): boolean {
  const denial = /^(?:not|never|neither|nor|nobody|none|cannot|without)$/
  return words.some(
    (word, index) =>
      (deed === undefined ? terms : [deed]).some(
        ({ form, related }) => form === 'word' && related.has(word.stem),
      ) && words.slice(Math.max(0, index - 6), index).some(({ plain }) => denial.test(plain)),
  )
}

/** "When did A win": whether the sentence is about somebody else, and A stands in it only after what was done. */
export function isAnothersDeed(
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
  const [action] = actionsIn(question, sentence)
  if (action === undefined || at < action) return false
  return peopleIn(sentence, evidence, asked)[0]?.index === 0
}

/** Words whose subject is not the one who is asked for: "the prize went to A", "the film stars A". */
const turned = new Set([...relatedStems(stemOf('win')), stemOf('star'), stemOf('feature')])

/** Whether one of the names does what is asked: stands before the verb, or after "by" where the verb is passive. */
export function isDoneBy(
  action: Term,
  sentence: Sentence,
  names: readonly Sign[],
  hasLeadName: boolean,
): boolean {
  if (turned.has(action.stem)) return names.length > 0
  const { words, text } = sentence
  const at = words.flatMap(({ stem }, index) => (action.related.has(stem) ? [index] : []))
  if (at.length === 0) return names.length > 0
  return at.some((index) => {
    if (sentence.isNote && isInKey(sentence, index)) return names.length > 0
    const by = words.findIndex(({ plain }, place) => place > index && plain === 'by')
    if (by > 0 && names.some((name) => name.index > by && name.index <= by + 6)) return true
    if (isDoer(words[index] as Word)) return names.some((name) => Math.abs(name.index - index) <= 4)
    if (isPassive(words, index) || isDeed(words, index))
      return names.length > 0 && creditPattern.test(text)
    return (
      names.some((name) => name.index < index) ||
      (hasLeadName && pronounFirst.test(words[0]?.plain ?? ''))
    )
  })
}

/** Whether a word stands before the colon of a note: "Project lead: Jane Roe". */
function isInKey({ text, words }: Sentence, index: number): boolean {
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

/** "the proof", "its first discovery": the deed as a thing, whose doer stands after "by". */
function isDeed(words: readonly Word[], index: number): boolean {
  const before = words.slice(Math.max(0, index - 2), index)
  const isThing = before.some(({ plain }) => /^(?:the|an?|its|this|first|of)$/.test(plain))
  return isThing && !(words[index] as Word).plain.endsWith('ed')
}

/** "director", "inventor": the one who does it. */
function isDoer({ plain }: Word): boolean {
  return /(?:[^aeiou]or|[^e]er|ist)s?$/.test(plain) && plain.length > 5
}

const maxWordsToOwner = 6

/** Whether the office stands with what it belongs to ("captain of the ship", "the ship's captain"), and not as a title. */
export function holdsOffice(question: Question, sentence: Sentence): boolean {
  const { words } = sentence
  const office = stemOf(fold(question.office as string))
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
