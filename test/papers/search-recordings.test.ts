import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Paper } from '../../src/papers/paper.ts'
import { arxivPlace } from '../../src/papers/places/arxiv-place.ts'
import { indexesPlace } from '../../src/papers/places/indexes-place.ts'
import { mergePapers } from '../../src/papers/places/merge-papers.ts'
import { paperFromWork } from '../../src/papers/places/normalize-paper.ts'
import { parseArxivFeed } from '../../src/sources/lookup/papers/arxiv.ts'
import type { FoundWork } from '../../src/sources/lookup/papers/found-work.ts'
import { parseOpenAlexWorks } from '../../src/sources/lookup/papers/openalex.ts'
import { parseSemanticScholarWorks } from '../../src/sources/lookup/papers/semantic-scholar.ts'
import { createQuickClock } from '../../src/testing/index.ts'
import { lookupsOver } from '../sources/lookup/lookup-world.ts'
import { cassettes, recordedFiles } from '../sources/lookup/recordings.ts'
import { PaperServer } from './paper-server.ts'
import { unending, webOver } from './paper-world.ts'

interface ArxivRecording {
  readonly file: string
  readonly url: string
  readonly status_code: number
  readonly body: string
}

function arxivRecordings(): readonly ArxivRecording[] {
  return recordedFiles('arxiv', '.json').map((file) => ({
    file,
    ...(JSON.parse(readFileSync(file, 'utf8')) as Omit<ArxivRecording, 'file'>),
  }))
}

const { access } = lookupsOver(async () => ({ ok: false, reason: 'none', detail: 'none' }))
const papersOf = (works: readonly FoundWork[]) => works.map((work) => paperFromWork(work, 'x'))

/** Every paper has what the rest of the program relies on. */
function expectSound(papers: readonly (Paper | undefined)[]): void {
  const unsound = papers.filter(
    (paper) =>
      paper !== undefined &&
      !(
        paper.title !== '' &&
        /^(?:arxiv|doi|s2|openalex):\S/.test(paper.id) &&
        /^(?:\d{4}(?:-\d\d(?:-\d\d)?)?)?$/.test(paper.published) &&
        (paper.pdfUrl === undefined || /^https?:/.test(paper.pdfUrl))
      ),
  )
  expect(unsound).toEqual([])
}

