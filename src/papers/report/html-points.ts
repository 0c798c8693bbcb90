import type { Contradiction } from '../result.ts'
import { type Html, html } from './html.ts'
import { stanceList } from './html-evidence.ts'
import type { ReportInput } from './report-input.ts'

/** What papers say alike, each point with its places. */
export function consensusSection(input: ReportInput): Html {
  const points = input.synthesis.consensus.map(
    ({ point, stances }, index) => html`<article class="point" id="c${index + 1}">
<h3 dir="auto"><span class="number">${index + 1}</span>${point}</h3>
${stanceList(stances, `c${index + 1}`, input)}</article>
`,
  )
  return html`${points}`
}

/** What papers say against each other, side by side. */
export function contradictionsSection(input: ReportInput): Html {
  const found = input.synthesis.contradictions.map(
    (contradiction, index) => html`<article class="point" id="x${index + 1}">
<h3 dir="auto"><span class="number">${index + 1}</span>${contradiction.description}</h3>
${contradiction.context === '' ? null : html`<p class="context" dir="auto">${contradiction.context}</p>`}
<div class="sides">${(['a', 'b'] as const).map((side) => sideBox(contradiction, side, index, input))}</div></article>
`,
  )
  return html`${found}`
}

function sideBox(
  { sideA, sideB }: Contradiction,
  side: 'a' | 'b',
  index: number,
  input: ReportInput,
): Html {
  const { says, stances } = side === 'a' ? sideA : sideB
  const id = `x${index + 1}${side}`
  return html`<section class="side" id="${id}"><h4 dir="auto"><span class="letter">${side.toUpperCase()}</span><span class="unseen">Side ${side.toUpperCase()}: </span>${says}</h4>
${stanceList(stances, id, input)}</section>
`
}

/** What the papers leave open. */
export function gapsSection(input: ReportInput): Html {
  const gaps = input.synthesis.gaps.map(
    ({ text, stances }, index) => html`<article class="point" id="g${index + 1}">
<h3 dir="auto"><span class="number">${index + 1}</span>${text}</h3>
${
  stances.length === 0
    ? html`<p class="dim">Not stated in any of the papers.</p>`
    : stanceList(stances, `g${index + 1}`, input)
}</article>
`,
  )
  return html`${gaps}`
}
