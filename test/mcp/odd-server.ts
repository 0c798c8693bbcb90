import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { type Behaviour, type Call, isBehaviour, toolsOf } from './odd-behaviour.ts'

/** A server of tests over standard input and output, odd in the way that its argument names. */
const behaviour: Behaviour = isBehaviour(process.argv[2]) ? process.argv[2] : 'plain'
const state: { toolsChanged: boolean; subscription: Call['id'] } = {
  toolsChanged: false,
  subscription: undefined,
}

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}

function greeting(version: string): object {
  return {
    protocolVersion: version,
    capabilities: { tools: { listChanged: true }, logging: {} },
    serverInfo: { name: 'odd', version: '1.0.0' },
  }
}

const modernOnly = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
const serverInfo = { 'io.modelcontextprotocol/serverInfo': { name: 'odd', version: '2.0.0' } }

/** The members of the answer; nothing for none. */
function answerTo(call: Call): object | undefined {
  const { id, method, params } = call
  const isModern = behaviour === 'modern'
  if (method === 'server/discover' && isModern) {
    const found = {
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: { listChanged: true } },
    }
    return { result: { ...found, _meta: serverInfo, ...modernOnly } }
  }
  if (method === 'server/discover' && behaviour === 'ends-when-probed') process.exit(3)
  if (method === 'initialize' && !isModern) {
    return { result: greeting(String(params?.protocolVersion)) }
  }
  if (method === 'tools/list') {
    const page = toolsOf(behaviour, state.toolsChanged, String(params?.cursor ?? ''))
    return { result: { ...page, ...(isModern ? modernOnly : {}) } }
  }
  if (method === 'tools/call') return resultOf(call)
  if (method === 'subscriptions/listen' && isModern) {
    state.subscription = id
    const { params: about } = subscribed()
    const acknowledged = { notifications: { toolsListChanged: true }, ...about }
    send({ method: 'notifications/subscriptions/acknowledged', params: acknowledged })
    return undefined
  }
  if (method === 'ping' && !isModern) return { result: {} }
  return id === undefined ? undefined : { error: { code: -32_601, message: `No method ${method}` } }
}

/** Since 2026-07-28 a change is told to those alone who asked for it. */
function subscribed(): { readonly params?: object } {
  if (state.subscription === undefined) return {}
  return { params: { _meta: { 'io.modelcontextprotocol/subscriptionId': state.subscription } } }
}

function resultOf({ params }: Call): object | undefined {
  const input = params?.arguments ?? {}
  switch (params?.name) {
    case 'die':
      process.stderr.write(`dies with the token ${process.env.ODD_TOKEN}\n`, () => process.exit(7))
      return undefined
    case 'hang':
      for (;;);
    case 'never':
      return undefined
    case 'huge':
      return text('x'.repeat(Number(input.chars)))
    case 'change':
      state.toolsChanged = true
      send({ method: 'notifications/tools/list_changed', ...subscribed() })
      return text('changed')
    case 'environment':
      return text(JSON.stringify(process.env))
    case 'child':
      return text(String(spawn('sleep', ['300'], { stdio: 'ignore' }).pid))
    case 'fail':
      return text('The \u001b[31mdisk\u001b[0m is full.\u202e', { isError: true })
    case 'pid':
      return text(String(process.pid))
    default:
      return text(JSON.stringify(input))
  }
}

function text(value: string, more: object = {}): object {
  const content = [{ type: 'text', text: value }]
  const result = { content, ...(behaviour === 'modern' ? { resultType: 'complete' } : {}), ...more }
  return { result }
}

function answer(call: Call): void {
  const members = answerTo(call)
  if (members !== undefined) send({ id: call.id, ...members })
}

function begin(): void {
  if (behaviour === 'floods') floodOutput()
  if (behaviour === 'garbage')
    process.stdout.write('Listening on port 3000!\n{"not": "a message"}\n[1,\n')
  if (behaviour === 'stubborn') {
    process.on('SIGTERM', () => undefined)
    setInterval(() => undefined, 1_000)
  }
  if (behaviour === 'ends-at-once') {
    process.stderr.write('No configuration found.\n', () => process.exit(2))
    return
  }
  createInterface({ input: process.stdin }).on('line', (line) => answer(JSON.parse(line) as Call))
}

function floodOutput(): void {
  const line = `${'flood '.repeat(10_000)}\n`
  const more = () => {
    while (process.stdout.write(line));
  }
  process.stdout.on('drain', more)
  more()
}

setTimeout(begin, behaviour === 'slow-start' ? Number(process.argv[3] ?? 1_500) : 0)
