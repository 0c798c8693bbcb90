import { createHash } from 'node:crypto'
import { Html, html } from './html.ts'
import {
  coverageSection,
  excludedSection,
  referencesSection,
  searchSection,
  statisticsSection,
  undoneSection,
} from './html-facts.ts'
import { analysesSection, paperTable } from './html-papers.ts'
import {
  agreementMatrix,
  consensusSection,
  contradictionsSection,
  gapsSection,
} from './html-points.ts'
import { summarySection } from './html-summary.ts'
import { pageScript } from './page-script.ts'
import { pageStyle } from './page-style.ts'
import {
  confidenceText,
  costText,
  describeOutcome,
  engineText,
  grouped,
  keptByNumber,
  leftOut,
  listFailures,
  nothingBetween,
  type ReportInput,
  reportPoints,
  secondsText,
} from './report-facts.ts'

interface Section {
  readonly id: string
  readonly name: string
  /** A sentence below the heading. */
  readonly note?: string
  readonly isThere: boolean
  body(input: ReportInput): Html
}

/**
 * The report as one self-contained page that works without its script. No text of a paper, a model or a person becomes
 * markup; links are http, https or the paper's own file.
 */
export function papersHtml(input: ReportInput): string {
  const shown = sections(input).filter(({ isThere }) => isThere)
  const policy = `default-src 'none'; style-src ${cspHash(pageStyle)}; script-src ${cspHash(pageScript)}; img-src data:; base-uri 'none'; form-action 'none'`
  const links = shown.map(({ id, name }) => html`<li><a href="#${id}">${name}</a></li>\n`)
  const bodies = shown.map(
    ({ id, name, note, body }) => html`<section id="${id}" aria-labelledby="${id}-name">
<h2 id="${id}-name">${name}</h2>
${note === undefined ? null : html`<p class="note">${note}</p>`}${body(input)}
</section>
`,
  )
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Html(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${input.question} – papers</title>
<link rel="icon" href="data:,">
<style>${new Html(pageStyle)}</style>
</head>
<body>
<a class="skip" href="#summary">Skip to the summary</a>
${pageHeader(input)}
<div class="frame">
<nav aria-label="Contents"><ul>${links}</ul></nav>
<main>
${bodies}</main>
</div>
<footer><p>Run ${input.runId} · made with Scholium</p></footer>
<script>${new Html(pageScript)}</script>
</body>
</html>
`.markup
}

function cspHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

function between(nothing: string | undefined): Section {
  const body = () => html`<p class="dim">${nothing ?? ''}</p>`
  return {
    id: 'between',
    name: 'Consensus and contradictions',
    isThere: nothing !== undefined,
    body,
  }
}

function sections(input: ReportInput): readonly Section[] {
  const { synthesis, papers, references, citations, refused, search } = input
  const { consensus, contradictions, gaps } = synthesis
  return [
    { id: 'summary', name: 'Summary', isThere: true, body: summarySection },
    {
      id: 'papers',
      name: 'Papers',
      note: confidenceText,
      isThere: papers.length > 0,
      body: paperTable,
    },
    {
      id: 'agreement',
      name: 'Who says what',
      note: 'One row per point, one column per paper. Each mark links to the evidence.',
      isThere: reportPoints(input).length > 0,
      body: agreementMatrix,
    },
    between(nothingBetween(input)),
    { id: 'consensus', name: 'Consensus', isThere: consensus.length > 0, body: consensusSection },
    {
      id: 'contradictions',
      name: 'Contradictions',
      isThere: contradictions.length > 0,
      body: contradictionsSection,
    },
    { id: 'gaps', name: 'Gaps', isThere: gaps.length > 0, body: gapsSection },
    {
      id: 'analyses',
      name: 'Paper by paper',
      isThere: papers.some(({ n }) => n !== undefined),
      body: analysesSection,
    },
    {
      id: 'references',
      name: 'References',
      isThere: references.length + citations.length > 0,
      body: referencesSection,
    },
    {
      id: 'excluded',
      name: 'Left out and rejected',
      isThere: leftOut(input).length + refused.length > 0,
      body: excludedSection,
    },
    { id: 'search', name: 'Search', isThere: search.length > 0, body: searchSection },
    { id: 'coverage', name: 'Coverage', isThere: true, body: coverageSection },
    { id: 'statistics', name: 'Statistics', isThere: true, body: statisticsSection },
    {
      id: 'undone',
      name: 'Not completed',
      isThere: listFailures(input).length > 0,
      body: undoneSection,
    },
  ]
}

/** The question, the outcome, the models and the main figures. */
function pageHeader(input: ReportInput): Html {
  const { word, sign, tone } = describeOutcome(input)
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
    ['Papers kept', String(keptByNumber(input).length), `of ${papers.length} found`],
    ['Pages read', grouped(pages), ''],
    ['Supported statements', String(good), `of ${claims}`],
    costUsd === null ? ['Cost', 'unknown', ''] : ['Cost', costText(costUsd), ''],
    ['Time', secondsText(timings.wallMs), ''],
  ]
}
