// The clients of a server, as a process of their own: they start runs and read their streams, keep streams open, or send requests.
import { Agent, type IncomingMessage, request as send } from 'node:http'
import { connect } from 'node:net'
import { token } from './served.ts'

/** What the process is told. */
export type Order =
  | { readonly does: 'run'; readonly url: string; readonly questions: readonly string[] }
  | { readonly does: 'open'; readonly url: string; readonly runIds: readonly string[] }
  | { readonly does: 'close' }
  | {
      readonly does: 'request'
      readonly url: string
      readonly path: string
      readonly connections: number
      readonly forMs: number
    }

/** When an event came, over a stream that was opened before. Times are milliseconds since 1970. */
export interface Arrival {
  readonly event: string
  readonly openedAtMs: number
  readonly atMs: number
}

/** What it tells of runs and their streams. */
export interface RunsSeen {
  /** Runs that did not end with an answer, or whose stream missed an event, repeated one or changed the order. */
  readonly lost: number
  readonly events: number
  /** When each event came: milliseconds since 1970. */
  readonly arrivals: readonly Arrival[]
  readonly wallMs: number
}

/** What it tells of streams that were opened. */
export interface Opened {
  readonly open: number
  readonly wallMs: number
}

/** What it tells of requests. */
export interface Requested {
  readonly answers: number
  readonly wallMs: number
}

/** Requests at once, which a server limits. */
const maxRequests = 16

const headers = { authorization: `Bearer ${token}` }
const keptAlive = new Agent({ keepAlive: true, maxSockets: maxRequests })
let streams: IncomingMessage[] = []

function startRun(url: string, question: string): Promise<string> {
  const body = JSON.stringify({ workflow: 'ask', question })
  return new Promise((resolve, reject) => {
    const options = {
      agent: keptAlive,
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
    }
    const sent = send(`${url}/api/runs`, options, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
      })
      response.on('end', () => {
        if (response.statusCode === 202) resolve((JSON.parse(text) as { runId: string }).runId)
        else reject(new Error(`A run was not started: ${response.statusCode} ${text}`))
      })
    })
    sent.on('error', reject).end(body)
  })
}

function openStream(url: string, runId: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    send(`${url}/api/runs/${runId}/events`, { agent: false, headers }, (response) => {
      if (response.statusCode === 200) resolve(response.setEncoding('utf8'))
      else reject(new Error(`A stream was not opened: ${response.statusCode}`))
    })
      .on('error', reject)
      .end()
  })
}

function nowMs(): number {
  return performance.timeOrigin + performance.now()
}

/** Starts a run and reads its stream to its end. */
async function runToEnd(url: string, question: string, started: () => void) {
  const runId = await startRun(url, question).finally(started)
  const stream = await openStream(url, runId)
  const openedAtMs = nowMs()
  const arrivals: Arrival[] = []
  let [seq, rest, end, isInOrder] = [0, '', '', true]
  for await (const piece of stream) {
    const atMs = nowMs()
    const frames = (rest + piece).split('\n\n')
    rest = frames.pop() ?? ''
    for (const frame of frames) {
      const [, id] = /^id: (\d+)\n/.exec(frame) ?? []
      if (id === undefined) continue
      isInOrder &&= Number(id) === seq + 1
      seq = Number(id)
      arrivals.push({ event: `${runId} ${seq}`, openedAtMs, atMs })
      end = frame
    }
  }
  const isWhole = isInOrder && /\nevent: run\.finished\n.*"status":"answered"/.test(end)
  if (!isWhole) console.log(`${runId} was lost after event ${seq}: ${end.slice(0, 500)}`)
  return { isWhole, events: seq, arrivals }
}

/** Does work for each item, at most so many at once until each says that the next may begin. */
async function inTurns<Item, Outcome>(
  items: readonly Item[],
  work: (item: Item, next: () => void) => Promise<Outcome>,
): Promise<readonly Outcome[]> {
  const outcomes: Promise<Outcome>[] = []
  let begin: () => void = () => {}
  let underWay = 0
  for (const item of items) {
    while (underWay >= maxRequests)
      await new Promise<void>((resolve) => {
        begin = resolve
      })
    underWay++
    let isNext = false
    const next = () => {
      if (!isNext) underWay--
      isNext = true
      begin()
    }
    outcomes.push(work(item, next))
  }
  return Promise.all(outcomes)
}

async function runAll(url: string, questions: readonly string[]): Promise<RunsSeen> {
  const startedAtMs = performance.now()
  const runs = await inTurns(questions, (question, next) => runToEnd(url, question, next))
  return {
    lost: runs.filter(({ isWhole }) => !isWhole).length,
    events: runs.reduce((sum, { events }) => sum + events, 0),
    arrivals: runs.flatMap(({ arrivals }) => arrivals),
    wallMs: performance.now() - startedAtMs,
  }
}

async function openAll(url: string, runIds: readonly string[]): Promise<Opened> {
  const startedAtMs = performance.now()
  const opened = await inTurns(runIds, (runId, next) => openStream(url, runId).finally(next))
  streams = [...opened]
  let open = streams.length
  for (const stream of streams) {
    stream.resume()
    stream.on('error', () => {})
    stream.on('close', () => open--)
  }
  return { open, wallMs: performance.now() - startedAtMs }
}

function closeAll(): Opened {
  const open = streams.filter(({ destroyed, complete }) => !destroyed && !complete).length
  for (const stream of streams) stream.destroy()
  streams = []
  return { open, wallMs: 0 }
}

/** Sends the same request again and again, with bare sockets so that the client takes little of the processor. */
async function requestAgain(order: Extract<Order, { does: 'request' }>): Promise<Requested> {
  const { hostname, port, host } = new URL(order.url)
  const text = `GET ${order.path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`
  const startedAtMs = performance.now()
  let answers = 0
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => socket.write(text))
      let [sizeBytes, receivedBytes] = [0, 0]
      socket.on('error', reject).on('data', (chunk) => {
        if (sizeBytes === 0) sizeBytes = answerSize(chunk.toString('latin1'))
        receivedBytes += chunk.length
        if (receivedBytes < sizeBytes) return
        answers++
        ;[sizeBytes, receivedBytes] = [0, 0]
        if (performance.now() - startedAtMs < order.forMs) socket.write(text)
        else socket.destroy()
      })
      socket.on('close', resolve)
    })
  await Promise.all(Array.from({ length: order.connections }, one))
  return { answers, wallMs: performance.now() - startedAtMs }
}

/** The bytes of an answer, from its beginning. */
function answerSize(text: string): number {
  const end = text.indexOf('\r\n\r\n')
  const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1]
  if (!text.startsWith('HTTP/1.1 200') || end < 0 || length === undefined)
    throw new Error(`An unexpected answer: ${text.slice(0, 500)}`)
  return end + 4 + Number(length)
}

function carryOut(order: Order): Promise<RunsSeen | Opened | Requested> | Opened {
  if (order.does === 'run') return runAll(order.url, order.questions)
  if (order.does === 'open') return openAll(order.url, order.runIds)
  return order.does === 'close' ? closeAll() : requestAgain(order)
}

process.on('disconnect', () => process.exit())
process.on('message', async (order: Order) => process.send?.(await carryOut(order)))
process.send?.('ready')
