import { afterEach, describe, expect, it } from 'vitest'
import {
  type FailingSource,
  runSourceFaults,
  type SourceRoutes,
  sourceFaults,
  startFailingSource,
} from './index.ts'

let source: FailingSource | undefined
afterEach(() => source?.close())

async function start(routes: SourceRoutes): Promise<FailingSource> {
  source = await startFailingSource(routes)
  return source
}

describe('startFailingSource', () => {
  it('gives replies in their order, the last one for ever, and nothing where there is nothing', async () => {
    const { url, requests } = await start({ '/a': [{ status: 503 }, { body: 'now' }] })
    const statuses = []
    for (const path of ['/a', '/a', '/a', '/b', '/toString'])
      statuses.push((await fetch(url + path, { headers: { 'x-me': '1' } })).status)
    expect(statuses).toEqual([503, 200, 200, 404, 404])
    expect(requests.map(({ path, method }) => `${method} ${path}`)).toEqual([
      'GET /a',
      'GET /a',
      'GET /a',
      'GET /b',
      'GET /toString',
    ])
    expect(requests[0]?.headers['x-me']).toBe('1')
  })

  it.each<[string, SourceRoutes[string], RegExp]>([
    ['a reset connection', { reset: true }, /fetch failed/],
    [
      'half a body and a reset',
      { body: 'x'.repeat(100), cut: { afterBytes: 50, by: 'reset' } },
      /terminated/,
    ],
    [
      'half a body and the end',
      { body: 'x'.repeat(100), cut: { afterBytes: 50, by: 'close' } },
      /terminated/,
    ],
    ['less than it promises', { body: 'x', contentLength: 9 }, /terminated/],
    ['redirections in a circle', { redirectTo: '/' }, /fetch failed/],
    ['no answer', { hang: true }, /timeout/],
    [
      'half a body and silence',
      { body: 'x'.repeat(100), cut: { afterBytes: 50, by: 'silence' } },
      /timeout/,
    ],
  ])('fails as a client sees %s', async (_what, reply, failure) => {
    const { url } = await start({ '/': reply })
    const timeoutMs = failure.test('timeout') ? 200 : 60_000
    const reading = fetch(url, { signal: AbortSignal.timeout(timeoutMs) }).then((answer) =>
      answer.text(),
    )
    await expect(reading).rejects.toThrow(failure)
  })

  it('promises less than it sends, takes its time, and says how it is typed', async () => {
    const { url } = await start({
      '/short': { body: 'abcdef', contentLength: 3 },
      '/slow': { body: 'late', delayMs: 60, headers: { 'content-type': 'text/plain' } },
    })
    expect(await (await fetch(`${url}/short`)).text()).toBe('abc')
    const startedAt = performance.now()
    const slow = await fetch(`${url}/slow`)
    expect([await slow.text(), slow.headers.get('content-type')]).toEqual(['late', 'text/plain'])
    expect(performance.now() - startedAt).toBeGreaterThan(50)
  })

  it('sends without an end for as long as somebody reads, and counts it', async () => {
    const { url, requests } = await start({ '/': { body: 'again ', isEndless: true } })
    const reader = (await fetch(url)).body?.getReader()
    let readBytes = 0
    while (readBytes < 1_000_000) readBytes += (await reader?.read())?.value?.length ?? 0
    await reader?.cancel()
    await expect.poll(() => requests[0]?.isClosed).toBe(true)
    expect(requests[0]?.sentBytes).toBeGreaterThanOrEqual(1_000_000)
  })
})

const page = { body: `<p>${'The varnel weighs 32 grams. '.repeat(100)}</p>` }
const mostBytes = 100_000

/** Reads a page as it should be read. */
async function readWell(url: string, signal: AbortSignal): Promise<string> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(1_500)])
  let failure: unknown
  for (let attempt = 1; attempt <= 2; attempt++) {
    try {
      const answer = await fetch(url, { signal: within })
      const waitSeconds = Number(answer.headers.get('retry-after') ?? 0)
      if (!answer.ok) {
        await answer.body?.cancel()
        await new Promise((resolve) => setTimeout(resolve, waitSeconds * 1_000))
        throw new Error(`status ${answer.status}`)
      }
      return await textOf(answer)
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

async function textOf(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of answer.body ?? []) {
    sizeBytes += chunk.length
    if (sizeBytes > mostBytes) throw new Error('too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

describe('runSourceFaults', () => {
  const leftOpen: Response[] = []
  it('finds nothing wrong with a tool that waits, asks again, and says where it fails', async () => {
    const report = await runSourceFaults(page, readWell)
    expect(report).toEqual({ trials: sourceFaults(page).length, problems: [] })
  })

  it.each<[string, typeof readWell, RegExp]>([
    [
      'takes an error page for the page',
      async (url, signal) =>
        (await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(900)]) })).text(),
      /^404: gave as the page what is not: "Not found"$/,
    ],
    [
      'takes half of a page for all of it',
      async (url, signal) => {
        const answer = await fetch(url, {
          signal: AbortSignal.any([signal, AbortSignal.timeout(900)]),
        })
        let text = ''
        try {
          for await (const chunk of answer.body ?? []) text += Buffer.from(chunk).toString()
        } catch {}
        return text
      },
      /^half a body, then a reset: gave as the page what is not/,
    ],
    [
      'waits for ever',
      async (url, signal) => {
        const answer = await fetch(url, { signal })
        if (!answer.ok) throw new Error('no')
        return answer.text()
      },
      /^no answer: did not end, after 700 ms$/,
    ],
    [
      'does not wait as it is asked to',
      async (url, signal) => {
        const first = await fetch(url, {
          signal: AbortSignal.any([signal, AbortSignal.timeout(500)]),
        })
        const answer = first.ok ? first : await fetch(url, { signal })
        if (!answer.ok) throw new Error('no')
        return answer.text()
      },
      /^429 with retry-after, then the page: asked again before 1 s were over$/,
    ],
    [
      'leaves a connection open',
      async (url) => {
        const answer = await fetch(url, { signal: AbortSignal.timeout(60_000) })
        // What is collected as garbage lets go of its connection.
        leftOpen.push(answer)
        if (answer.headers.has('content-length')) return readWell(url, AbortSignal.timeout(900))
        throw new Error('too long, perhaps')
      },
      /^a body without an end: left the connection open$/,
    ],
  ])('finds out one that %s', async (_what, read, problem) => {
    const { problems } = await runSourceFaults(page, read, { timeoutMs: 700 })
    expect(problems).toContainEqual(expect.stringMatching(problem))
  })

  it('takes a value for a failure that says so', async () => {
    const read = (url: string, signal: AbortSignal) =>
      readWell(url, signal).catch((error: Error) => ({ error: error.message }))
    const isFailure = (value: string | { error: string }) => typeof value !== 'string'
    expect((await runSourceFaults(page, read, { isFailure })).problems).toEqual([])
    expect((await runSourceFaults(page, read)).problems).not.toEqual([])
  })

  it('says that the page itself cannot be read', async () => {
    const read = () => Promise.reject(new Error('no such tool'))
    expect(await runSourceFaults(page, read)).toEqual({
      trials: 1,
      problems: ['the whole page: failure: Error: no such tool'],
    })
  })
})
