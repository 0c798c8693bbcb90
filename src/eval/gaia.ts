/**
 * Whether an answer is right by the rules of GAIA. Where the right answer is a number, the answer is read as one without `$`,
 * `%` and commas; where it holds a comma or a semicolon, both are lists with as many elements, compared one by one in order;
 * else both are compared without white space, punctuation and difference of case.
 *
 * @see https://huggingface.co/spaces/gaia-benchmark/leaderboard (scorer)
 * @see https://arxiv.org/abs/2311.12983 (section 3.3)
 */
export function isRightForGaia(answer: string, gold: string): boolean {
  const wanted = numberIn(gold)
  if (wanted !== undefined) return numberWithUnit(answer) === wanted
  if (!/[,;]/.test(gold))
    return folded(answer).replaceAll(punctuation, '') === folded(gold).replaceAll(punctuation, '')
  const elements = answer.split(/[,;]/)
  const wantedElements = gold.split(/[,;]/)
  return (
    elements.length === wantedElements.length &&
    wantedElements.every((element, index) => isSameElement(elements[index] as string, element))
  )
}

/** Within a list punctuation counts: it may be what tells two elements apart. */
function isSameElement(element: string, wanted: string): boolean {
  const number = numberIn(wanted)
  return number === undefined
    ? folded(element) === folded(wanted)
    : numberWithUnit(element) === number
}

function numberWithUnit(text: string): number | undefined {
  return numberIn(text.replaceAll(/[$%,]/g, ''))
}

function numberIn(text: string): number | undefined {
  const written = text.trim()
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(written) ? Number(written) : undefined
}

const punctuation = /[!-/:-@[-`{-~]/g

function folded(text: string): string {
  return text.replaceAll(/\s/g, '').toLowerCase()
}
