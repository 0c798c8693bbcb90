import { monthNames, numberWords, scales } from '../../claims/language/quantities.ts'
import { isDemonym } from '../language/names.ts'
import { type Dimension, findDimensionAfter } from '../language/units.ts'
import { isEmptyWord } from '../language/word-families.ts'
import { fold, type Word } from '../language/words.ts'
import type { WantedAmount } from '../question/question-form.ts'
import type { Evidence, Sentence } from './evidence.ts'

/** Something in a sentence that could be the answer: a name, a date, a figure. */
export interface AnswerCandidate {
  readonly text: string
  /** The index of its first word in the sentence. */
  readonly index: number
}

const months = monthNames.join('|')
const notNames: ReadonlySet<string> = new Set(
  `${months}|monday|tuesday|wednesday|thursday|friday|saturday|sunday|north|south|east|west|bc|ad|bce|ce|sir|dr|mr|mrs|ms|professor|captain`.split(
    '|',
  ),
)

/** Names that are not in the question: runs of capitalised words. */
export function findNames(
  sentence: Sentence,
  evidence: Evidence,
  asked: ReadonlySet<string>,
): readonly AnswerCandidate[] {
  const names: AnswerCandidate[] = []
  const { words } = sentence
  for (let index = 0; index < words.length; index++) {
    if (!isNameWord(words, index, evidence)) continue
    let end = index + 1
    while (words[end]?.isJoined === true && isNameWord(words, end, evidence)) end++
    const run = words.slice(index, end)
    const isNew = run.some(({ stem, plain }) => !asked.has(stem) && !notNames.has(plain))
    if (isNew && !isAttribute(run, words[end])) {
      names.push({ text: run.map(({ plain }) => plain).join(' '), index })
    }
    index = end - 1
  }
  return names
}

/** Names that are not places: not preceded by "in", "from" and the like. */
export function findPeople(
  sentence: Sentence,
  evidence: Evidence,
  asked: ReadonlySet<string>,
): readonly AnswerCandidate[] {
  const { words } = sentence
  return findNames(sentence, evidence, asked).filter(({ index }) => {
    const at = words[index - 1]?.plain === 'the' ? index - 2 : index - 1
    return !/^(?:in|from|at|near|off|on|into|across|around|towards?)$/.test(words[at]?.plain ?? '')
  })
}

/** "American law", "the French chemist": capitalised, but not a name. */
function isAttribute(run: readonly Word[], next: Word | undefined): boolean {
  if (run.length > 1 || next === undefined || next.isCapital || !next.isJoined) return false
  return isDemonym((run[0] as Word).text)
}

function isNameWord(words: readonly Word[], index: number, evidence: Evidence): boolean {
  const word = words[index] as Word
  if (!word.isCapital || word.plain.length < 2 || notNames.has(word.plain)) return false
  if (isEmptyWord(word.plain)) return false
  if (index > 0) return true
  const next = words[1]
  if (next?.isCapital === true && next.isJoined) return true
  return evidence.nameWords.has(word.plain) && !evidence.plainWords.has(word.plain)
}

const timePattern = new RegExp(
  `\\b(?:1\\d{3}|20\\d{2})s?\\b|\\b\\d{1,4}(?:\\s(?:and|to|or)\\s\\d{1,4})?\\s(?:BC|AD|BCE|CE)\\b|\\bAD \\d{1,4}\\b|\\b(?:${months})\\b` +
    '|\\b(?:\\d{1,2}(?:st|nd|rd|th)|first|second|third|[a-z]+th)[ -](?:century|millennium)\\b' +
    '|\\b(?:years|months|days|weeks|centuries) (?:ago|later|earlier|before|after)\\b|\\byesterday\\b' +
    "|\\b\\d{1,2}(?::\\d{2})? ?(?:am\\b|pm\\b|[ap]\\.m\\.|o['’]clock\\b)|\\b\\d{1,2}:\\d{2}\\b|\\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\\b",
  'giu',
)

/** Dates and years that are not in the question. */
export function findTimes(
  sentence: Sentence,
  asked: ReadonlySet<string>,
): readonly AnswerCandidate[] {
  return [...sentence.text.matchAll(timePattern)]
    .filter(([found]) => !asked.has(found.replace(/s$/, '')) && !/^(?:may|march)$/.test(found))
    .map((match) => toCandidate(sentence, match[0], match.index))
}

