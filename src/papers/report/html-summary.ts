import type { Claim } from '../../citations/claim.ts'
import { citationRun, splitClaims } from '../../claims/check/parse-claims.ts'
import { type Html, html } from './html.ts'
import { evidenceList, verdictChip, verdictReason } from './html-evidence.ts'
import { inlineMarkdown, type LinkedRun, markdownBlocks } from './html-markdown.ts'
import type { ReportInput } from './report-input.ts'
import { coverageText, verdictWords } from './verdict-words.ts'

/** The summary, whose numbers lead to their evidence, and below it where each of its sentences stands. */
export function summarySection(input: ReportInput): Html {
  const { answer, claims, coverage } = input
  if (answer.trim() === '') return html`<p class="dim">No summary.</p>`
  const links = citationLinks(input)
  const body = markdownBlocks(answer, (text, start) => inlineMarkdown(text, start, links))
  return html`<div class="prose">${body}</div>
<details class="claims"><summary>Evidence for each sentence <span class="dim">${coverageText(coverage)}</span></summary>
<ol class="plain">${claims.map((claim, index) => claimItem(claim, index, input))}</ol></details>`
}

function claimItem(claim: Claim, index: number, input: ReportInput): Html {
  const id = claimAnchor(index)
  return html`<li id="${id}"><p dir="auto">${inlineMarkdown(claim.text, 0, [])} ${verdictChip(claim)}</p>
${verdictReason(claim)}${evidenceList(claim.evidence, id, input)}</li>
`
}

function claimAnchor(index: number): string {
  return `s${index + 1}`
}

/** Every citation of the summary as links: to the evidence of its sentence, or to the reference where there is none. */
function citationLinks({
  answer,
  claims,
  references,
  citations,
}: ReportInput): readonly LinkedRun[] {
  const sentences = splitClaims(answer)
  const known = new Set([...references, ...citations].map(({ n }) => n))
  return [...answer.matchAll(citationRun)].map(({ 0: run, index }): LinkedRun => {
    const end = index + run.length
    const sentence = sentences.find((one) => one.start <= index && end <= one.end)
    const at = claims.findIndex(({ text }) => text === sentence?.text)
    const numbers = [...run.matchAll(/\d+|[,;–—-]|\]\[/g)].map(([mark]) => mark)
    const links = numbers.map((mark) =>
      /\d/.test(mark) && known.has(Number(mark))
        ? numberLink(Number(mark), claims[at], at)
        : html`${separators[mark] ?? mark}`,
    )
    const isLast = sentence !== undefined && answer.slice(end, sentence.end).search(citationRun) < 0
    return {
      start: index,
      end,
      markup: html`<span class="cites">[${links}]</span>${isLast ? claimMark(claims[at], at) : null}`,
    }
  })
}

/** `[1][2]` and `[1,2]` are read alike. */
const separators: Readonly<Record<string, string>> = { '][': ', ', ',': ', ', ';': ', ' }

function numberLink(n: number, claim: Claim | undefined, at: number): Html {
  const piece = claim?.evidence.findIndex((evidence) => evidence.n === n) ?? -1
  const target = piece < 0 ? `ref-${n}` : `${claimAnchor(at)}-e${piece + 1}`
  const what = piece < 0 ? `Reference ${n}` : `Evidence in paper ${n}`
  return html`<a href="#${target}" aria-label="${what}">${n}</a>`
}

/** A sentence that does not hold shows it where it stands. */
function claimMark(claim: Claim | undefined, at: number): Html {
  if (claim === undefined) return html``
  const { sign, word, tone } = verdictWords[claim.verdict]
  return tone === 'good'
    ? html``
    : html`<a class="mark ${tone}" href="#${claimAnchor(at)}" aria-label="This sentence: ${word}">${sign}</a>`
}
