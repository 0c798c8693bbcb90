import type { Turn } from '../../citations/role-requests.ts'
import { readCalculation } from './calculation.ts'
import { endMarks } from './end-marks.ts'
import { completeClause, splitQuestion } from './split-question.ts'

/**
 * Completes a follow-up question from the questions before it: "and in 2020?" after "What did it cost in
 * 2019?" gives "What did it cost in 2020?". If it is unclear what is replaced, the new words are appended to
 * the earlier question, which then asks for both. "He" is the name most recently quoted as an answer. A
 * question that stands alone is unchanged.
 *
 * @param earlier oldest first
 */
export function completeFollowUp(question: string, earlier: readonly Turn[]): string {
  const [first, ...others] = [...earlier, { question }]
  let name: string | undefined
  let before: Turn | undefined = first
  for (const next of others) {
    name = findQuotedName(before?.answer) ?? name
    before = { ...next, question: completeAfter(next.question, before?.question ?? '', name) }
  }
  return before?.question ?? question
}

/** The name that an answer of this engine quotes first: `"Ada Quill" [1].` */
function findQuotedName(answer = ''): string | undefined {
  return /^"(\p{Lu}[\p{L}.'’-]{0,30}(?: [\p{L}.'’-]{1,30}){1,5})" \[\d+\]/u.exec(answer)?.[1]
}

const leadingWords =
  /^\s*(?:(?:and|but|so|also|then|now|ok|okay)\b[,:]?\s+)*(?:(?:what|how) about\b\s*)?(?:(?:and|then)\b\s+)?/i
const askingWord =
  /\b(?:who|whom|whose|what|when|where|why|how|which|did|does|do|is|are|was|were|has|have|can|could|will|would)\b/i
const loneQuestion =
  /^(?:(?:in )?(?:which|what|whom)(?:\s+\S+)?|when|where|why|how|who|how (?:many|much)|(?:who|what|when|where) (?:in|for|at|on|by|of|among) .+)$/i
const orders = /^(?:tell|define|explain|describe|compare|list|name|give|show|calculate|convert)\b/i

const person = /\b(?:he|she|him)\b/i
const ownPerson = /\b(?:his|her)\b/i

function completeAfter(question: string, before: string, name: string | undefined): string {
  const asked = `${trimQuestion(question)} `
  const rest = asked.slice(leadingWords.exec(asked)?.[0].length ?? 0).trim()
  // The words do not say how a change affects a calculation.
  if (readCalculation(trimQuestion(before)) !== undefined) return question
  if (rest === '') return before
  const isAlone = orders.test(rest) || (askingWord.test(rest) && !loneQuestion.test(rest))
  // Pronouns and question words on their own refer to the question before, as they do within one text.
  if (isAlone || loneQuestion.test(rest)) {
    const full = completeClause(rest, splitQuestion(before).map(trimQuestion))
    const isOpen = person.test(full) || ownPerson.test(full)
    if (!isOpen) return `${full}?`
    if (name === undefined) return `${trimQuestion(before)} ${full}?`
    return `${full.replace(ownPerson, () => `${name}'s`).replace(person, () => name)}?`
  }
  return `${substitutePhrase(rest, trimQuestion(before))}?`
}

function trimQuestion(question: string): string {
  return question.replace(endMarks, '')
}

const year = /\b(?:1[0-9]|20)\d{2}\b/
const phrase =
  /^(in|on|at|for|of|by|with|from|to|during|after|before|among|under|according to)\s+(.+)$/i
/** A name within a question: capitalised words that do not begin it. */
const nameWithin = /(?<=\S\s)\p{Lu}[\p{L}\p{N}'’-]*(?:\s\p{Lu}[\p{L}\p{N}'’-]*)*/gu

/** A question with a phrase replaced: a year by the new year, the only name by the new name. */
function substitutePhrase(rest: string, before: string): string {
  const [newYear] = year.exec(rest) ?? []
  if (newYear !== undefined && year.test(before) && isOnlyYear(rest))
    return before.replace(year, newYear)
  const names = [...before.matchAll(nameWithin)]
  const [, preposition, object = ''] = phrase.exec(rest) ?? []
  const newName = preposition === undefined ? rest : object
  const [only] = names
  if (names.length === 1 && only !== undefined && /^(?:the )?\p{Lu}/u.test(newName)) {
    const end = only.index + only[0].length
    return `${before.slice(0, only.index)}${newName}${before.slice(end)}`
  }
  return `${before} ${rest}`
}

function isOnlyYear(rest: string): boolean {
  return /^(?:(?:in|for|of|by|since|until|during|from) )?(?:the year )?\d{4}$/i.test(rest)
}
