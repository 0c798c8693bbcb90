import type { Coverage } from '../../citations/claim.ts'
import { type Html, html, safeLink } from './html.ts'
import {
  leftOut,
  listFailures,
  type ReportInput,
  refusedWords,
  statistics,
  tierWords,
} from './report-facts.ts'
import { coverageText, verdictWords } from './report-words.ts'

/** The reference list by number, with the remarks of checks. */
export function referencesSection(input: ReportInput): Html {
  const known = new Set(input.references.map(({ n }) => n))
  const others = input.citations
    .filter(({ n }) => !known.has(n))
    .map(({ n, title, url }) => ({ n, line: `${title}. ${url ?? ''}`, remarks: [] }))
  const all = [...input.references, ...others].sort((one, other) => one.n - other.n)
  const items = all.map(
    ({
      n,
      line,
      remarks,
    }) => html`<li id="ref-${n}"><span class="number">[${n}]</span><div><p dir="auto">${withLink(line)}</p>
${remarks.map((remark) => html`<p class="reason">${remark}</p>`)}</div></li>
`,
  )
  return html`<ol class="references">${items}</ol>`
}

function withLink(line: string): Html {
  const [, before = '', address = ''] = /^(.*?)(https?:\/\/\S+)\s*$/s.exec(line) ?? []
  const link = safeLink(address)
  return link === undefined
    ? html`${line}`
    : html`${before}<a href="${link}" rel="noopener noreferrer">${address}</a>`
}

/** Papers and points that are not part of the synthesis, each with the reason. */
export function excludedSection(input: ReportInput): Html {
  const papers = leftOut(input).map(
    ({ paper, reason }) =>
      html`<li><p dir="auto"><cite>${paper.title}</cite></p><p class="reason" dir="auto">${reason}</p></li>\n`,
  )
  const points = input.refused.map(
    ({ kind, text, reason }) =>
      html`<li><p dir="auto"><span class="kind">${refusedWords[kind]}</span> ${text}</p><p class="reason" dir="auto">${reason}</p></li>\n`,
  )
  return html`${
    papers.length === 0 ? null : html`<h3>Papers left out</h3><ul class="plain">${papers}</ul>`
  }${points.length === 0 ? null : html`<h3>Points rejected</h3><ul class="plain">${points}</ul>`}`
}

/** How the search went, place by place. */
export function searchSection({ search }: ReportInput): Html {
  const items = search.map(
    ({ place, outcome, found, detail }) =>
      html`<li><p><b>${place}</b> <span class="chip ${outcome === 'used' ? 'good' : outcome === 'failed' ? 'bad' : 'open'}">${tierWords[outcome]}</span> <span class="dim">${found} found</span></p>${detail === '' ? null : html`<p class="reason" dir="auto">${detail}</p>`}</li>\n`,
  )
  return html`<ol class="plain tiers">${items}</ol>`
}

/** Figures of the run. */
export function statisticsSection(input: ReportInput): Html {
  const rows = statistics(input).map(
    ([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`,
  )
  return html`<dl class="figures">${rows}</dl>`
}

/** The verdicts of all statements, as two bars and a list. */
export function coverageSection({ coverage, coverageOfPoints }: ReportInput): Html {
  return html`${coverageBar('The summary', coverage)}${coverageBar('Findings and points', coverageOfPoints)}`
}

/** In units of the drawing. */
const barWidth = 1_000
const gapWidth = 4

function coverageBar(name: string, coverage: Coverage): Html {
  const shown = Object.values(verdictWords).filter(({ field }) => coverage[field] > 0)
  const room = barWidth - gapWidth * Math.max(0, shown.length - 1)
  let x = 0
  const pieces = shown.map(({ field, tone }) => {
    const width = (room * coverage[field]) / Math.max(1, coverage.claims)
    const piece = html`<rect class="${tone} ${field}" x="${x.toFixed(1)}" width="${width.toFixed(1)}" height="14"/>`
    x += width + gapWidth
    return piece
  })
  const counts = shown.map(
    ({ field, tone, sign, word, meaning }) =>
      html`<li class="${tone}"><span aria-hidden="true">${sign}</span> ${coverage[field]} ${word} <span class="dim">${meaning}</span></li>\n`,
  )
  return html`<figure class="coverage"><figcaption><b>${name}</b> <span class="dim">${coverageText(coverage)}</span></figcaption>
<svg viewBox="0 0 ${barWidth} 14" preserveAspectRatio="none" role="img" aria-label="${name}: ${coverageText(coverage)}">${pieces}</svg>
<ul>${counts}</ul></figure>
`
}

/** What could not be done. */
export function undoneSection(input: ReportInput): Html {
  return html`<ul class="plain">${listFailures(input).map((text) => html`<li dir="auto">${text}</li>\n`)}</ul>`
}
