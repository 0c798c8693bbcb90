import { numbersIn } from '../citations/markup/brackets.ts'
import { citationRun } from './check/parse-claims.ts'

const code =
  /(?<fence>`{3,}|~{3,})[\s\S]*?(?:\k<fence>|$)|(?<!`)(?<tick>`+)(?!`)[^`\n]+\k<tick>(?!`)/
/** Code, in which brackets are no citations, and runs of citation marks. */
const codeOrMarks = new RegExp(`(${code.source})|${citationRun.source}`, 'gu')

/**
 * A text with other numbers in its citation marks: for what was written with numbers of its own. Only marks with a number of
 * `numbers` change. A number that stands for nothing there keeps what it says, since it may be none of ours (`in [1945]`,
 * `[10, 20] degrees`); where it would stand for something here, its bracket is escaped, so that it is no mark: `\\[10, 20\\]`.
 *
 * @param size how many numbers there are here, from 1 on
 */
export function renumberMarks(
  text: string,
  numbers: ReadonlyMap<number, number>,
  size: number,
): string {
  const isTaken = (n: number) => n >= 1 && n <= size
  return text.replaceAll(codeOrMarks, (run: string, inCode: string | undefined) => {
    if (inCode !== undefined) return run
    const marks = [...run.matchAll(/\[([^\]]*)\]/g)].map(([mark, list = '']) =>
      renumberMark(mark, numbersIn(list), numbers, isTaken),
    )
    // Escaped ones stand last: behind a bracket no mark is read.
    const written = marks.map(({ mark }) => mark).join('')
    return [written, ...marks.flatMap(({ escaped }) => escaped)].filter(Boolean).join(' ')
  })
}

interface Renumbered {
  readonly mark: string
  /** What stands for nothing and would stand for something. */
  readonly escaped: readonly string[]
}

function renumberMark(
  mark: string,
  old: readonly number[],
  numbers: ReadonlyMap<number, number>,
  isTaken: (n: number) => boolean,
): Renumbered {
  const foreign = old.filter((n) => !numbers.has(n) && isTaken(n))
  const isOurs = old.some((n) => numbers.has(n))
  if (!isOurs && foreign.length > 0) return { mark: '', escaped: [escapeMark(mark.slice(1, -1))] }
  const kept = old.filter((n) => !foreign.includes(n))
  const now = [...new Set(kept.map((n) => numbers.get(n) ?? n))]
  const isSame = now.length === old.length && now.every((n, index) => n === old[index])
  return {
    mark: isSame ? mark : `[${now.join(', ')}]`,
    escaped: foreign.length === 0 ? [] : [escapeMark(foreign.join(', '))],
  }
}

function escapeMark(list: string): string {
  return `\\[${list}\\]`
}
