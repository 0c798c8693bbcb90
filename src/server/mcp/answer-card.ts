import { createHash } from 'node:crypto'
import type { McpServer } from '@modelcontextprotocol/server'

/** The extension in which a client shows a page along with a result. */
export const appsExtension = 'io.modelcontextprotocol/ui'

const mimeType = 'text/html;profile=mcp-app'
const cardUri = 'ui://scholium/answer.html'

/** How a tool says that its results are shown on the card. */
export const cardMeta = { ui: { resourceUri: cardUri }, 'ui/resourceUri': cardUri }

/** Adds the card on which clients show an answer with its verdicts. */
export function addCard(server: McpServer): void {
  const _meta = { ui: { csp: {}, prefersBorder: true } }
  server.registerResource(
    'answer-card',
    cardUri,
    {
      title: 'Answer with verdicts',
      description: 'Shows the answer of ask, papers or get_run with its sources and verdicts.',
      mimeType,
    },
    (uri) => ({ contents: [{ uri: uri.href, mimeType, text: answerCard, _meta }] }),
  )
}

const style = `
:root { color-scheme: light dark; --ink: light-dark(#1c1d21, #ececf0); --soft: light-dark(#5d6069, #a5a8b3); --line: light-dark(#dddee4, #3b3d47); --good: light-dark(#176337, #7fd6a2); --bad: light-dark(#a3231f, #ff9d97); --open: light-dark(#6b5500, #e2c65d); }
body { margin: 0; padding: 1rem 1.1rem; color: var(--ink); font: 15px/1.55 var(--font-sans, system-ui, sans-serif); }
p { margin: 0 0 .7em; white-space: pre-wrap; overflow-wrap: anywhere; }
h2 { font-size: .95em; margin: 1.1em 0 .4em; }
ol, ul { margin: 0; padding-left: 1.4em; }
li { margin-bottom: .35em; overflow-wrap: anywhere; }
.soft { color: var(--soft); font-size: .9em; }
.verdict { font-weight: 600; }
.good { color: var(--good); } .bad { color: var(--bad); } .open { color: var(--open); }
blockquote { margin: .3em 0; padding-left: .8em; border-left: 2px solid var(--line); }
a { color: inherit; }
`

/** Texts become text nodes, never markup: they come from sources and models. */
const script = `
const make = (name, text, ...more) => {
  const one = document.createElement(name)
  if (text) one.textContent = text
  one.append(...more)
  return one
}
const withClass = (one, name) => { one.className = name; return one }
const tones = { verbatim: 'good', supported: 'good', altered: 'bad', contradicted: 'bad', not_found: 'bad' }
const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
const link = (source) => {
  const a = make('a', source.title)
  a.href = source.url
  a.addEventListener('click', (event) => {
    event.preventDefault()
    send({ id: 'open', method: 'ui/open-link', params: { url: source.url } })
  })
  return a
}
const claimItem = (claim) => {
  const verdict = withClass(make('span', claim.verdict.replace('_', ' ')), 'verdict ' + (tones[claim.verdict] || 'open'))
  const item = make('li', '', verdict, ' ' + claim.text + ' ', withClass(make('span', claim.reason), 'soft'))
  if (claim.quote) item.append(make('blockquote', claim.quote))
  return item
}
const sourceItem = (source) => {
  const isWeb = /^https?:\\/\\//.test(source.url || '')
  const item = make('li', '', isWeb ? link(source) : source.title)
  item.value = source.n
  if (source.place) item.append(withClass(make('span', ', ' + source.place), 'soft'))
  return item
}
const list = (name, items) => items.length ? [make('h2', name[0]), make(name[1], '', ...items)] : []
const show = (result) => {
  const run = result.structuredContent
  const text = run ? run.answer || run.next || run.status : (result.content || []).map((part) => part.text || '').join('\\n')
  const parts = text.split(/\\n{2,}/).map((part) => make('p', part.replace(/^#+ /, '')))
  if (run) {
    const supported = run.claims.filter((claim) => tones[claim.verdict] === 'good')
    const doubtful = run.claims.filter((claim) => tones[claim.verdict] !== 'good')
    const more = make('details', '', make('summary', supported.length + ' of ' + run.claims.length + ' claims supported'), make('ul', '', ...supported.map(claimItem)))
    parts.push(
      ...list(['Not supported or not checked', 'ul'], doubtful.map(claimItem)),
      ...(run.claims.length ? [make('h2', 'Claims'), more] : []),
      ...list(['Sources', 'ol'], run.sources.map(sourceItem)),
      ...list(['Missing', 'ul'], run.missing.map((one) => make('li', one))),
    )
    const engine = run.isExtractive ? ' · quoted by the extractive engine, not a language model' : ''
    parts.push(withClass(make('p', 'Run ' + run.runId + ' · ' + run.status + engine), 'soft'))
  }
  document.body.replaceChildren(...parts)
}
addEventListener('message', ({ source, data }) => {
  if (source !== parent || !data || data.jsonrpc !== '2.0') return
  if (data.id === 'hello' && data.result) {
    const theme = (data.result.hostContext || {}).theme
    if (theme) document.documentElement.style.colorScheme = theme
    send({ method: 'ui/notifications/initialized', params: {} })
  }
  if (data.method === 'ui/notifications/tool-result') show(data.params)
  if (data.method === 'ui/resource-teardown') send({ id: data.id, result: {} })
})
new ResizeObserver(() => {
  const height = Math.ceil(document.documentElement.getBoundingClientRect().height)
  send({ method: 'ui/notifications/size-changed', params: { height } })
}).observe(document.documentElement)
send({ id: 'hello', method: 'ui/initialize', params: { protocolVersion: '2026-01-26', appInfo: { name: 'scholium', version: '1' }, appCapabilities: {} } })
`

function hash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

/**
 * One self-contained page without requests of its own; the client sends it the result.
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
 */
export const answerCard = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${hash(style)}; script-src ${hash(script)}; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Answer</title>
<style>${style}</style>
</head>
<body><p class="soft">Waiting for the answer …</p><script>${script}</script></body>
</html>
`
