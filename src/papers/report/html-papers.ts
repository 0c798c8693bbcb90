import type { Analysis, Finding, PaperEntry } from '../result.ts'
import { fileLink, type Html, html, safeLink } from './html.ts'
import { evidenceList, verdictChip, verdictReason } from './html-evidence.ts'
import { analysisParts, numberedPapers, percent, type ReportInput } from './report-facts.ts'
import { authorsText, shortName, statusWords, yearOf } from './report-words.ts'

interface Column {
  readonly name: string
  readonly isNumber?: true
  /** The sort key; empty values come last. */
  value(paper: PaperEntry): string
  cell(paper: PaperEntry): Html
}

const columns: readonly Column[] = [
  {
    name: 'No.',
    isNumber: true,
    value: ({ n }) => figure(n),
    cell: ({ n }) => (n === undefined ? html`–` : html`<a href="#ref-${n}">[${n}]</a>`),
  },
  { name: 'Paper', value: ({ title }) => title, cell: titleCell },
  { name: 'Year', isNumber: true, value: yearOf, cell: (paper) => html`${yearOf(paper)}` },
  { name: 'Status', value: ({ status }) => statusWords[status].word, cell: statusCell },
  {
    name: 'Confidence',
    isNumber: true,
    value: ({ confidence }) => figure(confidence),
    cell: ({ confidence }) => (confidence === undefined ? html`–` : confidenceBar(confidence)),
  },
  {
    name: 'Pages',
    isNumber: true,
    value: ({ pageCount }) => figure(pageCount),
    cell: ({ pageCount }) => html`${pageCount ?? '–'}`,
  },
]

/** The table of all papers; the script makes it sortable. */
export function paperTable({ papers }: ReportInput): Html {
  const heads = columns.map(
    ({ name, isNumber }) =>
      html`<th role="columnheader" scope="col"${isNumber ? html` data-numbers` : null}>${name}</th>`,
  )
  const rows = papers.map((paper) => {
    const cells = columns.map((column) => {
      const role = column.name === 'Paper' ? 'rowheader' : 'cell'
      return html`<td role="${role}" data-name="${column.name}" data-value="${column.value(paper)}">${column.cell(paper)}</td>`
    })
    return html`<tr role="row">${cells}</tr>\n`
  })
  return html`<table class="papers" role="table" data-sorts>
<caption class="unseen">The papers and their status</caption>
<thead role="rowgroup"><tr role="row">${heads}</tr></thead>
<tbody role="rowgroup">${rows}</tbody></table>`
}

/** A share as a bar with its figure. */
function confidenceBar(share: number): Html {
  const width = Math.round(Math.max(0, Math.min(1, share)) * 100)
  return html`<span class="share"><svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="6"/><rect class="fill" width="${width}" height="6"/></svg> ${percent(share)}</span>`
}

function titleCell(paper: PaperEntry): Html {
  const { n, title, authors } = paper
  const name =
    n === undefined
      ? html`<span class="title" dir="auto">${title}</span>`
      : html`<a class="title" href="#paper-${n}" dir="auto">${title}</a>`
  const retraction =
    paper.retraction === undefined
      ? null
      : html`<span class="chip bad"><span aria-hidden="true">!</span> retracted</span>`
  return html`${name}<span class="sub"><bdi>${authorsText(authors)}</bdi> ${retraction}</span><span class="sub links">${paperLinks(paper)}</span>`
}

/** Links to a paper's page and text. */
function paperLinks(paper: PaperEntry): Html {
  const about = safeLink(paper.url)
  const file = fileLink(paper)
  const unseen = html`<span class="unseen"> of: ${paper.title}</span>`
  return html`${
    about === undefined
      ? null
      : html`<a href="${about}" rel="noopener noreferrer">Page${unseen}</a> `
  }${
    file === undefined
      ? null
      : html`<a href="${file}" rel="noopener noreferrer">${paper.path === undefined ? 'PDF' : 'File'}${unseen}</a> `
  }<span class="dim">found by ${paper.foundBy.join(', ')}</span>`
}

function statusCell({ status }: PaperEntry): Html {
  const { word, sign, tone } = statusWords[status]
  return html`<span class="chip ${tone}"><span aria-hidden="true">${sign}</span> ${word}</span>`
}

function figure(value: number | undefined): string {
  return value === undefined ? '' : String(value)
}

/** One collapsible section per numbered paper, with its analysis. */
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
  return html`<p class="dim">Confidence ${confidenceBar(analysis.confidence)} from ${analysis.chunks} passages of the paper</p>
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
