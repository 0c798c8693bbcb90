import { readFileSync, writeFileSync } from 'node:fs'

/** An MCP server over standard input and output that says strings of a file wherever a server may say something, and keeps what it is given. */
const [, , file = ''] = process.argv
const strings = JSON.parse(readFileSync(file, 'utf8')) as readonly string[]
const all = strings.join('\n')

const readOnly = { annotations: { readOnlyHint: true } }
const schema = (text: string) => ({
  type: 'object',
  properties: { a: { type: 'string', description: text, title: text } },
})
const tools = [
  { name: 'strings', description: all, inputSchema: { type: 'object' }, ...readOnly },
  ...strings.slice(0, 100).map((text) => ({
    name: text,
    title: text,
    description: text,
    inputSchema: schema(text),
    ...readOnly,
  })),
]

interface Params {
  readonly protocolVersion?: string
  readonly arguments?: object
}

function resultOf(method: string, params: Params): object | undefined {
  if (method === 'initialize') {
    const serverInfo = { name: strings[0], version: strings[1] }
    const { protocolVersion } = params
    return { protocolVersion, capabilities: { tools: {} }, serverInfo, instructions: all }
  }
  if (method === 'tools/list') return { tools }
  if (method !== 'tools/call') return method === 'ping' ? {} : undefined
  writeFileSync(`${file}.given`, JSON.stringify(params.arguments))
  const content = strings.map((text) => ({ type: 'text', text }))
  const links = strings
    .slice(0, 50)
    .map((text) => ({ type: 'resource_link', uri: text, name: text }))
  return { content: [...content, ...links], structuredContent: { strings } }
}

function answer(line: string): void {
  const { id, method, params = {} } = JSON.parse(line)
  if (id === undefined) return
  const result = resultOf(method, params)
  const said = result === undefined ? { error: { code: -32_601, message: all } } : { result }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...said })}\n`)
}

process.stderr.write(all)
let held = ''
process.stdin.setEncoding('utf8').on('data', (text: string) => {
  // Readline would end a line at U+2028, too.
  const lines = (held + text).split('\n')
  held = lines.pop() ?? ''
  lines.forEach(answer)
})
