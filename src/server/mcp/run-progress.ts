import type { LiveEvent } from '../../kernel/run/event.ts'
import { cutText } from '../../kernel/text/cut-text.ts'
import type { McpRequest, McpSite } from './mcp-site.ts'

const maxMessageChars = 300

/** Tells a client how a run is getting on, if it asked for that. */
export class RunProgress {
  private readonly request: McpRequest
  private readonly site: McpSite
  private told = 0
  private last = ''

  constructor(request: McpRequest, site: McpSite) {
    this.request = request
    this.site = site
  }

  hear(event: LiveEvent): void {
    const { _meta, notify, signal } = this.request.mcpReq
    const progressToken = _meta?.progressToken
    const said = progressToken === undefined ? undefined : describeProgress(event)
    if (progressToken === undefined || said === undefined || signal.aborted) return
    const { message } = this.site.form.of({ message: cutText(said, maxMessageChars) })
    if (message === this.last) return
    this.last = message
    const params = { progressToken, progress: ++this.told, message }
    notify({ method: 'notifications/progress', params }).catch((error: unknown) => {
      // A client that has left hears nothing; that is no failure.
      if (!signal.aborted) this.site.onFailure(error)
    })
  }
}

/** The line of an event; `undefined` if it is of no interest. */
export function describeProgress(event: LiveEvent): string | undefined {
  switch (event.type) {
    case 'run.started':
    case 'run.resumed':
      return `Run ${event.runId}`
    case 'notice':
      return event.data.text
    case 'limit.reached':
      return event.data.failure.message
    case 'progress': {
      const { text, state, paper, search } = event.data
      if (text !== undefined) return text
      if (state === 'started') return beginnings[partOf(event.key)]
      return describeRecord(paper, 'title') ?? describeRecord(search, 'place')
    }
    default:
      return undefined
  }
}

/** What begins with a node, in a question or a review. */
const beginnings: Readonly<Record<string, string>> = {
  planner: 'Planning.',
  researcher: 'Researching.',
  attempt: 'Researching.',
  critic: 'Reviewing.',
  expert: 'Writing the answer.',
  verify: 'Checking the claims.',
  synthesize: 'Writing the synthesis.',
}

/** The node that a key ends with: `ask/research[0]/attempt` is `attempt`. */
function partOf(key: string): string {
  return (key.split('/').at(-1) ?? '').replace(/\[\d+\]$/, '')
}

/** `Analysing A title.` */
function describeRecord(record: unknown, name: string): string | undefined {
  if (typeof record !== 'object' || record === null) return undefined
  const { status, [name]: what } = record as Record<string, unknown>
  const word = recordWords[String(status)]
  return word === undefined ? undefined : `${word} ${what}.`
}

const recordWords: Readonly<Record<string, string>> = {
  searching: 'Searching',
  downloading: 'Downloading',
  reading: 'Reading',
  analysing: 'Analysing',
}
