import { numbersIn } from './brackets.ts'

/** The numbers that stand in brackets in a text, or in marks beyond the local numbers up to `count`, and cite nothing. */
export function literalNumbers(text: string, count: number): ReadonlySet<number> {
  const numbers = new Set<number>()
  for (const [, content = ''] of text.matchAll(/\[(\d[^[\]]{0,250})\]/g))
    for (const number of numbersIn(content)) numbers.add(number)
  for (const [, mark, index] of text.matchAll(/!CITE_(\d{1,9})!|idx\s*=\s*["']\s*(\d{1,9})/g)) {
    const number = Number(mark ?? index)
    if (number > count) numbers.add(number)
  }
  return numbers
}

/** The first `count` numbers from 1 that are not taken. */
export function unusedNumbers(count: number, taken: ReadonlySet<number>): readonly number[] {
  const numbers: number[] = []
  for (let number = 1; numbers.length < count; number++)
    if (!taken.has(number)) numbers.push(number)
  return numbers
}
