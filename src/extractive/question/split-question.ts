import { oneLine } from '../language/words.ts'
import { endMarks } from './end-marks.ts'
import { formOfBe } from './phrase-question.ts'

const maxChars = 2000
const maxParts = 6
/** Words that begin a question. */
const asking =
  '(?:who|whom|whose|what|when|where|why|how|which|in (?:which|what)|by (?:whom|how)|did|does|is|are|was|were)'

/**
 * Splits a text into the questions it holds, at most 6, and fills in what their pronouns and omitted words
 * refer to. Gives at least one unless the text is blank.
 */
export function splitQuestion(text: string): readonly string[] {
  const parts: string[] = []
  for (const sentence of splitSentencesAsked(toReadable(text))) {
    for (const clause of splitClauses(sentence).flatMap(splitList)) {
      const complete = toQuestion(completeClause(clause, parts))
      if (complete !== '' && !parts.includes(complete)) parts.push(complete)
    }
  }
  return parts.slice(0, maxParts)
}

/** A text without markup and control characters; of a very long text, its last questions, otherwise its beginning. */
export function toReadable(text: string): string {
  const spoken = text.slice(0, maxChars * 10).replaceAll(/<\/?[a-z!][^<>]{0,200}>/gi, ' ')
  const start = oneLine(spoken).replaceAll(/ (?=[?.,;!](?:\s|$))/g, '')
  if (start.length <= maxChars) return start
  const end = text.slice(-maxChars * 10)
  const questions = end.includes('?') ? (end.match(/[^.?!\n]{3,300}\?/g) ?? []) : []
  if (questions.length > 0) return oneLine(questions.slice(-maxParts).join(' '))
  return start.slice(0, 300).replace(/\s\S*$/, '')
}

function splitSentencesAsked(text: string): readonly string[] {
  const pieces = (text.match(/[^?？;；]+[?？;；]*/g) ?? []).map((piece) => piece.trim())
  const spoken = pieces.filter((piece) => /[\p{L}\p{N}]/u.test(piece))
  if (spoken.length === 0) return text === '' ? [] : [text.slice(0, 300)]
  return spoken.map((piece) => dropLeadIn(piece).replace(/[;；]+$/, ''))
}

const lastQuestion = new RegExp(
  `(?<=[.!]["”]?\\s)(?:(?:and|so|but)\\s)?(${asking}\\b[^.!]{2,})$`,
  'i',
)

/** The question after the last full stop of a piece; what comes before only leads up to it. */
function dropLeadIn(piece: string): string {
  const numbered = piece.replace(/^\d{1,2}[.)]\s+(?=.*[\p{L}\p{N}])/u, '')
  return /[?？]$/.test(piece) ? (lastQuestion.exec(numbered)?.[1] ?? numbered) : numbered
}

/** Where a sentence may be split: "and" before a question word, a comma before one, a question word on its own. */
const joint = new RegExp(
  `(?:,\\s*|\\s)(?:and|or)\\s+(?:also\\s+)?(?=${asking}(?:\\b\\s*\\S|\\?*$))` +
    '|,\\s+(?=(?:who|what|when|where|why|how|in which)\\s+(?:is|are|was|were|did|does|do|has|have|many|much|long)\\b)' +
    '|,\\s+(?=(?:when|where|why|how)\\s*(?:,|\\sand\\b))',
  'gi',
)

/** The questions that "and" joins in a sentence: "What is X and who made it?" */
function splitClauses(sentence: string): readonly string[] {
  const clauses: string[] = []
  let from = 0
  for (const match of sentence.matchAll(joint)) {
    const clause = sentence.slice(from, match.index)
    if (!isClause(clause) && clauses.length === 0) continue
    if (continuesSentence(sentence, sentence.slice(match.index + match[0].length), match[0]))
      continue
    clauses.push(clause.trim())
    from = match.index + match[0].length
  }
  return [...clauses, sentence.slice(from).trim()]
}

const auxiliary = /^(?:did|does|is|are|was|were)\b/i
const ownSubject = /^\S+ (?:it|they|he|she|there|these|those|\p{Lu})/u

/**
 * Whether what follows only continues the same question: "which was made here and was the first", "the man,
 * who was ill, left".
 */
function continuesSentence(sentence: string, rest: string, joint: string): boolean {
  if (auxiliary.test(rest) && !auxiliary.test(sentence)) return !ownSubject.test(rest)
  return /^,\s+$/.test(joint) && /^who (?:is|was|are|were) [^,?]+,/.test(rest)
}

const startsAsking = new RegExp(`^(?:and |so |but )?${asking}\\b`, 'i')
const anyQuestionWord = /\b(?:who|whom|whose|what|when|where|why|how|which)\b/i

/** Whether a piece can be a question of its own: a question word and two more words. */
function isClause(piece: string): boolean {
  const isAsking = startsAsking.test(piece) || anyQuestionWord.test(piece)
  const isOpen = /\b(?:between|both|of)\s*$/i.test(piece)
  return isAsking && !isOpen && piece.trim().split(/\s+/).length >= 3
}

