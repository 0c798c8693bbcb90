import { type MeaningCache, readMeaning, type WordKind, type WordMeaning } from './lexicon.ts'
import { findUnit, monthNames, type Unit } from './quantities.ts'
import type { Token } from './tokens.ts'
import { fillers, intensifiers } from './vocabulary.ts'

/** A word as it is compared. Equal `key`s mean the same despite inflection, spelling, synonyms and number formats. */
export interface Word {
  /** The sentence it is in; `start` and `end` are offsets in it. */
  readonly sentence: string
  readonly start: number
  readonly end: number
  readonly kind: WordKind
  readonly plain: string
  readonly lemma: string
  readonly key: string
  readonly value: number | undefined
  readonly unit: Unit | undefined
  /** Whether it is written like a name: capitalised, or letters mixed with digits. */
  readonly isCapital: boolean
  /** Whether it is the sentence's first word, where a capital need not show a name. */
  readonly isFirst: boolean
  readonly inBrackets: boolean
  /** The words of the long form that this abbreviation replaced. */
  readonly parts?: readonly Word[]
  /** The mark between this word and the one before: "," ";" "(" …, or "". */
  readonly markBefore: string
}

/** Reads the words to compare in a sentence: without marks and fillers, with numbers, units, phrases and dates normalized. */
export function parseWords(
  text: string,
  tokens: readonly Token[],
  known: MeaningCache = new Map(),
): Word[] {
  const words: Word[] = []
  let depth = 0
  let mark = ''
  let index = 0
  while (index < tokens.length) {
    const token = tokens[index] as Token
    if (!token.isWord) {
      depth = Math.max(
        0,
        depth + (/^[([]$/.test(token.text) ? 1 : /^[)\]]$/.test(token.text) ? -1 : 0),
      )
      const spoken = readMark(tokens, index, words.at(-1))
      if (spoken !== undefined)
        words.push(
          toWord(text, token, token.end, spoken, {
            isFirst: false,
            inBrackets: depth > 0,
            markBefore: '',
          }),
        )
      mark = spoken !== undefined || token.exact === '' ? mark : token.exact
      index++
      continue
    }
    const isTied = mark === '' || mark === '-' || mark === '/'
    const meaning = readMeaning(tokens, index, isTied && isMeasure(findMeasured(words)), known)
    const last = tokens[index + meaning.count - 1] ?? token
    index += meaning.count
    const isLabel = token.text === 'A' && words.length > 0
    if (isFiller(meaning, token, words.at(-1)) && !isLabel) continue
    const place = { isFirst: words.length === 0, inBrackets: depth > 0, markBefore: mark }
    words.push(toWord(text, token, last.end, unpairNor(meaning, words), place))
    mark = ''
  }
  return putDayFirst(words)
}

/** Titles before a name. */
const formsOfAddress: ReadonlySet<string> = new Set(['Mr', 'Mrs', 'Ms', 'Dr', 'Prof'])

function isFiller({ key }: WordMeaning, { text }: Token, before: Word | undefined): boolean {
  if (formsOfAddress.has(text)) return true
  return fillers.has(key) && !(before?.kind === 'negator' && intensifiers.has(key))
}

/** The "nor" of "neither … nor" does not negate again. */
function unpairNor(meaning: WordMeaning, words: readonly Word[]): WordMeaning {
  const isPaired = meaning.key === 'nor' && words.some(({ key }) => key === 'neither')
  return isPaired ? { ...meaning, kind: 'word' } : meaning
}

/** The word that a unit may belong to: in "mg per kg" the first unit. */
function findMeasured(words: readonly Word[]): Word | undefined {
  return words.at(words.at(-1)?.key === 'per' ? -2 : -1)
}

const isMeasure = (word: Word | undefined): boolean =>
  word?.kind === 'number' || word?.kind === 'unit'

/** The word for a mark between numbers or units: "2-57 days" is "2 to 57 days", "mg/kg" is "mg per kg". */
function readMark(
  tokens: readonly Token[],
  index: number,
  before: Word | undefined,
): WordMeaning | undefined {
  const [mark, next] = [tokens[index], tokens[index + 1]]
  if (mark?.exact !== '-' && mark?.exact !== '/') return undefined
  if (before === undefined || next === undefined || tokens[index - 1]?.end !== before.end)
    return undefined
  const isRange =
    mark?.exact === '-' &&
    (before.kind === 'number' || before.kind === 'unit') &&
    (/^\d/.test(next.text) || months.has(next.plain))
  if (isRange) return { kind: 'word', key: 'to', count: 1 }
  const isRate = mark?.text === '/' && before.kind === 'unit' && findUnit(next.text) !== undefined
  return isRate ? { kind: 'word', key: 'per', count: 1 } : undefined
}

type WordPosition = Pick<Word, 'isFirst' | 'inBrackets' | 'markBefore'>

function toWord(
  sentence: string,
  { text, start, plain }: Token,
  end: number,
  meaning: WordMeaning,
  place: WordPosition,
): Word {
  const { kind, key, lemma = key, value, unit } = meaning
  const { isFirst, inBrackets, markBefore } = place
  const isCapital =
    text === plain ? isMixed(text) : /^\p{Lu}|\p{Ll}\p{Lu}/u.test(text) || isMixed(text)
  return {
    sentence,
    start,
    end,
    kind,
    plain,
    lemma,
    key,
    value,
    unit,
    isCapital,
    isFirst,
    inBrackets,
    markBefore,
  }
}

/** Letters with digits: "p53". */
function isMixed(text: string): boolean {
  return /\d/.test(text) && /\p{L}/u.test(text)
}

/** The word as printed, with everything hyphenated to it. */
export function printWord({ sentence, start, end }: Word): string {
  const before =
    /(?:[\p{L}\p{N}]+[-‐])+$/u.exec(sentence.slice(Math.max(0, start - 40), start))?.[0] ?? ''
  const after = /^(?:[-‐][\p{L}\p{N}]+)+/u.exec(sentence.slice(end, end + 40))?.[0] ?? ''
  return before + sentence.slice(start, end) + after
}

const months: ReadonlySet<string> = new Set(monthNames)

/** The "of" in "4th of July". */
function isOfInDate({ key }: Word, day: Word | undefined, month: Word | undefined): boolean {
  return key === 'of' && day?.kind === 'number' && months.has(month?.plain ?? '')
}

/** Puts "July 4" as "4 July", so that both orders of a date compare equal. */
function putDayFirst(words: readonly Word[]): Word[] {
  const ordered = words.filter(
    (word, index) => !isOfInDate(word, words[index - 1], words[index + 1]),
  )
  for (let index = 0; index + 1 < ordered.length; index++) {
    const [month, day] = [ordered[index] as Word, ordered[index + 1] as Word]
    const isDay = day.kind === 'number' && (day.value ?? 99) <= 31 && day.markBefore === ''
    if (!isDay || !month.isCapital || !months.has(month.plain)) continue
    ordered[index] = day
    ordered[index + 1] = month
    index++
  }
  return ordered
}
