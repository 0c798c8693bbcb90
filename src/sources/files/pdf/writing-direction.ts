/** A line's text in reading order, and its direction. */
export interface DirectedText {
  readonly text: string
  readonly rightToLeft: boolean
}

const rightToLeftLetter = /[\u0590-\u065f\u066a-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/
const digit = /[\d\u0660-\u0669\u06f0-\u06f9]/
const letter = /\p{L}/u
/** Characters between the digits of a number. */
const inNumber = /[.,:/+-]/
/** In a text with a smaller share of right-to-left characters, only those are reversed. */
const minPart = 0.3
/** In shorter texts every character counts. */
const shortUnits = 4

/**
 * The text of pieces, each a character or ligature, drawn from left to right. Right-to-left scripts are reversed,
 * numbers and other words among them are not: Unicode's rules without embedding marks.
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

/** Left to right, right to left, a number in right-to-left text, or like its surroundings. */
type Direction = 'left' | 'right' | 'number' | 'neutral'

/** Even levels run left to right, odd ones right to left; a higher level is reversed within the lower ones around it. */
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

/** Reverses, in place, sequences at this level or higher. */
function reverseFrom(level: number, characters: string[], levels: readonly number[]): void {
  for (let start = 0; start < levels.length; start++) {
    if ((levels[start] as number) < level) continue
    let end = start
    while ((levels[end] ?? 0) >= level) end++
    characters.splice(start, end - start, ...characters.slice(start, end).reverse())
    start = end
  }
}
