import type { Evidence } from '../../citations/claim.ts'
import type { Finding, PaperEntry, PaperStance } from '../result.ts'
import { fileLink, type Html, html } from './html.ts'
import type { ReportInput } from './report-facts.ts'
import { judgeText, shortName, stanceWords, verdictWords } from './report-words.ts'

/** A verdict as a chip: sign, word and judge. */
export function verdictChip({ verdict, judge }: Pick<Finding, 'verdict' | 'judge'>): Html {
  const { word, sign, tone } = verdictWords[verdict]
  return html`<span class="chip ${tone}"><span aria-hidden="true">${sign}</span> ${word} <span class="judge">${judgeText(judge)}</span></span>`
}

/** The reason for a verdict; nothing if the claim holds. */
export function verdictReason({ verdict, reason }: Pick<Finding, 'verdict' | 'reason'>): Html {
  return verdictWords[verdict].tone === 'good' || reason === ''
    ? html``
    : html`<p class="reason" dir="auto">${reason}</p>`
}

/** The quotations behind a verdict, each with its place; `id` is the prefix of their anchors. */
export function evidenceList(evidence: readonly Evidence[], id: string, input: ReportInput): Html {
  if (evidence.length === 0) return html``
  const items = evidence.map((piece, index) => {
    const paper = input.papers.find(({ n }) => n === piece.n)
    return html`<li id="${id}-e${index + 1}"><blockquote dir="auto">${piece.quote}</blockquote>
<p class="place">${renderPlace(piece, paper)}</p></li>`
  })
  return html`<ol class="evidence">${items}</ol>`
}

function renderPlace({ n, page, section }: Evidence, paper: PaperEntry | undefined): Html {
  const name = paper === undefined ? '' : ` ${shortName(paper)}`
  const link = paper === undefined ? undefined : fileLink(paper, page)
  const shown = page === undefined ? 'file' : `p. ${page}`
  const where =
    link === undefined
      ? page === undefined
        ? html``
        : html`, <b>${shown}</b>`
      : html`, <a class="page" href="${link}" rel="noopener noreferrer">${shown}<span class="unseen"> of paper ${n}</span></a>`
  return html`<a href="#ref-${n}">[${n}]${name}</a>${where}${section === undefined ? null : html` · <span dir="auto">${section}</span>`}`
}

/** The stances of papers on a point, each with evidence; `id` is the point's anchor. */
export function stanceList(stances: readonly PaperStance[], id: string, input: ReportInput): Html {
  const items = stances.map((stance, index) => {
    const paper = input.papers.find((one) => one.id === stance.paperId)
    const { does, sign } = stanceWords(stance)
    const anchor = stanceAnchor(id, index)
    return html`<li id="${anchor}" class="stance"><p class="who"><span class="sign ${stance.stance}" aria-hidden="true">${sign}</span>
<a href="#paper-${stance.n}"><bdi>${paper === undefined ? stance.paperId : shortName(paper)}</bdi></a> ${does} ${verdictChip(stance)}</p>
${verdictReason(stance)}${evidenceList(stance.evidence, anchor, input)}</li>
`
  })
  return html`<ul class="stances">${items}</ul>`
}

/** The anchor of a stance on a point. */
export function stanceAnchor(id: string, index: number): string {
  return `${id}-s${index + 1}`
}
