import { markdownReference, markdownText } from './markdown-text.ts'
import { leftOut, notDone, refusedWords, statistics, tierWords } from './report-facts.ts'
import type { ReportInput } from './report-input.ts'
import { coverageText, verdictWords } from './verdict-words.ts'

/** The last sections: what was cited, left out, searched, counted and missed; one without content is empty. */
export function markdownEnd(input: ReportInput): readonly (readonly string[])[] {
  return [
    references(input),
    remarks(input),
    excluded(input),
    search(input),
    ['## Statistics', '', ...markdownTable(['What', 'Figure'], statistics(input))],
    coverage(input),
    undone(input),
  ]
}

/** A table of Markdown whose cells are any texts. */
export function markdownTable(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const line = (cells: readonly string[]) => `| ${cells.map(markdownText).join(' | ')} |`
  return [line(heads), `|${' --- |'.repeat(heads.length)}`, ...rows.map(line)]
}

/** `[n] Authors. (Year). Title. arXiv:ID. URL — path`, which is what the check of a report reads. */
function references(input: ReportInput): readonly string[] {
  const known = new Set(input.references.map(({ n }) => n))
  const others = input.citations.filter(({ n }) => !known.has(n))
  const entries = [
    ...input.references.map(({ n, line }) => ({ n, line })),
    ...others.map(({ n, title, url }) => ({ n, line: [title, url ?? ''].join('. ') })),
  ].sort((one, other) => one.n - other.n)
  if (entries.length === 0) return []
  return ['## References', ...entries.flatMap(({ n, line }) => ['', entry(n, line, input)])]
}

function entry(n: number, line: string, { papers, citations }: ReportInput): string {
  const path =
    papers.find((paper) => paper.n === n)?.path ?? citations.find((source) => source.n === n)?.path
  return `[${n}] ${markdownReference(line)}${path === undefined ? '' : ` — ${markdownReference(path)}`}`
}

function remarks({ references: all }: ReportInput): readonly string[] {
  const lines = all.flatMap(({ n, remarks: found }) =>
    found.map((remark) => `- Reference ${n}: ${markdownText(remark)}`),
  )
  return lines.length === 0 ? [] : ['## Notes on the references', '', ...lines]
}

function excluded(input: ReportInput): readonly string[] {
  const papers = leftOut(input).map(
    ({ paper, reason }) => `- Paper “${markdownText(paper.title)}”: ${markdownText(reason)}`,
  )
  const points = input.refused.map(
    ({ kind, text, reason }) =>
      `- ${refusedWords[kind]} “${markdownText(text)}”: ${markdownText(reason)}`,
  )
  return [
    ...(papers.length === 0 ? [] : ['## Papers left out', '', ...papers]),
    ...(papers.length > 0 && points.length > 0 ? [''] : []),
    ...(points.length === 0 ? [] : ['## Points rejected', '', ...points]),
  ]
}

function search({ search: tiers }: ReportInput): readonly string[] {
  if (tiers.length === 0) return []
  const rows = tiers.map(({ place, outcome, found, detail }) => [
    place,
    tierWords[outcome],
    String(found),
    detail,
  ])
  return ['## Search', '', ...markdownTable(['Place', 'Outcome', 'Found', 'Detail'], rows)]
}

function coverage({ coverage: ofSummary, coverageOfPoints }: ReportInput): readonly string[] {
  const rows = Object.values(verdictWords).map(({ word, meaning, field }) => [
    word,
    meaning,
    String(ofSummary[field]),
    String(coverageOfPoints[field]),
  ])
  return [
    '## Coverage',
    '',
    `- Summary: ${coverageText(ofSummary)}`,
    `- Findings and points: ${coverageText(coverageOfPoints)}`,
    '',
    ...markdownTable(['Verdict', 'Meaning', 'Summary', 'Findings and points'], rows),
  ]
}

function undone(input: ReportInput): readonly string[] {
  const lines = notDone(input).map((text) => `- ${markdownText(text)}`)
  return lines.length === 0 ? [] : ['## Not completed', '', ...lines]
}