/** Splits "What are A and B?" and "what is the size of A and its age?" into two questions each. */
function splitList(clause: string): readonly string[] {
  const things = /^what are ((?!the )[^,]{1,60}?) and ([^,]{1,60}?)\?*$/i.exec(clause)
  if (things !== null)
    return things.slice(1).map((thing) => `What ${formOfBe(thing, 'is')} ${thing}?`)
  const sides =
    /^(what (?:is|are|was|were) the .{1,60}? of (.{1,60}?)) and (?:its|their|his|her) (.{1,60}?)\?*$/i.exec(
      clause,
    )
  if (sides === null) return [clause]
  return [`${sides[1]}?`, `What is the ${sides[3]} of ${sides[2]}?`]
}

function toQuestion(text: string): string {
  if (!new RegExp(`^${asking}\\b`, 'i').test(text)) return text
  const capitalised = text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
  return /[?？]$/.test(capitalised) ? capitalised : `${capitalised}?`
}

/** A clause made to stand alone: "it" and omitted words are taken from the earlier questions. */
export function completeClause(clause: string, earlier: readonly string[]): string {
  const [first] = earlier
  if (first === undefined) return clause
  const last = (earlier.at(-1) as string).replace(/\?+$/, '')
  return (
    completeElision(clause.replace(/(?<![?\s])[?\s]+$/, ''), last) ?? resolvePronouns(clause, first)
  )
}

const loneWord = /^(?:and |in (?:which|what) )?(when|where|why|how|who|year)$/i
const loneCount =
  /^(?:(?:by|for|to|with|in|at|on|of)\s+)?(?:how (?:many|much)|which|what|whom)(?:\s+\S+)?$/i
const lonePhrase =
  /^(?:who|what|when|where|how many|how much)\s+(according to|in|for|at|on|by|of|among)\s+(.+)$/i
const inverted =
  /^(?:who|what|when|where|why|how)\s+((?:is|are|was|were|did|does|do|has|have)\s.+)$/i

/** "when?", "by how many states?", "who according to B?": takes the rest from the question before. */
function completeElision(clause: string, last: string): string | undefined {
  const word = loneWord.exec(clause)?.[1]
  if (word !== undefined) return replaceQuestionWord(word.toLowerCase(), last)
  const rest = inverted.exec(last)?.[1]
  if (rest !== undefined && loneCount.test(clause)) return `${clause} ${rest}`
  const [, preposition = '', object = ''] = lonePhrase.exec(clause) ?? []
  const at = last.toLowerCase().lastIndexOf(` ${preposition.toLowerCase()} `)
  return object === '' || at < 0 ? undefined : `${last.slice(0, at)} ${preposition} ${object}`
}

const deed = /^(?:first )?(\S+ed|made|found|built|written|won|held|led|begun|taught|shown) (.+)$/i

/** Replaces a question's question word: "Who discovered X" and "when" give "when was X discovered". */
function replaceQuestionWord(word: string, last: string): string {
  const rest = inverted.exec(last)?.[1]
  if (rest !== undefined) return `${word} ${rest}`
  const statement = /^(?:who|what|which)\s+(.+)$/i.exec(last)?.[1]
  if (statement === undefined) return `${word}: ${last}`
  const [, verb, object] = deed.exec(statement) ?? []
  if (object !== undefined && word !== 'who') return `${word} was ${object} ${verb}`
  return word === 'who' ? `who ${statement}` : `${word} was it that someone ${statement}`
}

/** Replaces pronouns with what the first question is about. */
function resolvePronouns(clause: string, first: string): string {
  const focus = findFocus(first)
  if (focus === undefined) return clause
  const isName = /^\p{Lu}\S*\s\p{Lu}/u.test(focus)
  const pronoun = isName
    ? /\b(?:it|they|them|he|she|him)\b(?! that\b)/gi
    : /\b(?:it|they|them)\b(?! that\b)/gi
  const owner = isName ? /\b(?:its|their|his|her)\b/gi : /\b(?:its|their)\b/gi
  const possessive = /s$/i.test(focus) ? `${focus}'` : `${focus}'s`
  return clause.replace(owner, () => possessive).replace(pronoun, () => focus)
}

const focusPatterns = [
  /^what (?:is|are|was|were) (.+)$/i,
  /^(?:who|what|which \S+)(?: first)? (?!(?:is|are|was|were|did|does|do)\b)\S+(?:[dent]|ote|ew|ve|ook)\s+(.+?)(?: (?:in|on|at) (?:the year )?\d{4})?$/i,
  /^(?:when|where|why|how)(?: \S+)? (?:is|are|was|were|did|does|do) (.+?) (?:\S+ed|made|built|born|found|written|die|begin|start|happen|work|live|come)(?:\s.*)?$/i,
  /^how \S+ (?:is|are|was|were) (.+)$/i,
  /^who (?:is|was|are|were) (.+)$/i,
  /^(?:tell me about|define|explain|describe)\s+(.+)$/i,
] as const

/** What a question is about: the thing after "what is", the object of "who discovered", the subject of "when was". */
function findFocus(question: string): string | undefined {
  const bare = question.replace(endMarks, '')
  for (const pattern of focusPatterns) {
    const focus = pattern.exec(bare)?.[1]
    if (focus !== undefined && focus.split(/\s+/).length <= 8) return focus
  }
  return undefined
}
