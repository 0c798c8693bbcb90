import type { Analysis, Finding } from '../result.ts'
import { type Html, html } from './html.ts'
import { evidenceList, verdictChip, verdictReason } from './html-evidence.ts'
import { confidenceBar, paperLinks } from './html-papers.ts'
import { shortName, statusWords } from './paper-words.ts'
import { analysisParts } from './report-facts.ts'
import type { ReportInput } from './report-input.ts'
import { numberedPapers } from './report-points.ts'

/** One folded part for each paper that has a number, with what its analysis says. */
export function analysesSection(input: ReportInput): Html {
  const items = numberedPapers(input).map((paper) => {
    const analysis = input.analyses.find(({ paperId }) => paperId === paper.id)
    const { word, tone } = statusWords[paper.status]
    return html`<details class="paper" id="paper-${paper.n}"><summary><h3 dir="auto"><span class="number">[${paper.n}]</span>${paper.title}</h3>
<span class="sub"><bdi>${shortName(paper)}</bdi> · <span class="chip ${tone}">${word}</span></span></summary>
<p class="sub links">${paperLinks(paper)}</p>
${analysis === undefined ? html`<p class="dim">Not analysed. ${paper.reason ?? ''}</p>` : analysisBody(analysis, `a${paper.n}`, input)}</details>
`
  })
  return html`${items}`
}

function analysisBody(analysis: Analysis, id: string, input: ReportInput): Html {
  const parts = analysisParts.map(({ name, of }, index) =>
    findings(name, of(analysis), `${id}-${index + 1}`, input),
  )
  return html`<p class="dim">Confidence ${confidenceBar(analysis.confidence)} from ${analysis.chunks} chunks of the paper</p>
${analysis.error === undefined ? null : html`<p class="reason">The analysis failed: ${analysis.error}</p>`}${parts}`
}

function findings(name: string, all: readonly Finding[], id: string, input: ReportInput): Html {
  if (all.length === 0) return html``
  const items = all.map((finding, index) => {
    const anchor = `${id}-${index + 1}`
    return html`<li id="${anchor}"><p dir="auto">${finding.text} ${verdictChip(finding)}</p>
${verdictReason(finding)}${evidenceList(finding.evidence, anchor, input)}</li>
`
  })
  return html`<h4>${name}</h4><ul class="plain">${items}</ul>\n`
}
