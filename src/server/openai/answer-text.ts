import type { RunResult } from '../../app.ts'
import { formatCitedPlace } from '../../citations/cited-place.ts'

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
 * A result as Markdown: each citation links its source in the run, and the sources and the run are listed at the end.
 * @param runUrl the address of the run
 */
export function toAnswerText(result: RunResult, runUrl: string): AnswerText {
  const link = `[Run ${result.runId}](${runUrl})`
  if (!('citations' in result))
    return { text: `${toPlainText(result)}\n\n${link}`, annotations: [] }
  const { answer, citations, claims } = result
  const cited = new Map(citations.map((source) => [source.n, source]))
  const annotations: UrlCitation[] = []
  let text = ''
  let end = 0
  for (const match of (answer || noAnswer).matchAll(/\[(\d+)\](?!\()/g)) {
    const source = cited.get(Number(match[1]))
    if (source === undefined) continue
    text += answer.slice(end, match.index)
    end = match.index + match[0].length
    const url = `${runUrl}#${source.n}`
    const start = text.length
    text += `[${source.n}](${url})`
    const place = { start_index: start, end_index: text.length }
    annotations.push({
      type: 'url_citation',
      ...place,
      url: source.url ?? url,
      title: source.title,
    })
  }
  text += (answer || noAnswer).slice(end)
  const sources = citations.map((source) => {
    const place = formatCitedPlace(source, claims)
    const parts = [
      escapeMarkdown(source.title),
      ...(place ? [place] : []),
      ...(source.url ? [`<${source.url}>`] : []),
    ]
    return `- [${source.n}](${runUrl}#${source.n}) ${parts.join(', ')}`
  })
  const list = sources.length === 0 ? [] : [['Sources:', ...sources].join('\n')]
  return { text: [text, ...list, link].join('\n\n'), annotations }
}

const noAnswer = 'There is no answer.'

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
