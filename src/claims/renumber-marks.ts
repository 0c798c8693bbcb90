import { parseNumbers } from '../citations/markup/brackets.ts'
import { citationRun } from './check/parse-claims.ts'

const code =
  /(?<fence>`{3,}|~{3,})[\s\S]*?(?:\k<fence>|$)|(?<!`)(?<tick>`+)(?!`)[^`\n]+\k<tick>(?!`)/
/** Code, in which brackets are not citations, and runs of citation marks. */
const codeOrMarks = new RegExp(`(${code.source})|${citationRun.source}`, 'gu')

/**
 * Renumbers the citation marks of a text that was written with numbers of its own. Only marks with a number in `numbers`
 * change. Other numbers stay, since they may not be citations (`in [1945]`, `[10, 20] degrees`); if such a number exists
 * here, its bracket is escaped so that it is not a mark: `\\[10, 20\\]`.
 *
 * @param size how many numbers exist here, from 1
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
      renumberMark(mark, parseNumbers(list), numbers, isTaken),
    )
    // Escaped lists go last: no mark is read after a bracket.
    const written = marks.map(({ mark }) => mark).join('')
    return [written, ...marks.flatMap(({ escaped }) => escaped)].filter(Boolean).join(' ')
  })
}

interface Renumbered {
  readonly mark: string
  /** Lists without a meaning in the old text that would have one here. */
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
