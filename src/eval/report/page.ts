import { createHash } from 'node:crypto'
import { escapeHtml } from '../../citations/markup/escape-html.ts'
import type { RefusedLine } from '../question.ts'
import type { EvalResult } from '../result.ts'
import type { SetSummary } from '../summary.ts'
import { renderHistogram, renderScatter, renderScoreChart } from './charts.ts'
import { renderQuestionTable } from './question-table.ts'
import { engineNames, engineNotes, scoreColumns } from './scores.ts'

/** The contents of the page. */
export interface ReportFacts {
  readonly title: string
  /** ISO 8601. */
  readonly madeAt: string
  readonly answerFormat: 'full' | 'short'
  readonly models: Readonly<Record<string, string>>
  readonly treatments: readonly { readonly set: string; readonly treatment: string }[]
  readonly refused: readonly RefusedLine[]
  readonly total: number
  readonly done: number
  readonly sets: readonly SetSummary[]
  readonly results: readonly EvalResult[]
}

/** Renders the report as one self-contained HTML page that loads nothing. */
export function renderReportPage(facts: ReportFacts): string {
  const title = escapeHtml(`Evaluation: ${facts.title}`)
  const policy = `default-src 'none'; style-src ${hashContent(pageStyle)}; script-src ${hashContent(pageScript)}; base-uri 'none'; form-action 'none'`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${pageStyle}</style>
</head>
<body>
<h1>${title}</h1>
${headLines(facts)}
<h2>Scores</h2>
<div class="wide">${scoreTable(facts.sets)}</div>
<p class="dim">Rates with 95 % Wilson intervals. EM: exact match as in SQuAD; GAIA: GAIA's rules; F1: mean over words; supported: share of checked claims; checked: share of all claims. Unanswered and failed questions count as wrong.</p>
${renderScoreChart(facts.sets)}
<div class="charts">${smallCharts(facts.results)}</div>
<h2>Questions</h2>
<div class="wide">${renderQuestionTable(facts.results)}</div>
<script>${pageScript}</script>
</body>
</html>
`
}

function hashContent(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

function headLines(facts: ReportFacts): string {
  const { madeAt, models, answerFormat, total, done, treatments, refused } = facts
  const lines = [
    `${done} of ${total} questions${done < total ? ' so far' : ''}. Answered by ${engineNames(models).join(', ')}, in the ${answerFormat} form. ${madeAt}`,
    ...engineNotes(models),
    ...treatments.map(({ set, treatment }) => `${set}: ${treatment}.`),
    ...refused.slice(0, 20).map(({ line, reason }) => `Skipped: line ${line}: ${reason}`),
    ...(refused.length > 20 ? [`and ${refused.length - 20} more lines`] : []),
  ]
  return lines.map((line) => `<p class="dim">${escapeHtml(line)}</p>`).join('\n')
}

function scoreTable(sets: readonly SetSummary[]): string {
  const rows = sets.map((summary) => {
    const cells = scoreColumns.map(({ text }) => `<td class="n">${escapeHtml(text(summary))}</td>`)
    return `<tr>${cells.join('')}</tr>`
  })
  const row = scoreColumns.map(({ head }) => `<th scope="col">${head}</th>`).join('')
  return `<table><thead><tr>${row}</tr></thead><tbody>${rows.join('')}</tbody></table>`
}

function smallCharts(results: readonly EvalResult[]): string {
  const seconds = results.flatMap(({ seconds }) => seconds ?? [])
  const costs = results.flatMap(({ costUsd }) => costUsd ?? [])
  const isFree = costs.every((costUsd) => costUsd === 0)
  const unknown = results.length - costs.length
  const costChart =
    costs.length === 0
      ? '<p>Unknown.</p>'
      : isFree
        ? '<p>No cost.</p>'
        : renderHistogram(costs, 'dollars')
  const left = unknown > 0 ? `<p class="dim">Unknown for ${unknown}.</p>` : ''
  return `
<section><h3>Time per question</h3>${seconds.length === 0 ? '<p>–</p>' : renderHistogram(seconds, 'seconds')}</section>
<section><h3>Cost per question</h3>${costChart}${left}</section>
<section><h3>F1 against supported claims</h3>${renderScatter(results)}</section>`
}

/** The page's script: a click on a header of the question table sorts by that column, another click reverses the order. */
export const pageScript = `
const table = document.querySelector('#questions')
const heads = [...table.querySelectorAll('th')]
for (const [column, head] of heads.entries()) {
  head.querySelector('button').addEventListener('click', () => {
    const isUp = head.getAttribute('aria-sort') !== 'ascending'
    for (const other of heads) other.removeAttribute('aria-sort')
    head.setAttribute('aria-sort', isUp ? 'ascending' : 'descending')
    const body = table.querySelector('tbody')
    const valueOf = (row) => row.children[column].getAttribute('data-value')
    const rows = [...body.querySelectorAll('tr')].sort((one, other) => {
      const [a, b] = [valueOf(one), valueOf(other)]
      if (a === '' || b === '') return (a === '') - (b === '')
      const order = head.hasAttribute('data-numbers') ? a - b : a.localeCompare(b)
      return isUp ? order : -order
    })
    for (const row of rows) body.append(row)
  })
}
`

/** The style of the page, for light and dark. */
const pageStyle = `
:root { color-scheme: light dark; --back: #fff; --text: #1b1f24; --dim: #5b6570; --line: #d7dce1; --bar: #3f72af; --good: #1a7f37; --bad: #b3261e; --open: #8a6100; }
@media (prefers-color-scheme: dark) { :root { --back: #14171a; --text: #e4e7ea; --dim: #9aa4ae; --line: #333a41; --bar: #6ea0dc; --good: #57c273; --bad: #f2857c; --open: #d8a93a; } }
body { background: var(--back); color: var(--text); font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 1200px; padding: 1.5rem; }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; } h3 { font-size: .95rem; margin: 0; }
p { margin: .4rem 0; } .dim { color: var(--dim); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; } th, td { border-bottom: 1px solid var(--line); padding: .35rem .6rem; text-align: left; vertical-align: top; }
th { position: sticky; top: 0; background: var(--back); white-space: nowrap; } td.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
th button { font: inherit; font-weight: 600; color: inherit; background: none; border: 0; padding: 0; cursor: pointer; }
th[aria-sort=ascending] button::after { content: " ▲"; } th[aria-sort=descending] button::after { content: " ▼"; }
td.text { min-width: 12rem; max-width: 24rem; overflow-wrap: anywhere; } summary { cursor: pointer; } .pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.good { color: var(--good); } .bad { color: var(--bad); } .open { color: var(--open); }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(320px, 1fr)); gap: 1rem; }
svg { width: 100%; height: auto; max-width: 900px; } svg text { fill: var(--dim); font-size: 11px; } svg .name { fill: var(--text); font-weight: 600; font-size: 12px; }
svg .end { text-anchor: end; } svg .tick { text-anchor: middle; } svg .grid { stroke: var(--line); fill: none; } svg .bar { fill: var(--bar); opacity: .8; }
svg .whisker { stroke: var(--text); fill: none; stroke-width: 1.5; } svg .dot { fill: var(--bar); opacity: .6; }
code { font-size: .9em; }
`
