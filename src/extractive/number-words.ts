const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const scales: Readonly<Record<string, number>> = {
  hundred: 100,
  thousand: 1000,
  million: 1_000_000,
}

const tensPattern = new RegExp(
  `\\b(${tens.join('|')})(?:[- ](${small.slice(1, 10).join('|')}))?\\b`,
  'gi',
)
const smallPattern = new RegExp(`\\b(${small.join('|')})\\b`, 'gi')

/** A text with its number words as digits: "two plus forty-two" becomes "2 plus 42", "3 million" "3000000". */
export function withDigits(text: string): string {
  return text
    .replaceAll(tensPattern, (_found, ten: string, one?: string) =>
      String(tensOf(ten) + onesOf(one)),
    )
    .replaceAll(smallPattern, (word) => String(onesOf(word)))
    .replaceAll(
      /\b(\d+(?:\.\d+)?) (hundred|thousand|million)\b/gi,
      (_found, count: string, scale: string) =>
        String(Number(count) * (scales[scale.toLowerCase()] as number)),
    )
}

function tensOf(word: string): number {
  return (tens.indexOf(word.toLowerCase()) + 2) * 10
}

function onesOf(word: string | undefined): number {
  return word === undefined ? 0 : small.indexOf(word.toLowerCase())
}
