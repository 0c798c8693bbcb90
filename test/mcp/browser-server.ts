import { createInterface } from 'node:readline'

/** A server of tests over standard input and output that plays a browser: it goes to made-up pages and tells what stands there. */
const page = {
  url: 'about:blank',
  token: process.env.BROWSER_TOKEN ?? '',
}

const text = { type: 'object', properties: { url: { type: 'string', format: 'uri' } } }
const readOnly = { annotations: { readOnlyHint: true } }
const tools = [
  {
    name: 'navigate',
    description: 'Goes to a page and gives what stands there.',
    inputSchema: { ...text, required: ['url'] },
    ...readOnly,
  },
  {
    name: 'whoami',
    description: 'Says who is logged in.',
    inputSchema: { type: 'object', properties: {} },
    ...readOnly,
  },
  {
    name: 'screenshot',
    description: 'Takes a picture of the page.',
    inputSchema: { type: 'object', properties: {} },
    ...readOnly,
  },
  {
    name: 'crash',
    description: 'Crashes.',
    inputSchema: { type: 'object', properties: {} },
    ...readOnly,
  },
  {
    name: 'submit',
    description: 'Sends the form of the page.',
    inputSchema: { type: 'object', properties: { form: { type: 'string' } } },
  },
]

/** A picture of one point. */
const dot =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

function resultOf(name: string, input: { readonly url?: string }): object {
  const say = (said: string) => ({ content: [{ type: 'text', text: said }] })
  if (name === 'navigate') {
    page.url = String(input.url)
    return say(
      [
        '### Page state',
        `- Page URL: ${page.url}`,
        '- Page Title: Glimmerstone',
        '',
        'Glimmerstone melts at 412 degrees Celsius. Lighthouses use it in their lamps.',
        '',
        '- link "More about stones": https://stones.example/more?from=glimmerstone',
      ].join('\n'),
    )
  }
  if (name === 'whoami') return say(`Logged in with ${page.token}.`)
  if (name === 'screenshot')
    return { content: [{ type: 'image', data: dot, mimeType: 'image/png' }] }
  if (name === 'submit') return say('The form was sent.')
  process.exit(4)
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) continue
  const answers: Readonly<Record<string, () => object>> = {
    initialize: () => ({
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'browser', version: '1.0.0' },
    }),
    'tools/list': () => ({ tools }),
    'tools/call': () => resultOf(params.name, params.arguments ?? {}),
    ping: () => ({}),
  }
  const answer = answers[method]
  const body =
    answer === undefined
      ? { error: { code: -32_601, message: `No method ${method}` } }
      : { result: answer() }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...body })}\n`)
}
