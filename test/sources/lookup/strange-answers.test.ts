import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readRetryAfter, send, toFailure } from '../../../src/sources/lookup/send.ts'
import { type LookupSourceName, lookupSources } from '../../../src/sources/lookup/sources.ts'
import { searchWikipedia } from '../../../src/sources/lookup/wikipedia/search-wikipedia.ts'
import { articleSections } from '../../../src/sources/lookup/wikipedia/wikipedia-page.ts'
import { parseWatchPage } from '../../../src/sources/lookup/youtube/player.ts'
import { answered, lookupsOver } from './lookup-world.ts'
import { keys, questions, smallAnswers } from './small-answers.ts'

const names = Object.keys(lookupSources) as LookupSourceName[]
const baseUrls = { searxng: 'http://searx.test' }

/** Asks a source whose last answer is this one. */
async function askWith(name: LookupSourceName, last: string): Promise<object> {
  const before = smallAnswers[name].slice(0, -1)
  let number = 0
  const { access } = lookupsOver(async () => answered(before[number++] ?? last), { keys, baseUrls })
  return questions[name](access)
}

/** Every place in a JSON value, as the keys that lead there. */
function placesIn(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, one]) => placesIn(one, [...path, key]))]
}

function replaced(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by
  const copy: Record<string, unknown> = Array.isArray(value)
    ? ([...value] as unknown as Record<string, unknown>)
    : { ...(value as Record<string, unknown>) }
  copy[key] = replaced(copy[key], rest, by)
  return copy
}

describe.each(names)('%s with a strange answer', (name) => {
  it('never throws, and tells what it fails with', async () => {
    const strange = fc.oneof(
      fc.string(),
      fc.jsonValue().map((value) => JSON.stringify(value)),
    )
    await fc.assert(
      fc.asyncProperty(strange, async (text) => {
        expect(await askWith(name, text)).toHaveProperty('ok')
      }),
      { numRuns: 100 },
    )
  })
})

const written = names.map((name) => [name, smallAnswers[name].at(-1) ?? ''] as const)

describe.each(written.filter(([, text]) => text.startsWith('{')))('%s with JSON', (name, last) => {
  it('never throws where one value of it is another', async () => {
    const whole: unknown = JSON.parse(last)
    const change = fc.tuple(fc.constantFrom(...placesIn(whole)), fc.jsonValue())
    await fc.assert(
      fc.asyncProperty(change, async ([path, value]) => {
        const text = JSON.stringify(replaced(whole, path, value))
        expect(await askWith(name, text)).toHaveProperty('ok')
      }),
      { numRuns: 200 },
    )
  })
})

// A page of HTML may end anywhere: browsers read what there is.
describe.each(written.filter(([name]) => name !== 'duckduckgo'))('%s cut short', (name, last) => {
  it('is not read', async () => {
    for (let length = 0; length < last.length; length += 7)
      expect(await askWith(name, last.slice(0, length))).toMatchObject({ ok: false })
  })
})

describe('send', () => {
  it('reads how long to wait: seconds, or a date next to the date of the answer', () => {
    const date = 'Fri, 20 Nov 2026 12:00:00 GMT'
    const waits = [
      { 'retry-after': '120' },
      { 'retry-after': 'Fri, 20 Nov 2026 12:01:30 GMT', date },
      { 'retry-after': 'Fri, 20 Nov 2026 11:00:00 GMT', date },
      { 'retry-after': 'Fri, 20 Nov 2026 12:01:30 GMT' },
      { 'retry-after': 'soon', date },
      {},
    ].map((headers) => readRetryAfter({ ok: true, status: 429, url: '', headers, text: '' }))
    expect(waits).toEqual([120_000, 90_000, 0, undefined, undefined, undefined])
  })

  it('keeps a key out of what it tells', async () => {
    const world = { keys: { OPENALEX_API_KEY: 'my-key' } }
    const detail = 'https://api.openalex.org/works?api_key=my-key was reset.'
    const { access } = lookupsOver({ ok: false, reason: 'reset', detail }, world)
    const found = await send(access, 'openalex', { url: 'https://api.openalex.org/works' })
    expect(found).toMatchObject({ reason: 'unreachable' })
    const said = { ok: true, status: 401, url: '', headers: {}, text: 'my-key is no key' } as const
    const told = [found, toFailure(access, 'openalex', said)]
    expect(JSON.stringify(told)).not.toContain('my-key')
  })

  it('reads no answer that is too long, and no list beyond what was asked for', async () => {
    const hit = { title: 'On varnels' }
    const search = Array.from({ length: 60 }, () => hit)
    const many = lookupsOver(answered(JSON.stringify({ query: { search } }))).access
    const found = await searchWikipedia(many, { query: 'x' })
    expect(found.ok && found.hits.length).toBe(50)
    const long = JSON.stringify({ query: { search: [hit] }, more: 'x'.repeat(16_000_000) })
    expect(await searchWikipedia(lookupsOver(answered(long)).access, { query: 'x' })).toMatchObject(
      {
        reason: 'malformed',
        detail: expect.stringContaining('the maximum is 16000000'),
      },
    )
  })

  it('tells in one short line what a source says at length', () => {
    const text = JSON.stringify({ detail: [{ error: `No\n\n${'x'.repeat(9_000)}` }] })
    const { access } = lookupsOver(answered(''))
    const told = toFailure(access, 'crossref', {
      ok: true,
      status: 400,
      url: '',
      headers: {},
      text,
    })
    expect(told?.detail).toMatch(/^Crossref answered 400: No x{100,600}…$/)
  })
})

describe('answers made to take long', () => {
  it.each<[string, () => unknown]>([
    ['headings', () => articleSections(`==a${' '.repeat(200_000)}\n`.repeat(40))],
    ['more headings', () => articleSections('== x ==\n'.repeat(500_000)).length],
    ['players', () => parseWatchPage(`ytInitialPlayerResponse = {"a":`.repeat(300_000))],
  ])('%s', (_what, work) => {
    const startedAt = performance.now()
    work()
    expect(performance.now() - startedAt).toBeLessThan(30_000)
  })
})
