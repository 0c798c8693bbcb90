import { lemma } from './lemma.ts'
import {
  causeWords,
  opposites,
  prefixPairs,
  scales,
  strengthenings,
  tieWords,
} from './opposite-words.ts'

/** The family that a word belongs to and its side in it. */
export interface Side {
  readonly family: number
  readonly side: number
}

type Sides = ReadonlyMap<string, readonly Side[]>

/** For each lemma that has an opposite: its families and sides. */
const oppositeSides = sidesOf(opposites)
const scaleSides = sidesOf(scales)
const strengthSides = sidesOf([...strengthenings, `${tieWords} | ${causeWords}`])

/** By lemma, the sides of `lines`; a line is a family, its sides are divided by " | ", their words by spaces. */
export function sidesOf(lines: readonly string[]): Sides {
  const found = new Map<string, Side[]>()
  for (const [family, line] of lines.entries()) {
    for (const [side, members] of line.split(' | ').entries()) {
      for (const word of members.split(' ')) {
        const key = lemma(word)
        found.set(key, [...(found.get(key) ?? []), { family, side }])
      }
    }
  }
  return found
}

function areApart(sides: Sides, one: string, other: string): boolean {
  const theirs = sides.get(other)
  if (theirs === undefined) return false
  const mine = sides.get(one) ?? []
  const isShared = mine.some((a) => theirs.some((b) => a.family === b.family && a.side === b.side))
  return (
    !isShared && mine.some((a) => theirs.some((b) => a.family === b.family && a.side !== b.side))
  )
}

/** Whether two lemmas are opposites: "north" and "south", "hypertension" and "hypotension". */
export function areOpposite(one: string, other: string): boolean {
  return areApart(oppositeSides, one, other) || differInPrefix(one, other)
}

function differInPrefix(one: string, other: string): boolean {
  return prefixPairs.some(
    ([a, b]) => isExchanged(one, other, a, b) || isExchanged(one, other, b, a),
  )
}

function isExchanged(one: string, other: string, a: string, b: string): boolean {
  return (
    one.startsWith(a) &&
    other.startsWith(b) &&
    one.length - a.length >= 4 &&
    one.slice(a.length) === other.slice(b.length)
  )
}

/** Whether two lemmas are steps of one scale: "all" and "most". */
export function areOtherSteps(one: string, other: string): boolean {
  return areApart(scaleSides, one, other)
}

/** Whether `claim` says for certain what `source` only holds possible, or calls cause what `source` calls a tie. */
export function isStronger(claim: string, source: string): boolean {
  const weak = strengthSides.get(source) ?? []
  return (strengthSides.get(claim) ?? []).some(
    ({ family, side }) =>
      side === 1 && weak.some((other) => other.family === family && other.side === 0),
  )
}

/** Whether a lemma speaks of cause and effect. */
export function isCausal(word: string): boolean {
  return causes.has(word)
}

const causes: ReadonlySet<string> = new Set(causeWords.split(' ').map(lemma))