const placePattern =
  /\b(?:in|at|on|near|off|from|to|outside|inside|between|along|across|around|into|through)\s+(?:the\s+|an?\s+)?(?:[a-z-]+\s+){0,4}?(?=(\p{Lu}[\p{L}'’-]+))/gu

/** Names after a preposition of place that are not in the question. */
export function findPlaces(
  sentence: Sentence,
  asked: ReadonlySet<string>,
): readonly AnswerCandidate[] {
  return [...sentence.text.matchAll(placePattern)]
    .map((match) => toCandidate(sentence, fold(match[1] as string), match.index + match[0].length))
    .filter(({ text, index }) => {
      const word = sentence.words[index]
      return !notNames.has(text) && word !== undefined && !asked.has(word.stem)
    })
}

function toCandidate({ words }: Sentence, text: string, offset: number): AnswerCandidate {
  return {
    text,
    index: Math.max(
      0,
      words.findLastIndex(({ start }) => start <= offset),
    ),
  }
}

const reasonPattern =
  /\b(?:because|since(?! (?:\d|then\b|the (?:\d|early|late|mid)|(?:January|February|March|April|May|June|July|August|September|October|November|December)\b))|due to|owing to|as a result|therefore|so that|thus|hence|reasons?|caus(?:e|es|ed|ing)|thanks to|in order to|lead(?:s|ing)? to|led to|results? (?:in|from)|makes?|explains?|explained by)\b/i

/** Whether a sentence gives a reason. */
export function givesReason(text: string): boolean {
  return reasonPattern.test(text)
}

/** Words that stand for a figure: not "zero" and "one", which are rarely an answer. */
const figureWords: ReadonlySet<string> = new Set([
  ...[...numberWords.keys()].filter((word) => word !== 'zero' && word !== 'one'),
  ...[...scales.keys()].flatMap((word) => [word, `${word}s`]),
  ...'half third quarter fifth twice none no single only'.split(' '),
])

/** Figures of the wanted kind that are not in the question; `counted` are the stems of what they may count. */
export function findAmounts(
  sentence: Sentence,
  { dimensions }: WantedAmount,
  counted: ReadonlySet<string>,
): readonly AnswerCandidate[] {
  const found: AnswerCandidate[] = []
  for (const [index, word] of sentence.words.entries()) {
    if (!word.isNumber && !figureWords.has(word.plain)) continue
    const after = wordsAfter(sentence, index)
    const fits =
      counted.size > 0
        ? isCountOf(word, after, counted)
        : isMeasureOf(sentence, word, after, dimensions)
    const text = [word, ...after.slice(0, 2)].map(({ plain }) => plain).join(' ')
    if (fits) found.push({ text, index })
  }
  return found
}

/** Up to five words after a number, ending at a bracket or a comma with a space. */
function wordsAfter({ text, words }: Sentence, index: number): readonly Word[] {
  const after: Word[] = []
  for (const word of words.slice(index + 1, index + 6)) {
    const gap = text.slice((after.at(-1) ?? (words[index] as Word)).start, word.start)
    if (/[;:()]|,\s/.test(gap)) break
    after.push(word)
  }
  return after
}

function isCountOf(word: Word, after: readonly Word[], counted: ReadonlySet<string>): boolean {
  return after.slice(0, isYear(word) ? 1 : 4).some(({ stem }) => counted.has(stem))
}

function isMeasureOf(
  sentence: Sentence,
  word: Word,
  after: readonly Word[],
  dimensions: readonly Dimension[],
): boolean {
  if (dimensions.length === 0) return !isYear(word)
  const dimension = findDimension(sentence.text, word, after)
  return dimension !== undefined && dimensions.includes(dimension)
}

function findDimension(text: string, word: Word, after: readonly Word[]): Dimension | undefined {
  const end = word.start + word.text.length
  if (/[$€£¥]\s?$/.test(text.slice(Math.max(0, word.start - 2), word.start))) return 'money'
  if (/^\s?%/.test(text.slice(end, end + 2))) return 'share'
  const glued = /^\s?((?:km|m|ft|mi)\/(?:h|s)|°[CF]|°)/.exec(text.slice(end, end + 6))?.[1]
  if (glued !== undefined) return glued.startsWith('°') ? 'temperature' : 'speed'
  return findDimensionAfter(after.map((next) => next.text))
}

function isYear(word: Word): boolean {
  return /^(?:1\d{3}|20\d{2})$/.test(word.text)
}
