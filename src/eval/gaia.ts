import { floatOf, withoutPunctuation, withoutSpace } from './python-text.ts'

/**
 * Whether an answer is right by the rules of GAIA. Where the right answer is a number, the answer is read as one without `$`,
 * `%` and commas; where it holds a comma or a semicolon, both are lists with as many elements, compared one by one in order;
 * else both are compared without white space, punctuation and difference of case. What is no number equals none: the published
 * scorer takes it for infinity.
 *
 * @see https://huggingface.co/spaces/gaia-benchmark/leaderboard (scorer)
 * @see https://arxiv.org/abs/2311.12983 (section 3.3)
 */
export function isRightForGaia(answer: string, gold: string): boolean {
  const wanted = floatOf(gold)
  if (wanted !== undefined) return numberWithUnit(answer) === wanted
  if (!/[,;]/.test(gold))
    return withoutPunctuation(folded(answer)) === withoutPunctuation(folded(gold))
  const elements = answer.split(/[,;]/)
  const wantedElements = gold.split(/[,;]/)
  return (
    elements.length === wantedElements.length &&
    wantedElements.every((element, index) => isSameElement(elements[index] as string, element))
  )
}

/** Within a list punctuation counts: it may be what tells two elements apart. */
function isSameElement(element: string, wanted: string): boolean {
  const number = floatOf(wanted)
  return number === undefined
    ? folded(element) === folded(wanted)
    : numberWithUnit(element) === number
}

function numberWithUnit(text: string): number | undefined {
  return floatOf(text.replaceAll(/[$%,]/g, ''))
}

function folded(text: string): string {
  return withoutSpace(text).toLowerCase()
}
