import { appendFileSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** A server of tests: `notes` gives the texts of a batch out of a file, `post` writes a line to another one. */
const [, , textsPath = '', writtenPath = ''] = process.argv

interface Call {
  readonly id?: number
  readonly method: string
  readonly params?: {
    readonly name?: string
    readonly arguments?: Record<string, unknown>
    readonly protocolVersion?: string
  }
}

const schema = (name: string, type: string) => ({
  type: 'object',
  properties: { [name]: { type } },
})

const tools = [
  {
    name: 'notes',
    description: 'Gives notes.',
    inputSchema: schema('batch', 'integer'),
    annotations: { readOnlyHint: true },
  },
  { name: 'post', description: 'Posts a text.', inputSchema: schema('text', 'string') },
]

function resultOf({ method, params }: Call): object | undefined {
  const input = params?.arguments ?? {}
  if (method === 'initialize')
    return {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'notes', version: '1.0.0' },
    }
  if (method === 'tools/list') return { tools }
  if (method !== 'tools/call') return method === 'ping' ? {} : undefined
  if (params?.name === 'post') appendFileSync(writtenPath, `${JSON.stringify(input)}\n`)
  const batches = JSON.parse(readFileSync(textsPath, 'utf8')) as string[][]
  const texts = params?.name === 'notes' ? (batches[Number(input.batch)] ?? []) : ['posted']
  return { content: texts.map((text) => ({ type: 'text', text })) }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const call = JSON.parse(line) as Call
  if (call.id === undefined) return
  const result = resultOf(call)
  const error = { code: -32_601, message: `No method ${call.method}` }
  const answer = result === undefined ? { error } : { result }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: call.id, ...answer })}\n`)
})
