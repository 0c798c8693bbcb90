import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Lookup } from '../../../src/sources/lookup/outcome.ts'
import { type LookupSourceName, lookupSources } from '../../../src/sources/lookup/sources.ts'
import {
  runSourceFaults,
  type SourceReply,
  type SourceReport,
  type SourceRequest,
  type SourceRoutes,
  startFailingSource,
} from '../../../src/testing/index.ts'
import { httpFetcher } from './http-fetcher.ts'
import { answered, lookupsOver } from './lookup-world.ts'
import { cassettes, recordedFiles } from './recordings.ts'
import { keys, questions, smallAnswers } from './small-answers.ts'

const names = Object.keys(lookupSources) as LookupSourceName[]
const isFailure = (found: Lookup<object>) => !found.ok

/** The paths that a question leads to, as a server sees them. */
async function pathsOf(name: LookupSourceName): Promise<readonly string[]> {
  const base = 'http://127.0.0.1'
  let number = 0
  const { access, asked } = lookupsOver(async () => answered(smallAnswers[name][number++] ?? ''), {
    keys,
    baseUrls: { [name]: base },
  })
  await questions[name](access)
  return asked.map(({ url }) => url.slice(base.length))
}

/** The outcome of a question whose requests get these replies, and the requests as the server saw them. */
async function ask(
  name: LookupSourceName,
  replies: (answer: string, index: number) => SourceReply | readonly SourceReply[],
): Promise<{ readonly found: Lookup<object>; readonly requests: readonly SourceRequest[] }> {
  const paths = await pathsOf(name)
  const routes: SourceRoutes = Object.fromEntries(
    paths.map((path, index) => [path, replies(smallAnswers[name][index] ?? '', index)]),
  )
  const source = await startFailingSource(routes)
  const fetcher = httpFetcher({ timeoutMs: 30_000 })
  const access = { ...lookupsOver(fetcher).access, keys, baseUrls: { [name]: source.url } }
  const found = await questions[name](access)
  await source.close()
  return { found, requests: source.requests }
}

describe.each(names)('%s over HTTP', (name) => {
  it('is read', async () => {
    const { found, requests } = await ask(name, (body) => ({ body }))
    expect(found).toMatchObject({ ok: true })
    expect(requests).toHaveLength(smallAnswers[name].length)
    for (const { headers } of requests) expect(headers['user-agent']).toMatch(/^scholium-test/)
  })

  it.each<[string, SourceReply, string]>([
    ['429 for ever', { status: 429, body: 'x' }, name === 'youtube' ? 'blocked' : 'rate_limited'],
    ['a reset connection', { reset: true }, 'unreachable'],
    ['status 500', { status: 500, body: '<h1>Error</h1>' }, 'server_error'],
    ['half a body', { body: '{"a":1}', cut: { afterBytes: 3, by: 'close' } }, 'unreachable'],
  ])('tells %s', async (_what, reply, reason) => {
    const { found } = await ask(name, () => reply)
    expect(found).toMatchObject({ ok: false, source: name, reason })
  })
})

describe('every source', () => {
  it('is read after a 429, when its wait is over, and slowly', async () => {
    const busy = { status: 429, headers: { 'retry-after': '1' }, body: 'Too many requests.' }
    const asked = names.map((name) =>
      ask(name, (body, index) =>
        index === 0 ? [busy, { body, delayMs: 50 }] : { body, delayMs: 50 },
      ),
    )
    for (const { found, requests } of await Promise.all(asked)) {
      expect(found).toMatchObject({ ok: true })
      const [first, second] = requests
      expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThan(950)
    }
  })
})

/** A question of a source whose last request goes to the server with the faults; the others are answered. */
function faultRun(name: LookupSourceName, answers: readonly string[]) {
  return async (url: string, signal: AbortSignal): Promise<Lookup<object>> => {
    let number = 0
    const faulty = httpFetcher({ signal, insteadOf: () => url })
    const { access } = lookupsOver(
      async (request) => {
        const index = number++
        return index >= answers.length - 1 ? faulty(request) : answered(answers[index] ?? '')
      },
      { keys, baseUrls: { searxng: 'http://127.0.0.1' } },
    )
    return questions[name](access)
  }
}

/** The outcome of all faults of a source's last answer, for each source. */
async function faultReports(
  answers: Readonly<Record<string, readonly string[]>>,
): Promise<Readonly<Record<string, SourceReport>>> {
  const reports = Object.entries(answers).map(async ([name, given]) => {
    const body = given.at(-1) ?? ''
    const run = faultRun(name as LookupSourceName, given)
    return [name, await runSourceFaults({ body }, run, { isFailure, timeoutMs: 15_000 })] as const
  })
  return Object.fromEntries(await Promise.all(reports))
}

describe('a source that fails', () => {
  it('gives the page, or says that it cannot', async () => {
    const reports = await faultReports(smallAnswers)
    const none = { trials: 16, problems: [] }
    expect(reports).toEqual(Object.fromEntries(names.map((name) => [name, none])))
  }, 60_000)

  it.skipIf(!process.env.SCHOLIUM_DATA)(
    'does so with recorded answers (needs SCHOLIUM_DATA)',
    async () => {
      const answers = {
        tavily: [recorded('search', /tavily/)],
        wikipedia: [read('wikipedia-api', 'TestVcrWikiSearch.test_default_0.json')],
        arxiv: [JSON.parse(read('arxiv', 'q_testing_s0_m15_80c242b59d59.json')).body],
        'semantic-scholar': [recorded('semanticscholar', /paper\/search\?/)],
        crossref: [recorded('crossref-habanero', /works\?query=widget/)],
        openalex: [recorded('paperqa-cassettes', /openalex\.org\/works\?filter/)],
      }
      for (const report of Object.values(await faultReports(answers)))
        expect(report).toEqual({ trials: 16, problems: [] })
    },
    60_000,
  )
})

function read(folder: string, ending: string): string {
  return readFileSync(recordedFiles(folder, ending)[0] ?? '', 'utf8')
}

function recorded(folder: string, url: RegExp): string {
  const found = cassettes(folder).answers.find((answer) => url.test(answer.url))
  if (found === undefined) throw new Error(`No recording of ${url} in ${folder}`)
  return found.text
}
