import { numbersIn } from './markup/brackets.ts'
import { citationRun } from './parse-claims.ts'

const code = /(?<fence>`{3,}|~{3,})[\s\S]*?(?:\k<fence>|$)|(?<tick>`+)(?!`)[^`\n]+\k<tick>(?!`)/
/** Code, in which brackets are no citations, and runs of citation marks. */
const codeOrMarks = new RegExp(`(${code.source})|${citationRun.source}`, 'gu')

/**
 * A text with other numbers in its citation marks: for what was written with numbers of its own. A number that stands for nothing
 * there becomes one above `size`, so that it stands for nothing here either.
 *
 * @param size how many numbers there are
 */
export function renumberMarks(
  text: string,
  numbers: ReadonlyMap<number, number>,
  size: number,
): string {
  const renumbered = (n: number) => numbers.get(n) ?? (n === 0 ? 0 : size + n)
  return text.replaceAll(codeOrMarks, (run: string, inCode: string | undefined) => {
    if (inCode !== undefined) return run
    return run.replaceAll(/\[[^\]]*\]/g, (mark) => {
      const old = numbersIn(mark.slice(1, -1))
      const now = [...new Set(old.map(renumbered))]
      const isSame = now.length === old.length && now.every((n, index) => n === old[index])
      return isSame ? mark : `[${now.join(', ')}]`
    })
  })
}
