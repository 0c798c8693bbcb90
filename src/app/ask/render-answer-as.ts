import { basename } from 'node:path'
import type { Answer } from '../../ask/result.ts'
import { formatCitedPlace } from '../../citations/cited-place.ts'
import { html, safeLink } from '../../papers/report/html.ts'

/** The forms in which an answer is written out; the page needs nothing else. */
export type AnswerForm = 'markdown' | 'html'

/** An answer as a text of a form: with its sources, the sentences that they do not support, and its gaps. Files go by their names. */
export function renderAnswerAs(answer: Answer, form: AnswerForm): string {
  const facts = toFacts(answer)
  return form === 'html' ? toPage(facts) : toMarkdown(facts)
}

/** What is written of an answer. */
interface Facts {
  readonly title: string
  readonly status: string
  readonly text: string
  readonly sources: readonly { readonly n: number; readonly words: string; readonly url?: string }[]
  readonly doubts: readonly string[]
  readonly gaps: readonly string[]
}

const supported: ReadonlySet<string> = new Set(['verbatim', 'supported'])

function toFacts({ question, status, answer, citations, claims, gaps, runId }: Answer): Facts {
  return {
    title: question.replaceAll(/\s+/g, ' ').trim(),
    status: `Run ${runId}: ${status}.`,
    text: answer === '' ? 'There is no answer.' : answer,
    sources: citations.map((source) => {
      const { n, title, path, url } = source
      const file = path === undefined || basename(path) === title ? '' : basename(path)
      const words = [title, formatCitedPlace(source, claims), file]
      return { n, words: words.filter(Boolean).join(', '), ...(url && { url }) }
    }),
    doubts: claims
      .filter(({ verdict }) => !supported.has(verdict))
      .map(({ text, verdict, reason }) => `“${text}”: ${verdict.replaceAll('_', ' ')}. ${reason}`),
    gaps: gaps.map(({ detail }) => detail),
  }
}

const doubtsHeading = 'Sentences without support'
const gapsHeading = 'Gaps'

function toMarkdown({ title, status, text, sources, doubts, gaps }: Facts): string {
  const list = (heading: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`## ${heading}`, lines.map((line) => `- ${line}`).join('\n')]
  const entries = sources.map(({ n, words, url }) => {
    const link = safeLink(url)
    return `[${n}] ${escapeMarkdown(words)}${link === undefined ? '' : `, <${link}>`}`
  })
  const parts = [
    `# ${escapeMarkdown(title)}`,
    text,
    ...list('Sources', entries),
    ...list(doubtsHeading, doubts.map(escapeMarkdown)),
    ...list(gapsHeading, gaps.map(escapeMarkdown)),
    status,
  ]
  return `${parts.join('\n\n')}\n`
}

function escapeMarkdown(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\[\]<>*_`#]/g, (sign) => `\\${sign}`)
}

const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
const style =
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:45rem;margin:2rem auto;padding:0 1rem}.answer{white-space:pre-wrap;overflow-wrap:anywhere}'

function toPage({ title, status, text, sources, doubts, gaps }: Facts): string {
  const list = (heading: string, lines: readonly string[]) =>
    lines.length === 0
      ? null
      : html`<h2>${heading}</h2>\n<ul>${lines.map((line) => html`<li>${line}</li>\n`)}</ul>\n`
  const entries = sources.map(({ n, words, url }) => {
    const link = safeLink(url)
    const place = link === undefined ? null : html`, <a href="${link}" rel="noreferrer">${link}</a>`
    return html`<li id="source-${n}">[${n}] ${words}${place}</li>\n`
  })
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<h1>${title}</h1>
<div class="answer">${text}</div>
${entries.length === 0 ? null : html`<h2>Sources</h2>\n<ul>${entries}</ul>\n`}${list(doubtsHeading, doubts)}${list(gapsHeading, gaps)}<p>${status}</p>
</body>
</html>
`
  return page.markup
}
