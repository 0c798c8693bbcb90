import type { Evidence } from '../../citations/claim.ts'
import type { Finding, PaperStance } from '../result.ts'
import { markdownAnswer, markdownQuote, markdownReference, markdownText } from './markdown-text.ts'
import {
  analysisParts,
  confidenceText,
  describeOutcome,
  engineText,
  leftOut,
  listFailures,
  nothingBetween,
  numberedPapers,
  percent,
  type ReportInput,
  refusedWords,
  statistics,
  tierWords,
} from './report-facts.ts'
import {
  authorsText,
  coverageText,
  judgeText,
  shortName,
  stanceWords,
  statusWords,
  verdictWords,
  yearOf,
} from './report-words.ts'

/**
 * The report as Markdown. Lines with `[n, p. 4] “quote”` and the sentences of the summary cite the reference list, so
 * `scholium verify` can check them; the other lines cite nothing.
 */
export function papersMarkdown(input: ReportInput): string {
  const sections = [
    head(input),
    summary(input),
    between(input),
    consensus(input),
    contradictions(input),
    gaps(input),
    papers(input),
    analyses(input),
    ...markdownEnd(input),
  ]
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`
}

function head(input: ReportInput): readonly string[] {
  const { word } = describeOutcome(input)
  const { coverage, coverageOfPoints } = input
  return [
    `# ${markdownText(input.question)}`,
    '',
    `- Status: ${word}`,
    `- ${markdownText(engineText(input))}`,
    `- Summary: ${coverageText(coverage)}`,
    `- Findings and points: ${coverageText(coverageOfPoints)}`,
    '- Each quotation is followed by the number and page of its paper. A finding that is only a quotation is verbatim. The papers’ own citation marks, such as \\[12\\], are removed.',
  ]
}

function summary({ answer, claims }: ReportInput): readonly string[] {
  const text = markdownAnswer(answer)
  const doubtful = claims.filter(({ verdict }) => verdictWords[verdict].tone !== 'good')
  const told = ['', 'Sentences that are unsupported, partly supported or unchecked:', '']
  return [
    '## Summary',
    '',
    text === '' ? 'No summary.' : text,
    ...(doubtful.length === 0 ? [] : told),
    ...doubtful.map(
      (claim) => `- ${markdownText(withoutNumbers(claim.text))} (${verdictLine(claim)})`,
    ),
  ]
}

/** Removes citations from a sentence that was cited before. */
function withoutNumbers(sentence: string): string {
  return sentence.replace(/\s*\[\d[^\]]*\]/g, '')
}

function between(input: ReportInput): readonly string[] {
  const text = nothingBetween(input)
  return text === undefined ? [] : ['## Consensus and contradictions', '', text]
}

function consensus(input: ReportInput): readonly string[] {
  const points = input.synthesis.consensus
  if (points.length === 0) return []
  return [
    '## Consensus',
    ...points.flatMap(({ point, stances }, index) => [
      '',
      `### ${index + 1}. ${markdownText(point)}`,
      '',
      ...stanceLines(stances, input),
    ]),
  ]
}

function contradictions(input: ReportInput): readonly string[] {
  const found = input.synthesis.contradictions
  if (found.length === 0) return []
  return [
    '## Contradictions',
    ...found.flatMap(({ description, context, sideA, sideB }, index) => [
      '',
      `### ${index + 1}. ${markdownText(description)}`,
      ...(context === '' ? [] : ['', markdownText(context)]),
      ...([sideA, sideB] as const).flatMap(({ says, stances }, side) => [
        '',
        `#### Side ${side === 0 ? 'A' : 'B'}: ${markdownText(says)}`,
        '',
        ...stanceLines(stances, input),
      ]),
    ]),
  ]
}

function gaps(input: ReportInput): readonly string[] {
  const found = input.synthesis.gaps
  if (found.length === 0) return []
  return [
    '## Gaps',
    ...found.flatMap(({ text, stances }, index) => [
      '',
      `### ${index + 1}. ${markdownText(text)}`,
      '',
      ...(stances.length === 0
        ? ['- Not stated in any of the papers.']
        : stanceLines(stances, input)),
    ]),
  ]
}

