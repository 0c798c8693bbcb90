import type { RunResult } from '../../app.ts'
import { formatCitedPlace } from '../../citations/cited-place.ts'
import type { Claim } from '../../citations/claim.ts'
import { parseNumbers } from '../../citations/markup/brackets.ts'

/** A citation in a text: the link at these places of it. */
export interface UrlCitation {
  readonly type: 'url_citation'
  readonly start_index: number
  readonly end_index: number
  readonly url: string
  readonly title: string
}

/** The text of an answer as programs show it. */
export interface AnswerText {
  readonly text: string
  readonly annotations: readonly UrlCitation[]
}

/**
 * A result as Markdown: each citation links its sentence and source on the page, and the sources and the run are listed at the end.
 * @param runUrl the address of the run on the page
 */
export function toAnswerText(result: RunResult, runUrl: string): AnswerText {
  const link = `[Run ${result.runId}](${runUrl})`
  if (!('citations' in result))
    return { text: `${toPlainText(result)}\n\n${link}`, annotations: [] }
  const { answer, citations, claims } = result
  const cited = new Map(citations.map((source) => [source.n, source]))
  const sentenceAt = locateSentences(answer, claims)
  const annotations: UrlCitation[] = []
  let text = ''
  let end = 0
  for (const { 0: mark, 1: list = '', index } of answer.matchAll(/\[([^[\]]*)\](?!\()/g)) {
    const numbers = parseNumbers(list)
    const sources = numbers.flatMap((n) => cited.get(n) ?? [])
    if (sources.length === 0 || sources.length < numbers.length) continue
    text += answer.slice(end, index)
    end = index + mark.length
    for (const [at, { n, title, url }] of sources.entries()) {
      const address = addressOf(runUrl, sentenceAt(index), n)
      if (at > 0) text += ' '
      const start_index = text.length
      text += `[${n}](${address})`
      const place = { start_index, end_index: text.length }
      annotations.push({ type: 'url_citation', ...place, url: url ?? address, title })
    }
  }
  text += answer.slice(end) || (end === 0 ? noAnswer : '')
  const sources = citations.map((source) => {
    const { n, title, url } = source
    const place = formatCitedPlace(source, claims)
    const parts = [escapeMarkdown(title), ...(place ? [place] : []), ...(url ? [`<${url}>`] : [])]
    const sentence = claims.findIndex((claim) => claim.citations.includes(n)) + 1
    return `- [${n}](${addressOf(runUrl, sentence, n)}) ${parts.join(', ')}`
  })
  const list = sources.length === 0 ? [] : [['Sources:', ...sources].join('\n')]
  return { text: [text, ...list, link].join('\n\n'), annotations }
}

const noAnswer = 'There is no answer.'

/** The page's address of a source of a sentence. @param sentence from 1; 0 if it is not known */
function addressOf(runUrl: string, sentence: number, n: number): string {
  return sentence === 0 ? runUrl : `${runUrl}/${sentence}/${n}`
}

/** Which sentence stands at an offset of the answer, from 1; 0 for none. Claims are slices of the answer, in its order. */
function locateSentences(answer: string, claims: readonly Claim[]): (offset: number) => number {
  let from = 0
  const spans = claims.map(({ text }) => {
    const start = answer.indexOf(text, from)
    if (start >= 0) from = start + text.length
    return { start, end: start + text.length }
  })
  return (offset) =>
    spans.findIndex(({ start, end }) => start >= 0 && start <= offset && offset < end) + 1
}

/** The result of an agent file or a workflow of the operator's. */
function toPlainText(result: RunResult): string {
  const { answer, output } = result as { readonly answer?: unknown; readonly output?: unknown }
  const { answer: inOutput } = (output ?? {}) as { readonly answer?: unknown }
  const said = answer ?? inOutput ?? output ?? ('state' in result ? result.state : {})
  return typeof said === 'string' ? said : JSON.stringify(said, null, 2)
}

function escapeMarkdown(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\[\]<>*_`]/g, (sign) => `\\${sign}`)
}
