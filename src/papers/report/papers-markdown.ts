import type { Evidence } from '../../citations/claim.ts'
import type { Finding, PaperStance } from '../result.ts'
import { markdownEnd, markdownTable } from './markdown-facts.ts'
import { markdownAnswer, markdownQuote, markdownText } from './markdown-text.ts'
import { authorsText, shortName, statusWords, yearOf } from './paper-words.ts'
import {
  analysisParts,
  confidenceText,
  engineText,
  nothingBetween,
  outcomeOf,
  percent,
} from './report-facts.ts'
import type { ReportInput } from './report-input.ts'
import { numberedPapers } from './report-points.ts'
import { coverageText, judgeText, stanceWords, verdictWords } from './verdict-words.ts'

/**
 * The report as Markdown. The lines with `[n, p. 4] “quote”` and the sentences of the summary cite the list of references, so
 * `scholium verify` can check them; the other lines say what the run found and cite nothing.
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
  const { word } = outcomeOf(input)
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

/** A sentence that cites nothing a second time. */
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
        `Confidence ${percent(analysis.confidence)}, from ${analysis.chunks} chunks of the paper.`,
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

/** Whether nothing can be said of a finding but the words of its place. */
function isQuotation({ text, verdict, evidence }: Finding): boolean {
  const [only] = evidence
  return (
    verdict === 'verbatim' && evidence.length === 1 && inOneLine(only?.quote) === inOneLine(text)
  )
}

function inOneLine(text = ''): string {
  return text.replace(/\s+/g, ' ').trim()
}