function stanceLines(stances: readonly PaperStance[], input: ReportInput): readonly string[] {
  if (stances.length === 0) return ['- Not supported by any paper.']
  return stances.flatMap((stance) => {
    const paper = input.papers.find(({ id }) => id === stance.paperId)
    const name = paper === undefined ? stance.paperId : shortName(paper)
    return [
      `- **${stanceWords(stance).done}** by ${markdownText(name)}: ${verdictLine(stance)}`,
      ...evidenceLines(stance.evidence, '  '),
    ]
  })
}

function verdictLine({
  verdict,
  judge,
  reason,
}: Pick<Finding, 'verdict' | 'judge' | 'reason'>): string {
  const { word, tone } = verdictWords[verdict]
  const why = tone === 'good' || reason === '' ? '' : `. ${markdownText(reason)}`
  return `*${word}*, ${markdownText(judgeText(judge))}${why}`
}

function evidenceLines(evidence: readonly Evidence[], indent: string): readonly string[] {
  return evidence.map(({ n, page, quote }) => {
    const place = page === undefined ? `[${n}]` : `[${n}, p. ${page}]`
    return `${indent}- ${place} ${markdownQuote(quote)}`
  })
}

function papers({ papers: all }: ReportInput): readonly string[] {
  if (all.length === 0) return []
  const rows = all.map((paper) => [
    paper.n === undefined ? '' : String(paper.n),
    paper.title,
    authorsText(paper.authors),
    yearOf(paper),
    statusWords[paper.status].word,
    paper.confidence === undefined ? '' : percent(paper.confidence),
    paper.pageCount === undefined ? '' : String(paper.pageCount),
    paper.foundBy.join(', '),
  ])
  const heads = ['No.', 'Title', 'Authors', 'Year', 'Status', 'Confidence', 'Pages', 'Found by']
  return ['## Papers', '', ...markdownTable(heads, rows), '', confidenceText]
}

function analyses(input: ReportInput): readonly string[] {
  const papersById = new Map(numberedPapers(input).map((paper) => [paper.id, paper]))
  if (input.analyses.length === 0) return []
  return [
    '## Analyses',
    ...input.analyses.flatMap((analysis) => {
      const n = papersById.get(analysis.paperId)?.n
      const failed =
        analysis.error === undefined ? [] : ['', `Failed: ${markdownText(analysis.error)}`]
      return [
        '',
        `### ${n === undefined ? '' : `Paper ${n}: `}${markdownText(analysis.title)}`,
        '',
        `Confidence ${percent(analysis.confidence)}, from ${analysis.chunks} passages of the paper.`,
        ...failed,
        ...analysisParts.flatMap(({ name, of }) => findingLines(name, of(analysis))),
      ]
    }),
  ]
}

function findingLines(name: string, findings: readonly Finding[]): readonly string[] {
  if (findings.length === 0) return []
  return [
    '',
    `#### ${name}`,
    '',
    ...findings.flatMap((finding) =>
      isQuotation(finding)
        ? evidenceLines(finding.evidence, '')
        : [
            `- ${markdownText(finding.text)} (${verdictLine(finding)})`,
            ...evidenceLines(finding.evidence, '  '),
          ],
    ),
  ]
}

/** Whether a finding is nothing but its quotation. */
function isQuotation({ text, verdict, evidence }: Finding): boolean {
  const [only] = evidence
  return (
    verdict === 'verbatim' && evidence.length === 1 && inOneLine(only?.quote) === inOneLine(text)
  )
}

function inOneLine(text = ''): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** The last sections: references, exclusions, search, figures and failures. Sections without content are empty. */
function markdownEnd(input: ReportInput): readonly (readonly string[])[] {
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

/** A Markdown table with any texts in its cells. */
function markdownTable(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const line = (cells: readonly string[]) => `| ${cells.map(markdownText).join(' | ')} |`
  return [line(heads), `|${' --- |'.repeat(heads.length)}`, ...rows.map(line)]
}

/** `[n] Authors. (Year). Title. arXiv:ID. URL — path`, the format that `scholium verify` reads. */
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
  const lines = listFailures(input).map((text) => `- ${markdownText(text)}`)
  return lines.length === 0 ? [] : ['## Not completed', '', ...lines]
}
