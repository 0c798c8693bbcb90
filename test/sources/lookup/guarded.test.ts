import { describe, expect, it } from 'vitest'
import type { LookupAccess } from '../../../src/sources/lookup/access.ts'
import type { Lookup } from '../../../src/sources/lookup/outcome.ts'
import type { LookupSourceName } from '../../../src/sources/lookup/sources.ts'
import { createWeb } from '../../../src/sources/web/web.ts'
import {
  createQuickClock,
  type SourceReply,
  startFailingSource,
} from '../../../src/testing/index.ts'
import { createLookupFetcher } from '../../../src/tools/web/web-sources.ts'
import { answered, lookupsOver } from './lookup-world.ts'
import { keys, questions } from './small-answers.ts'

/** Asks a source over the guarded web, where it answers every request in this way. */
async function askGuarded(
  name: LookupSourceName,
  reply: SourceReply,
  isAllowed = true,
): Promise<Lookup<object>> {
  const dry = lookupsOver(answered(''), { keys, baseUrls: { [name]: 'http://127.0.0.1' } })
  await questions[name](dry.access)
  const [path = ''] = dry.asked.map(({ url }) => url.replace('http://127.0.0.1', ''))
  const source = await startFailingSource({ [path]: reply })
  const web = createWeb({
    clock: createQuickClock(),
    random: () => 0.5,
    userAgent: 'scholium-test',
    allowedOrigins: isAllowed ? [source.url] : [],
  })
  const fetcher = createLookupFetcher(web)
  const access: LookupAccess = { ...dry.access, fetcher, baseUrls: { [name]: source.url } }
  const found = await questions[name](access)
  await source.close()
  return found
}

const json = { 'content-type': 'application/json' }

describe('look-ups over the guarded web', () => {
  it.each<[string, LookupSourceName, SourceReply, object]>([
    [
      'an answer',
      'crossref',
      { headers: json, body: '{"message":{"items":[{"DOI":"10.1000/ü"}]}}' },
      { ok: true, works: [{ sourceId: '10.1000/ü' }] },
    ],
    [
      'a message of a refusal',
      'semantic-scholar',
      { status: 400, headers: json, body: '{"error":"Bad limit"}' },
      { reason: 'refused', detail: 'Semantic Scholar answered 400: Bad limit' },
    ],
    [
      'a wait',
      'openalex',
      { status: 429, headers: { ...json, 'retry-after': '90' }, body: '{"error":"Slow"}' },
      { reason: 'rate_limited', retryAfterMs: 90_000 },
    ],
    [
      'a page of maintenance with status 200',
      'arxiv',
      { body: '<!doctype html><html><p>Down for maintenance.' },
      { reason: 'maintenance' },
    ],
    [
      'a page of maintenance with status 503',
      'arxiv',
      { status: 503, body: '<!doctype html><html><p>Down for maintenance.' },
      { reason: 'maintenance' },
    ],
    ['a page that is not there', 'wikipedia', { status: 404, body: 'x' }, { reason: 'not_found' }],
    ['a reset', 'serper', { reset: true }, { reason: 'unreachable' }],
  ])('%s of %s', async (_what, name, reply, expected) => {
    expect(await askGuarded(name, reply)).toMatchObject(expected)
  })

  it('reaches no private address that the operator has not allowed', async () => {
    expect(await askGuarded('searxng', { body: '{"results":[]}' }, false)).toMatchObject({
      ok: false,
      reason: 'unreachable',
      detail: expect.stringContaining('127.0.0.1'),
    })
  })
})
