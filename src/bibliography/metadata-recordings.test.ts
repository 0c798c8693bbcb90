import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { checkIdentity } from './check-identity.ts'
import { isRecord } from './csl-item.ts'
import { cslFromArxiv } from './metadata-arxiv.ts'
import { cslFromCrossref } from './metadata-crossref.ts'
import { cslFromOpenAlex } from './metadata-openalex.ts'
import type { MetadataRecord } from './metadata-record.ts'
import { cslFromSemanticScholar } from './metadata-semantic-scholar.ts'

const folder = join(process.env.SCHOLIUM_DATA ?? '', '03-api')

describe.skipIf(!process.env.SCHOLIUM_DATA)('recorded answers (needs SCHOLIUM_DATA)', () => {
  it('of Crossref, OpenAlex and Semantic Scholar agree about the works they share', () => {
    const records = recordsOf('paperqa-cassettes')
    const sources = new Set(records.map(({ source }) => source))
    expect([...sources].sort()).toEqual(['crossref', 'openalex', 'semantic-scholar'])
    const titled = records.filter(
      ({ item }) => item.title !== undefined && item.author !== undefined,
    )
    let pairs = 0
    for (const { item, source } of titled) {
      const others = titled.filter(
        (other) => other.source !== source && other.item.DOI === item.DOI,
      )
      if (item.DOI === undefined || others.length === 0) continue
      pairs += others.length
      expect(checkIdentity(item, others)).toMatchObject({ verdict: 'confirmed', retracted: [] })
    }
    expect(pairs).toBeGreaterThanOrEqual(10)
  })

  it('of Crossref have a title, a type and no markup in their names', () => {
    const records = recordsOf('crossref-habanero')
    expect(records.length).toBeGreaterThan(250)
    const named = records.filter(({ item }) => item.title !== undefined)
    expect(named.length / records.length).toBeGreaterThan(0.9)
    expect(records.filter(({ retraction }) => retraction !== undefined)).toEqual([])
  })

  it('of arXiv are read, errors and empty ones too', async () => {
    const fixtures = join(folder, 'arxiv/tests/fixtures')
    let papers = 0
    for (const file of readdirSync(fixtures)) {
      const { body } = JSON.parse(readFileSync(join(fixtures, file), 'utf8'))
      for (const { item } of await cslFromArxiv(body)) {
        papers += 1
        expect(item.number).toMatch(/^arXiv:\S+v\d+$/)
        expect(item.title && item.author && item.issued).toBeTruthy()
      }
    }
    expect(papers).toBeGreaterThan(150)
  })
})

/** Every work in the cassettes below a folder. */
function recordsOf(name: string): readonly MetadataRecord[] {
  return readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, name, path))
    .filter((path) => path.endsWith('.yaml') && statSync(path).isFile())
    .flatMap((path) => parse(readFileSync(path, 'utf8')).interactions ?? [])
    .flatMap(({ request, response }) =>
      recordsIn(request.uri, bodyOf(response.body?.string ?? response.content)),
    )
}

function recordsIn(uri: string, body: unknown): readonly MetadataRecord[] {
  if (!isRecord(body)) return []
  const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])
  if (/crossref\.org\/.*works/.test(uri)) {
    const { message } = body
    const works = isRecord(message) ? (message.items ?? message) : undefined
    return list(works).flatMap((work) => cslFromCrossref(work) ?? [])
  }
  if (uri.includes('openalex')) {
    return list(body.results ?? body).flatMap((work) => cslFromOpenAlex(work) ?? [])
  }
  if (!uri.includes('semanticscholar')) return []
  return list(body.data ?? body).flatMap((paper) => cslFromSemanticScholar(paper) ?? [])
}

function bodyOf(body: unknown): unknown {
  try {
    if (typeof body === 'string') return JSON.parse(body)
    if (!(body instanceof Uint8Array)) return undefined
    return JSON.parse(Buffer.from(body[0] === 0x1f ? gunzipSync(body) : body).toString('utf8'))
  } catch {
    // Not every answer is JSON.
    return undefined
  }
}
