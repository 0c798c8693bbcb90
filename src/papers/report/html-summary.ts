import type { Claim } from '../../citations/claim.ts'
import { citationRun, splitClaims } from '../../claims/check/parse-claims.ts'
import { type Html, html } from './html.ts'
import { evidenceList, verdictChip, verdictReason } from './html-evidence.ts'
import type { ReportInput } from './report-facts.ts'
import { coverageText, verdictWords } from './report-words.ts'

/** The summary with citations linked to their evidence, followed by the verdict on each sentence. */
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

/** The citations of the summary as links: to the evidence of the sentence, or else to the reference. */
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

/** `[1][2]` and `[1,2]` look the same. */
const separators: Readonly<Record<string, string>> = { '][': ', ', ',': ', ', ';': ', ' }

function numberLink(n: number, claim: Claim | undefined, at: number): Html {
  const piece = claim?.evidence.findIndex((evidence) => evidence.n === n) ?? -1
  const target = piece < 0 ? `ref-${n}` : `${claimAnchor(at)}-e${piece + 1}`
  const what = piece < 0 ? `Reference ${n}` : `Evidence in paper ${n}`
  return html`<a href="#${target}" aria-label="${what}">${n}</a>`
}

/** A sentence that does not hold is marked in place. */
function claimMark(claim: Claim | undefined, at: number): Html {
  if (claim === undefined) return html``
  const { sign, word, tone } = verdictWords[claim.verdict]
  return tone === 'good'
    ? html``
    : html`<a class="mark ${tone}" href="#${claimAnchor(at)}" aria-label="This sentence: ${word}">${sign}</a>`
}

/** A run of citation marks in a text, and its links. */
interface LinkedRun {
  readonly start: number
  readonly end: number
  readonly markup: Html
}

/** Renders a part of the text that begins at offset `start`. */
type Inline = (text: string, start: number) => Html

const item = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+/
const heading = /^\s{0,3}#{1,6}\s+/

/** The paragraphs, headings and lists of a Markdown text; everything else in it is plain text. */
function markdownBlocks(markdown: string, inline: Inline): readonly Html[] {
  const blocks: Html[] = []
  let items: Html[] = []
  const closeList = (): void => {
    if (items.length > 0) blocks.push(html`<ul>${items}</ul>\n`)
    items = []
  }
  for (const { text, start } of blocksIn(markdown)) {
    const [mark = ''] = item.exec(text) ?? []
    const [hashes = ''] = heading.exec(text) ?? []
    const inner = inline(text.slice((mark || hashes).length), start + (mark || hashes).length)
    if (mark !== '') {
      items.push(html`<li dir="auto">${inner}</li>`)
      continue
    }
    closeList()
    blocks.push(
      hashes === '' ? html`<p dir="auto">${inner}</p>\n` : html`<h3 dir="auto">${inner}</h3>\n`,
    )
  }
  closeList()
  return blocks
}

/** Blocks of lines with their offsets; an empty line, a heading or a list item starts a new one. */
function blocksIn(markdown: string): readonly { readonly text: string; readonly start: number }[] {
  const blocks: { text: string; start: number }[] = []
  let start = 0
  let isOpen = false
  for (const line of markdown.split('\n')) {
    const isHeading = heading.test(line)
    const last = blocks.at(-1)
    if (line.trim() === '') isOpen = false
    else if (isOpen && last !== undefined && !isHeading && !item.test(line))
      last.text = markdown.slice(last.start, start + line.length)
    else {
      blocks.push({ text: line, start })
      isOpen = !isHeading
    }
    start += line.length + 1
  }
  return blocks
}

/** Text with linked citations and with strong, emphasised and code spans. */
function inlineMarkdown(text: string, start: number, links: readonly LinkedRun[]): Html {
  const parts: Html[] = []
  let from = 0
  for (const { 0: whole, index, groups } of text.matchAll(weights)) {
    parts.push(linked(text.slice(from, index), start + from, links))
    const name = Object.keys(groups ?? {}).find((one) => groups?.[one] !== undefined) ?? ''
    const inner = groups?.[name] ?? ''
    const innerStart = start + index + whole.indexOf(inner)
    const content = linked(inner, innerStart, name === 'code' ? [] : links)
    if (name === 'strong') parts.push(html`<strong>${content}</strong>`)
    else parts.push(name === 'code' ? html`<code>${content}</code>` : html`<em>${content}</em>`)
    from = index + whole.length
  }
  return html`${parts}${linked(text.slice(from), start + from, links)}`
}

const weights =
  /`(?<code>[^`\n]+)`|\*\*(?<strong>[^*\n]+)\*\*|(?<![\p{L}\p{N}*])\*(?<em>[^*\s][^*\n]*)\*(?![\p{L}\p{N}*])/gu

function linked(text: string, start: number, links: readonly LinkedRun[]): Html {
  const end = start + text.length
  const parts: Html[] = []
  let from = start
  for (const run of links.filter((one) => one.start >= start && one.end <= end)) {
    parts.push(html`${plain(text.slice(from - start, run.start - start))}`, run.markup)
    from = run.end
  }
  return html`${parts}${plain(text.slice(from - start))}`
}

/** Undoes Markdown's backslashes and entities. */
function plain(text: string): string {
  return text.replaceAll('&lt;', '<').replace(/\\([!-/:-@[-`{-~])/g, '$1')
}
