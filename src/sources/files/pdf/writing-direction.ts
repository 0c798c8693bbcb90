/** A line's text in the order in which it is read, and which way that goes. */
export interface DirectedText {
  readonly text: string
  readonly rightToLeft: boolean
}

const rightToLeftLetter = /[\u0590-\u065f\u066a-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/
const digit = /[\d\u0660-\u0669\u06f0-\u06f9]/
const letter = /\p{L}/u
/** What stands between digits of one number. */
const inNumber = /[.,:/+-]/
/** Of a text with fewer of its characters in a script from right to left, only those are turned round. */
const minPart = 0.3
/** In shorter texts each character counts. */
const shortUnits = 4

/**
 * The text of pieces, a character or a ligature each, that stand from left to right, as they are drawn. Scripts from right to left are turned round, numbers
 * and other words among them are not: the order of Unicode's rules, without marks that embed one text in another.
 * @see https://www.unicode.org/reports/tr9/
 */
export function toLogicalOrder(drawn: readonly string[]): DirectedText {
  const text = drawn.join('')
  if (!rightToLeftLetter.test(text)) return { text, rightToLeft: false }
  const characters = [...drawn]
  const turned = characters.filter((one) => rightToLeftLetter.test(one)).length
  const rightToLeft = turned >= minPart * characters.length || characters.length <= shortUnits
  const levels = findLevels(characters, rightToLeft)
  for (let level = 2; level > 0; level--) reverseFrom(level, characters, levels)
  return { text: characters.join(''), rightToLeft }
}

/** Left to right, right to left, a number among the latter, or as what is around it. */
type Direction = 'left' | 'right' | 'number' | 'neutral'

/** Even levels go from left to right, odd ones back; a higher one is turned round within the lower ones around it. */
function findLevels(characters: readonly string[], rightToLeft: boolean): readonly number[] {
  const base = rightToLeft ? 'right' : 'left'
  const ways = characters.map(characterDirection)
  let last: Direction = base
  for (const [index, way] of ways.entries()) {
    if (way === 'number' && last === 'left') ways[index] = 'left'
    else if (way === 'left' || way === 'right') last = way
  }
  for (let start = 0; start < ways.length; start++) {
    if (ways[start] !== 'neutral') continue
    let end = start
    while (ways[end] === 'neutral') end++
    const isBetween = textSide(ways[start - 1] ?? base) === textSide(ways[end] ?? base)
    ways.fill(isBetween ? textSide(ways[start - 1] ?? base) : base, start, end)
  }
  const forwards = rightToLeft ? 2 : 0
  return ways.map((way) => (way === 'right' ? 1 : way === 'number' ? 2 : forwards))
}

function characterDirection(one: string, index: number, characters: readonly string[]): Direction {
  if (rightToLeftLetter.test(one)) return 'right'
  if (letter.test(one)) return 'left'
  const isBetweenDigits =
    digit.test(characters[index - 1] ?? '') && digit.test(characters[index + 1] ?? '')
  return digit.test(one) || (inNumber.test(one) && isBetweenDigits) ? 'number' : 'neutral'
}

function textSide(way: Direction): 'left' | 'right' {
  return way === 'left' ? 'left' : 'right'
}

/** Turns round, in place, what stands together at a level or a higher one. */
function reverseFrom(level: number, characters: string[], levels: readonly number[]): void {
  for (let start = 0; start < levels.length; start++) {
    if ((levels[start] as number) < level) continue
    let end = start
    while ((levels[end] ?? 0) >= level) end++
    characters.splice(start, end - start, ...characters.slice(start, end).reverse())
    start = end
  }
}
