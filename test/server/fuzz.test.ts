import { request as send } from 'node:http'
import { homedir, tmpdir } from 'node:os'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { toFailure } from '../../src/kernel/errors.ts'
import { root } from '../repo/source-file.ts'
import { type FuzzedRequest, newestRun, type Operation, RequestFuzzer } from './fuzz-requests.ts'
import { question, ServedApp } from './served-app.ts'

/** How often each route is tried. More: SCHOLIUM_FUZZ_RUNS=200 SCHOLIUM_PROPERTY_SEED=random */
const runsPerRoute = Number(process.env.SCHOLIUM_FUZZ_RUNS ?? 6)
const timeoutMs = 30_000 + runsPerRoute * 10_000
const maxStreams = 5

const agent = `name: hello
nodes:
  - name: one
    run: |
      return {"answer": "hello"}
edges:
  - from: __start__
    to: one
  - from: one
    to: __end__
`

const served = new ServedApp()
const failures: unknown[] = []
let known: Readonly<Record<string, readonly unknown[]>> = {}
beforeAll(async () => {
  served.write('files/paper.md', '# Paper\n\nA paper says that glimmerstone is blue.\n')
  served.write('agents/hello.yaml', agent)
  served.write('agents/bad.yaml', 'nodes: [')
  const app = await served.start({
    filesFolder: `${served.folder}/files`,
    agentsFolder: `${served.folder}/agents`,
    maxStreams,
    onFailure: (error) => {
      if (toFailure(error).code === 'internal') failures.push(error)
    },
  })
  const answered = await served.finish({ workflow: 'ask', question })
  const waiting = await served.finish({ workflow: 'ask', question, approvePlan: true })
  const reviewed = await served.finish({ workflow: 'papers', query: 'glimmerstone' })
  const ran = await served.finish({ workflow: 'agent', agent: 'hello' })
  expect(waiting.body.status).toBe('waiting')
  const [source] = await app.listLibrary()
  const runs = [answered, waiting, reviewed, ran].map(({ body }) => body.runId)
  newest = runs[0]
  const ids = [newestRun, ...runs]
  known = {
    id: [...ids, ...ids, source?.id ?? ''],
    'sources id': [source?.id ?? '', 'f'.repeat(64)],
    n: ['1', '1', '0', '99999'],
    q: ['glimmerstone', 'melts at 412 degrees'],
    with: ids,
    continue: ids,
    previous_response_id: ids,
    name: ['hello', 'bad'],
    agent: ['hello', 'bad'],
    model: ['scholium/ask', 'scholium/papers', 'agent:hello'],
    type: ['message', 'text', 'input_text', 'file_search', 'function'],
    messages: [[{ role: 'user', content: question }]],
    role: ['user', 'user', 'assistant', 'system'],
    sources: ['paper.md', 'library', '.'],
    answer: ['approve', 'refuse', 'Ask about its colour too.'],
    at: ['ask/approval[1]/plan[1]', 'expert[1]'],
  }
})
afterAll(() => served.close())

let newest = ''
const token = 'token-of-the-tests'
const secrets = [root.replace(/\/$/, ''), tmpdir(), homedir(), token, 'node:internal', '.ts:']

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Sends a request as it is; an answer that does not come in time is an error. Streams are read as far as they come at once. */
function sendRaw({ method, path, body }: FuzzedRequest): Promise<Answer> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
  const signal = AbortSignal.timeout(30_000)
  return new Promise((resolve, reject) => {
    const sent = send(`${served.url}/`, { method, path, headers, signal }, (response) => {
      const chunks: Buffer[] = []
      const isStream = response.headers['content-type'] === 'text/event-stream'
      const done = () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: new Headers(response.headers as Record<string, string>),
          text: Buffer.concat(chunks).toString(),
        })
      response.on('data', (chunk) => {
        chunks.push(chunk)
        if (!isStream) return
        done()
        sent.destroy()
      })
      response.on('end', done)
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Tries a route; its answers by their statuses. */
async function fuzz(fuzzer: RequestFuzzer, operation: Operation): Promise<Map<number, number>> {
  const counts = new Map<number, number>()
  const property = fc.asyncProperty(fuzzer.requestsTo(operation), async (given) => {
    const path = given.path.replaceAll(newestRun, newest)
    const body = given.body?.replaceAll(newestRun, newest)
    const { status, headers, text } = await sendRaw({ ...given, path, body })
    counts.set(status, (counts.get(status) ?? 0) + 1)
    expect(failures).toEqual([])
    expect([status < 500, text.slice(0, 500)]).toEqual([true, expect.anything()])
    const told = `${JSON.stringify([...headers])}${text}`
    const leaks = secrets.filter((secret) => told.includes(secret))
    expect(leaks.map((leak) => told.slice(told.indexOf(leak) - 100).slice(0, 300))).toEqual([])
    const isJson = headers.get('content-type')?.includes('json') === true
    const reply = { status, headers, body: isJson ? JSON.parse(text) : text }
    await served.checkForm(operation.method, path, reply)
    newest = /^\/api\/runs\/(.+)/.exec(headers.get('location') ?? '')?.[1] ?? newest
  })
  await fc.assert(property, { numRuns: runsPerRoute, endOnFailure: true })
  return counts
}

it(
  'whatever is asked at any route, the answer is in time, in its form, no failure, and tells no place',
  async () => {
    const { paths, components } = await served.document()
    const fuzzer = new RequestFuzzer({ components }, known)
    const operations: Operation[] = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods as object).map(([method, schema]) => ({ method, path, schema })),
    )
    let [fine, all] = [0, 0]
    for (const operation of operations) {
      const counts = await fuzz(fuzzer, operation)
      const sorted = [...counts].toSorted(([one], [other]) => one - other)
      if (process.env.SCHOLIUM_FUZZ_RUNS !== undefined)
        console.log(operation.method, operation.path, JSON.stringify(Object.fromEntries(sorted)))
      for (const [status, count] of counts) {
        all += count
        if (status < 300) fine += count
      }
    }
    expect(all).toBe(operations.length * runsPerRoute)
    // The requests get as far as the routes.
    expect(fine).toBeGreaterThan(all / 5)
  },
  timeoutMs,
)

it('no stream stays open of readers that left', async () => {
  const { body } = await served.call('post', '/api/runs', {
    workflow: 'ask',
    question,
    approvePlan: true,
  })
  await served.openStreams(`/api/runs/${body.runId}/events`, maxStreams)
})
