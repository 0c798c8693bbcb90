import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** An MCP server over standard input and output that says strings of a file wherever a server may say something. */
const strings = JSON.parse(readFileSync(process.argv[2] as string, 'utf8')) as readonly string[]
const all = strings.join('\n')

const readOnly = { annotations: { readOnlyHint: true } }
const schema = (text: string) => ({
  type: 'object',
  properties: { a: { type: 'string', description: text, title: text } },
})
const tools = [
  { name: 'strings', description: all, inputSchema: schema(all), ...readOnly },
  ...strings.slice(0, 100).map((text) => ({
    name: text,
    title: text,
    description: text,
    inputSchema: schema(text),
    ...readOnly,
  })),
]

function resultOf(method: string, version: unknown): object | undefined {
  if (method === 'initialize') {
    const serverInfo = { name: strings[0], version: strings[1] }
    return { protocolVersion: version, capabilities: { tools: {} }, serverInfo, instructions: all }
  }
  if (method === 'tools/list') return { tools }
  if (method !== 'tools/call') return method === 'ping' ? {} : undefined
  const content = strings.map((text) => ({ type: 'text', text }))
  const links = strings
    .slice(0, 50)
    .map((text) => ({ type: 'resource_link', uri: text, name: text }))
  return { content: [...content, ...links], structuredContent: { strings } }
}

process.stderr.write(all)
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const result = resultOf(method, params?.protocolVersion)
  const answer = result === undefined ? { error: { code: -32_601, message: all } } : { result }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`)
})
