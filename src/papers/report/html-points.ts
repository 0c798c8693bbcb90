import type { Contradiction, PaperEntry } from '../result.ts'
import { type Html, html } from './html.ts'
import { stanceAnchor, stanceList } from './html-evidence.ts'
import {
  findStances,
  numberedPapers,
  type ReportInput,
  type ReportPoint,
  reportPoints,
} from './report-facts.ts'
import { shortName, stanceWords, verdictWords } from './report-words.ts'

/** The points on which papers agree, each with evidence. */
export function consensusSection(input: ReportInput): Html {
  const points = input.synthesis.consensus.map(
    ({ point, stances }, index) => html`<article class="point" id="c${index + 1}">
<h3 dir="auto"><span class="number">${index + 1}</span>${point}</h3>
${stanceList(stances, `c${index + 1}`, input)}</article>
`,
  )
  return html`${points}`
}

/** The points on which papers disagree, side by side. */
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

/** The questions that the papers leave open. */
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

type Numbered = PaperEntry & { readonly n: number }

/** The agreement matrix: a row per point, a column per paper, cells that link to the evidence. */
export function agreementMatrix(input: ReportInput): Html {
  const points = reportPoints(input)
  const speaking = new Set(points.flatMap(({ stances }) => stances.map(({ paperId }) => paperId)))
  const papers = numberedPapers(input).filter(
    ({ id, status }) => status === 'kept' || speaking.has(id),
  )
  const heads = papers.map(
    (paper) =>
      html`<th scope="col"><a href="#paper-${paper.n}">[${paper.n}]<span class="name"><bdi>${shortName(paper)}</bdi></span></a></th>`,
  )
  const groups = kinds.map(([kind, name]) => group(name, points, kind, papers))
  return html`<div class="scroller" role="region" aria-label="Agreement matrix" tabindex="0">
<table class="matrix"><caption class="unseen">Which paper supports or disputes which point</caption>
<thead><tr><th scope="col">Point</th>${heads}</tr></thead>
${groups}</table></div>
${legend}`
}

const kinds = [
  ['consensus', 'Consensus'],
  ['contradiction', 'Contradictions'],
  ['gap', 'Gaps'],
] as const

function group(
  name: string,
  points: readonly ReportPoint[],
  kind: ReportPoint['kind'],
  papers: readonly Numbered[],
): Html {
  const own = points.filter((point) => point.kind === kind)
  if (own.length === 0) return html``
  const rows = own.map((point) => {
    const side = kind === 'contradiction' ? html`<b>${point.id.slice(1).toUpperCase()}</b> ` : null
    const cells = papers.map((paper) => html`<td>${stanceLinks(point, paper)}</td>`)
    return html`<tr><th scope="row"><a href="#${point.id}" dir="auto">${side}${point.text}</a></th>${cells}</tr>\n`
  })
  return html`<tbody><tr class="group"><th scope="rowgroup" colspan="${papers.length + 1}">${name}</th></tr>
${rows}</tbody>`
}

function stanceLinks(point: ReportPoint, paper: Numbered): Html {
  const found = findStances(point, paper.id)
  if (found.length === 0)
    return html`<span class="none" aria-hidden="true">·</span><span class="unseen">not mentioned</span>`
  return html`${found.map(({ stance, index }) => {
    const { tone, sign, word } = verdictWords[stance.verdict]
    const { does, sign: ofStance } = stanceWords(stance)
    const told = `${shortName(paper)} ${does}, ${word}: see the evidence`
    return html`<a class="cell ${stance.stance} ${tone}" href="#${stanceAnchor(point.id, index)}" aria-label="${told}" title="${told}"><span aria-hidden="true">${ofStance}<sup>${sign}</sup></span></a>`
  })}`
}

const legend = html`<dl class="legend">
<div><dt><span class="cell supports good" aria-hidden="true">✓</span></dt><dd>supports it</dd></div>
<div><dt><span class="cell differs bad" aria-hidden="true">≠</span></dt><dd>says something different</dd></div>
<div><dt><span class="cell disputes good" aria-hidden="true">✗</span></dt><dd>disputes it</dd></div>
<div><dt><span class="none" aria-hidden="true">·</span></dt><dd>not mentioned</dd></div>
${Object.values(verdictWords).map(
  ({ sign, word, meaning, tone }) =>
    html`<div><dt class="${tone}" aria-hidden="true">${sign}</dt><dd title="${meaning}">${word}</dd></div>\n`,
)}</dl>`
