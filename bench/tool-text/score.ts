import { isDeepStrictEqual } from 'node:util'
import type { LabelledText } from './labelled-set.ts'

/** How many texts of one kind were read rightly. */
export interface Tally {
  texts: number
  /** Texts whose calls were all found, equal in names and arguments, and no other. */
  right: number
  /** Texts from which something was taken that is not in them: a wrong call, or one too many. */
  wrong: number
}

/** Precision and recall over texts, both 0 to 1. A text with calls counts as found only when all of them are right. */
export interface Score {
  readonly precision: number
  readonly recall: number
}

/** Finds the calls in a text. */
export type Parse = (item: LabelledText) => readonly unknown[]

function compare(item: LabelledText, parse: Parse): 'right' | 'wrong' | 'missed' {
  const calls = parse(item)
  if (isDeepStrictEqual(calls, item.calls)) return 'right'
  const isPart = calls.every((call) => item.calls.some((meant) => isDeepStrictEqual(call, meant)))
  return isPart && calls.length <= item.calls.length ? 'missed' : 'wrong'
}

/** The tallies of a set by kind, in the order in which the kinds come. */
export function tally(
  items: readonly LabelledText[],
  parse: Parse,
  onMiss: (item: LabelledText, outcome: 'wrong' | 'missed') => void = () => {},
): ReadonlyMap<string, Tally> {
  const tallies = new Map<string, Tally>()
  for (const item of items) {
    const counted = tallies.get(item.kind) ?? { texts: 0, right: 0, wrong: 0 }
    tallies.set(item.kind, counted)
    const outcome = compare(item, parse)
    counted.texts++
    if (outcome === 'right') counted.right++
    else onMiss(item, outcome)
    if (outcome === 'wrong') counted.wrong++
  }
  return tallies
}

/** The score of texts with calls against texts without: whatever is taken from one of those is wrong. */
export function scoreOf(positives: readonly Tally[], negatives: readonly Tally[]): Score {
  const sum = (tallies: readonly Tally[], key: keyof Tally) =>
    tallies.reduce((total, counted) => total + counted[key], 0)
  const right = sum(positives, 'right')
  const wrong = sum(positives, 'wrong') + sum(negatives, 'wrong')
  return {
    precision: right + wrong === 0 ? 1 : right / (right + wrong),
    recall: right / sum(positives, 'texts'),
  }
}
