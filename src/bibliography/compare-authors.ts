import type { CslName } from '../citations/source.ts'
import { foldLetters } from './compare-titles.ts'

/** Whether two lists of names belong to one work. */
export type AuthorComparison = 'same' | 'unclear' | 'different'

/**
 * Compares names by family name (without particles, accents and case) and, if both have one, first initial; either order of the
 * two is accepted. `same`: the first authors agree and at least half of the shorter list is in the other, since lists are often
 * cut to "et al.". `different`: no name is in both.
 */
export function compareAuthors(
  authors: readonly CslName[],
  others: readonly CslName[],
): AuthorComparison {
  const [names, otherNames] = [readNames(authors), readNames(others)]
  const [first, otherFirst] = [names[0], otherNames[0]]
  if (first === undefined || otherFirst === undefined) return 'unclear'
  const shared = names.filter((name) => otherNames.some((other) => isSame(name, other))).length
  if (shared === 0) return 'different'
  const isHalf = shared * 2 >= Math.min(names.length, otherNames.length)
  return isSame(first, otherFirst) && isHalf ? 'same' : 'unclear'
}

interface PlainName {
  readonly family: readonly string[]
  readonly given: readonly string[]
}

/** Names beyond this are ignored: comparison is quadratic. */
const maxNames = 100

function readNames(names: readonly CslName[]): readonly PlainName[] {
  return names
    .filter(({ literal }) => !/^(?:et al\.?|others)$/i.test(literal ?? ''))
    .slice(0, maxNames)
    .map(plainName)
    .filter(({ family }) => family.length > 0)
}

function plainName({ family, given, literal }: CslName): PlainName {
  if (family !== undefined) return { family: splitWords(family), given: splitWords(given ?? '') }
  const words = splitWords(literal ?? given ?? '')
  const isPerson = words.length > 1 && words.length <= 4
  return isPerson
    ? { family: words.slice(-1), given: words.slice(0, -1) }
    : { family: words, given: [] }
}

const particles = new Set(
  'van von der den de del della di da do dos das du la le el al bin ibn ter ten zu zur af av st'.split(
    ' ',
  ),
)

function splitWords(name: string): readonly string[] {
  const words = foldLetters(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  const rest = words.filter((word) => !particles.has(word) && !/^(?:jr|sr|ii|iii)$/.test(word))
  return rest.length === 0 ? words : rest
}

function isSame(one: PlainName, other: PlainName): boolean {
  const isDirect = isSameFamily(one.family, other.family) && isSameInitial(one.given, other.given)
  return isDirect || isReversed(one, other) || hasSameWords(one, other)
}

/** "García Márquez" also matches either half; "M. Bran" has an initial among its family names. */
function isSameFamily(one: readonly string[], other: readonly string[]): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  const isStart = short.every((word, index) => word === long[index])
  const isEnd = short.every((word, index) => word === long[long.length - short.length + index])
  return short.length > 0 && (isStart || isEnd)
}

function isSameInitial(one: readonly string[], other: readonly string[]): boolean {
  const [initial, otherInitial] = [one[0]?.[0], other[0]?.[0]]
  return initial === undefined || otherInitial === undefined || initial === otherInitial
}

/** Whether family and given name are swapped. */
function isReversed(one: PlainName, other: PlainName): boolean {
  const isGiven = one.given.join(' ').length > 1 && other.given.join(' ').length > 1
  return (
    isGiven &&
    one.family.join(' ') === other.given.join(' ') &&
    one.given.join(' ') === other.family.join(' ')
  )
}

/** The same words, however they are split into given and family names. */
function hasSameWords(one: PlainName, other: PlainName): boolean {
  return (
    [...one.given, ...one.family].join(' ') === [...other.given, ...other.family].join(' ') &&
    one.given.length + one.family.length > 1
  )
}
