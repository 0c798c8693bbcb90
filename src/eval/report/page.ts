import { createHash } from 'node:crypto'
import { escapeHtml } from '../../citations/markup/escape-html.ts'
import type { RefusedLine } from '../question.ts'
import type { EvalResult } from '../result.ts'
import type { SetSummary } from '../summary.ts'
import { histogram } from './histogram.ts'
import { pageScript } from './page-script.ts'
import { pageStyle } from './page-style.ts'
import { questionTable } from './question-table.ts'
import { scatter } from './scatter.ts'
import { scoreChart } from './score-chart.ts'
import { engineNames, engineNotes, scoreColumns } from './scores.ts'

/** What the page tells. */
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

/** The report as one HTML page that asks for nothing else: no script, style, font or image from anywhere. */
export function reportPage(facts: ReportFacts): string {
  const title = escapeHtml(`Evaluation: ${facts.title}`)
  const policy = `default-src 'none'; style-src ${hashOf(pageStyle)}; script-src ${hashOf(pageScript)}; base-uri 'none'; form-action 'none'`
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
<p class="dim">Rates with Wilson intervals at 95 %. EM: exact match as in SQuAD; GAIA: by the rules of GAIA; F1: mean over words; supported: of the claims that were checked; checked: of all claims. Unanswered and failed questions count as wrong.</p>
${scoreChart(facts.sets)}
<div class="charts">${smallCharts(facts.results)}</div>
<h2>Questions</h2>
<div class="wide">${questionTable(facts.results)}</div>
<script>${pageScript}</script>
</body>
</html>
`
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

function headLines(facts: ReportFacts): string {
  const { madeAt, models, answerFormat, total, done, treatments, refused } = facts
  const lines = [
    `${done} of ${total} questions${done < total ? ': not all are over yet' : ''}. Answered by ${engineNames(models).join(', ')}, in the ${answerFormat} form. ${madeAt}`,
    ...engineNotes(models),
    ...treatments.map(({ set, treatment }) => `${set}: ${treatment}.`),
    ...refused.slice(0, 20).map(({ line, reason }) => `Left out: line ${line}: ${reason}`),
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
      ? '<p>It is not known.</p>'
      : isFree
        ? '<p>Nothing was paid.</p>'
        : histogram(costs, 'dollars')
  const left = unknown > 0 ? `<p class="dim">Unknown for ${unknown}.</p>` : ''
  return `
<section><h3>Time a question</h3>${seconds.length === 0 ? '<p>–</p>' : histogram(seconds, 'seconds')}</section>
<section><h3>Cost a question</h3>${costChart}${left}</section>
<section><h3>F1 against supported claims</h3>${scatter(results)}</section>`
}