describe.skipIf(!process.env.SCHOLIUM_DATA)('recorded searches (needs SCHOLIUM_DATA)', () => {
  it('of arXiv become papers, each with its PDF, its day, its category and its version', async () => {
    const papers: (Paper | undefined)[] = []
    for (const { url, status_code: status, body: text } of arxivRecordings()) {
      const found = await parseArxivFeed({ ok: true, status, url, headers: {}, text }, access)
      if (found.ok) papers.push(...papersOf(found.works))
    }
    expect(papers).toHaveLength(177)
    expectSound(papers)
    for (const paper of papers) {
      expect(paper?.pdfUrl).toBe(`https://arxiv.org/pdf/${paper?.arxivId}`)
      expect(paper?.arxivId).toMatch(/v\d+$/)
      expect(paper?.published).toMatch(/^\d{4}-\d\d-\d\d$/)
      expect([paper?.authors.length, paper?.categories.length]).not.toContain(0)
      expect(paper?.abstract.length).toBeGreaterThan(20)
    }
    const old = papers.find((paper) => paper?.id === 'arxiv:quant-ph/0201082')
    expect(old).toMatchObject({ arxivId: 'quant-ph/0201082v1', published: '2002-01-18' })
  })

  it('of arXiv come over real HTTP, with a 429, a reset and slow bodies between', async () => {
    const searches = arxivRecordings().filter(({ file }) => /q_testing_/.test(file))
    const server = await PaperServer.start([])
    try {
      for (const { body } of searches) {
        server.fault(
          'arxiv',
          { kind: 'status', status: 429, retryAfterSeconds: 1 },
          { kind: 'reset' },
        )
        server.always('arxiv', { kind: 'body', text: body, type: 'application/atom+xml' })
        const place = arxivPlace(webOver(server, createQuickClock()))
        const outcome = await place.search({ query: 'testing', limit: 10 }, unending)
        expect(outcome.ok && outcome.papers).toHaveLength(10)
        expect(outcome.ok && outcome.notes).toBeUndefined()
        server.reset()
      }
      expect(searches).toHaveLength(7)
    } finally {
      await server.close()
    }
  })

  it('of Semantic Scholar become papers; what has no title is left out', () => {
    const answers = [
      ...cassettes('semanticscholar').answers,
      ...cassettes('paperqa-cassettes').answers,
    ]
    const searches = answers.filter(
      ({ url, status }) =>
        /graph\/v1\/paper\/search(?:\/match|\/bulk)?\?/.test(url) && status === 200,
    )
    let works = 0
    const papers = searches.flatMap(({ text }) => {
      const found = parseSemanticScholarWorks(JSON.parse(text), access)
      if (!found.ok) throw new Error(found.detail)
      works += found.works.length
      return papersOf(found.works)
    })
    expect([searches.length > 15, works]).toEqual([true, papers.length])
    expect(papers.filter((paper) => paper === undefined)).toEqual([])
    expectSound(papers)
  })

  it('of OpenAlex become papers', async () => {
    const open = cassettes('paperqa-cassettes').answers.filter(({ url }) =>
      url.includes('openalex'),
    )
    const works = open.flatMap(({ text }) => {
      const json = JSON.parse(text)
      const found = parseOpenAlexWorks(
        json.results === undefined ? { results: [json] } : json,
        access,
      )
      return found.ok ? papersOf(found.works) : []
    })
    // One was recorded with two of its fields alone, neither of them a title.
    expect(works.map((paper) => paper?.id)).toEqual([
      undefined,
      'doi:10.1016/j.addr.2015.01.008',
      'arxiv:2312.07559',
    ])
  })

  it('of one work by several services become one paper', () => {
    const papers = papersOfAll().filter((paper) => paper !== undefined)
    const merged = mergePapers([papers])
    expect(new Set(merged.map(({ id }) => id)).size).toBe(merged.length)
    expectSound(merged)
    expect(merged.length).toBeLessThan(papers.length)
  })

  it('of Semantic Scholar come over real HTTP next to a failing OpenAlex', async () => {
    const recorded = cassettes('semanticscholar').answers.find(({ file }) =>
      file.endsWith('test_search_paper.yaml'),
    )
    const server = await PaperServer.start([])
    try {
      server.fault('semantic-scholar', { kind: 'status', status: 429, retryAfterSeconds: 1 })
      server.always('semantic-scholar', {
        kind: 'body',
        text: recorded?.text ?? '',
        type: 'application/json',
      })
      server.always('openalex', { kind: 'status', status: 503 })
      const place = indexesPlace(webOver(server, createQuickClock()))
      const outcome = await place.search({ query: 'turing', limit: 5 }, unending)
      expect(outcome.ok && outcome.papers).toHaveLength(5)
      expect(outcome.ok && outcome.unanswered?.join()).toContain('OpenAlex answered 503')
    } finally {
      await server.close()
    }
  })
})

/** Papers of every search that Semantic Scholar and OpenAlex were recorded with. */
function papersOfAll(): readonly (Paper | undefined)[] {
  return cassettes('paperqa-cassettes')
    .answers.filter(({ status, url }) => status === 200 && /openalex|semanticscholar/.test(url))
    .flatMap(({ text, url }) => {
      const json = JSON.parse(text)
      const isOpenAlex = url.includes('openalex')
      const found = isOpenAlex
        ? parseOpenAlexWorks({ results: json.results ?? [json] }, access)
        : parseSemanticScholarWorks({ data: json.data ?? [json] }, access)
      return found.ok ? papersOf(found.works) : []
    })
}
