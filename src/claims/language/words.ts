import { type Kind, type Meaning, type Meanings, meaningAt } from './meanings.ts'
import { monthNames, type Unit, unitOf } from './quantities.ts'
import type { Token } from './tokens.ts'
import { fillers, intensifiers } from './vocabulary.ts'

/** A word that is compared: equal `key`s say the same up to inflection, spelling, synonyms and ways to write a number. */
export interface Word {
  /** The sentence that it stands in; `start` and `end` count in it. */
  readonly sentence: string
  readonly start: number
  readonly end: number
  readonly kind: Kind
  readonly plain: string
  readonly lemma: string
  readonly key: string
  readonly value: number | undefined
  readonly unit: Unit | undefined
  /** Written like a name: a capital, or letters mixed with digits. */
  readonly isCapital: boolean
  /** The sentence's first word, where a capital need not mean a name. */
  readonly isFirst: boolean
  readonly inBrackets: boolean
  /** The words of the long form that this abbreviation was put for. */
  readonly parts?: readonly Word[]
  /** The mark between this word and the one before it: "," ";" "(" …, or "". */
  readonly markBefore: string
}

/** The words to compare in a sentence: without marks and fillers; numbers, units, phrases and dates in one form. */
export function wordsOf(
  text: string,
  tokens: readonly Token[],
  known: Meanings = new Map(),
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
      const spoken = spokenMark(tokens, index, words.at(-1))
      if (spoken !== undefined)
        words.push(
          wordOf(text, token, token.end, spoken, {
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
    const meaning = meaningAt(tokens, index, isTied && isMeasure(measured(words)), known)
    const last = tokens[index + meaning.count - 1] ?? token
    index += meaning.count
    const isLabel = token.text === 'A' && words.length > 0
    if (isFiller(meaning, token, words.at(-1)) && !isLabel) continue
    const place = { isFirst: words.length === 0, inBrackets: depth > 0, markBefore: mark }
    words.push(wordOf(text, token, last.end, pairedNor(meaning, words), place))
    mark = ''
  }
  return daysFirst(words)
}

/** Forms of address before a name. */
const forms: ReadonlySet<string> = new Set(['Mr', 'Mrs', 'Ms', 'Dr', 'Prof'])

function isFiller({ key }: Meaning, { text }: Token, before: Word | undefined): boolean {
  if (forms.has(text)) return true
  return fillers.has(key) && !(before?.kind === 'negator' && intensifiers.has(key))
}

/** The "nor" of "neither … nor" denies nothing more. */
function pairedNor(meaning: Meaning, words: readonly Word[]): Meaning {
  const isPaired = meaning.key === 'nor' && words.some(({ key }) => key === 'neither')
  return isPaired ? { ...meaning, kind: 'word' } : meaning
}

/** The word that a unit may belong to: in "mg per kg" the first unit. */
function measured(words: readonly Word[]): Word | undefined {
  return words.at(words.at(-1)?.key === 'per' ? -2 : -1)
}

const isMeasure = (word: Word | undefined): boolean =>
  word?.kind === 'number' || word?.kind === 'unit'

/** What a mark says between numbers or units: "2-57 days" is "2 to 57 days", "mg/kg" is "mg per kg". */
function spokenMark(
  tokens: readonly Token[],
  index: number,
  before: Word | undefined,
): Meaning | undefined {
  const [mark, next] = [tokens[index], tokens[index + 1]]
  if (mark?.exact !== '-' && mark?.exact !== '/') return undefined
  if (before === undefined || next === undefined || tokens[index - 1]?.end !== before.end)
    return undefined
  const isRange =
    mark?.exact === '-' &&
    (before.kind === 'number' || before.kind === 'unit') &&
    (/^\d/.test(next.text) || months.has(next.plain))
  if (isRange) return { kind: 'word', key: 'to', count: 1 }
  const isRate = mark?.text === '/' && before.kind === 'unit' && unitOf(next.text) !== undefined
  return isRate ? { kind: 'word', key: 'per', count: 1 } : undefined
}

type Place = Pick<Word, 'isFirst' | 'inBrackets' | 'markBefore'>

function wordOf(
  sentence: string,
  { text, start, plain }: Token,
  end: number,
  meaning: Meaning,
  place: Place,
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

/** The word as it is printed, with what a hyphen ties to it. */
export function printed({ sentence, start, end }: Word): string {
  const before =
    /(?:[\p{L}\p{N}]+[-‐])+$/u.exec(sentence.slice(Math.max(0, start - 40), start))?.[0] ?? ''
  const after = /^(?:[-‐][\p{L}\p{N}]+)+/u.exec(sentence.slice(end, end + 40))?.[0] ?? ''
  return before + sentence.slice(start, end) + after
}

const months: ReadonlySet<string> = new Set(monthNames)

/** The "of" in "4th of July". */
function isDateOf({ key }: Word, day: Word | undefined, month: Word | undefined): boolean {
  return key === 'of' && day?.kind === 'number' && months.has(month?.plain ?? '')
}

/** "July 4" as "4 July", so that both orders of a date compare equal. */
function daysFirst(words: readonly Word[]): Word[] {
  const ordered = words.filter((word, index) => !isDateOf(word, words[index - 1], words[index + 1]))
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
