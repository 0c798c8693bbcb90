import { numbersIn } from '../citations/markup/brackets.ts'
import { citationRun } from '../claims/check/parse-claims.ts'

const code = '(?<code>(?<!`)`[^`\\n]+`(?!`))'
const codeOrMarks = new RegExp(`${code}|\\s*(?<marks>${citationRun.source})`, 'gu')
/** A pair around words: no space within its signs and no letter or digit beside them, so that `2**10` and `*.ts` are none. */
const codeOrEmphasis = new RegExp(
  `${code}|(?<![\\p{L}\\p{N}_*])(?<sign>\\*{1,3})(?=["'“‘(+−-]?[\\p{L}\\p{N}$€£\`])(?<words>[^*]+)(?<!\\s)\\k<sign>(?![\\p{L}\\p{N}_*])`,
  'gu',
)
const codeAlone = /(?<![\p{L}\p{N}`])`([^`\n]+)`(?![\p{L}\p{N}`])/gu

/**
 * An answer as it is scored: on one line, without its citations and without emphasis. Brackets whose numbers stand for no
 * citation of it, such as `[0]` or a list, stay; so does a bracket that is the whole answer.
 *
 * @param citations the numbers that the answer cites by
 */
export function plainAnswer(markdown: string, citations: ReadonlySet<number>): string {
  const uncited = markdown.replaceAll(codeOrMarks, (...match) => {
    const groups = match.at(-1) as Readonly<Record<string, string | undefined>>
    return groups.marks === undefined ? String(match[0]) : kept(String(match[0]), citations)
  })
  return (/[\p{L}\p{N}]/u.test(uncited) ? uncited : markdown)
    .replaceAll(codeOrEmphasis, (...match) => {
      const groups = match.at(-1) as Readonly<Record<string, string | undefined>>
      return groups.words ?? String(match[0])
    })
    .replaceAll(codeAlone, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Of a run of marks those that stand for no citation. */
function kept(run: string, citations: ReadonlySet<number>): string {
  return run.replaceAll(/\s*\[([^\]]*)\]/g, (mark, content: string) =>
    numbersIn(content).every((n) => citations.has(n)) ? '' : mark,
  )
}
