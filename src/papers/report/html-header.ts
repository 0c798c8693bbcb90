import { type Html, html } from './html.ts'
import { costText, engineText, grouped, outcomeOf, secondsText } from './report-facts.ts'
import type { ReportInput } from './report-input.ts'
import { keptPapers } from './report-points.ts'

/** What was asked, how it ended, who wrote it, and the figures that matter most. */
export function pageHeader(input: ReportInput): Html {
  const { word, sign, tone } = outcomeOf(input)
  const figures = headFigures(input).map(
    ([name, value, note]) =>
      html`<div><dt>${name}</dt><dd>${value}${note === '' ? null : html` <small>${note}</small>`}</dd></div>\n`,
  )
  return html`<header class="top">
<p class="kind">Papers${input.category === '' ? null : html` <span class="category">${input.category}</span>`}</p>
<h1 dir="auto">${input.question}</h1>
<p class="outcome"><span class="chip ${tone}"><span aria-hidden="true">${sign}</span> ${word}</span></p>
<p class="engine">${engineText(input)}</p>
<dl class="head-figures">${figures}</dl>
</header>`
}

function headFigures(input: ReportInput): readonly (readonly [string, string, string])[] {
  const { papers, coverage, coverageOfPoints, timings, costUsd } = input
  const pages = papers.reduce((sum, { pageCount = 0 }) => sum + pageCount, 0)
  const claims = coverage.claims + coverageOfPoints.claims
  const [one, two] = [coverage, coverageOfPoints]
  const good = one.verbatim + one.supported + two.verbatim + two.supported
  return [
    ['Papers kept', String(keptPapers(input).length), `of ${papers.length} found`],
    ['Pages read', grouped(pages), ''],
    ['Supported statements', String(good), `of ${claims}`],
    costUsd === null ? ['Cost', 'unknown', ''] : ['Cost', costText(costUsd), ''],
    ['Time', secondsText(timings.wallMs), ''],
  ]
}
