import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Lookup } from '../../../src/sources/lookup/outcome.ts'
import {
  type ArxivPapers,
  readArxivPapers,
  searchArxiv,
} from '../../../src/sources/lookup/papers/arxiv.ts'
import { readCrossrefWork, searchCrossref } from '../../../src/sources/lookup/papers/crossref.ts'
import type { FoundWork, FoundWorks } from '../../../src/sources/lookup/papers/found-work.ts'
import { readOpenAlexWork, searchOpenAlex } from '../../../src/sources/lookup/papers/openalex.ts'
import {
  matchSemanticScholarTitle,
  parseSemanticScholarWorks,
  readSemanticScholarPaper,
  readSemanticScholarPapers,
  searchSemanticScholar,
} from '../../../src/sources/lookup/papers/semantic-scholar.ts'
import {
  parseCitationLinks,
  readCitationLinks,
} from '../../../src/sources/lookup/papers/semantic-scholar-links.ts'
import { lookupsOver, replays } from './lookup-world.ts'
import { cassettes, type Recording, recordedFiles, recordings } from './recordings.ts'

type Outcome = Lookup<object>

/** The outcome of each recording, by its reason, with the works in them. */
async function outcomes(
  answers: readonly Recording[],
  ask: (recording: Recording) => Promise<Outcome>,
): Promise<{ readonly counts: Record<string, number>; readonly works: readonly FoundWork[] }> {
  const counts: Record<string, number> = {}
  const works: FoundWork[] = []
  for (const recording of answers) {
    const outcome = await ask(recording)
    const name = outcome.ok ? 'read' : outcome.reason
    counts[name] = (counts[name] ?? 0) + 1
    const found = outcome as Partial<FoundWorks & { work: FoundWork; links: { work: FoundWork }[] }>
    if (outcome.ok) {
      works.push(
        ...(found.works ?? []),
        ...(found.work === undefined ? [] : [found.work]),
        ...(found.links ?? []).map(({ work }) => work),
      )
    }
  }
  return { counts, works }
}

const over = (recording: Recording) => lookupsOver(replays(recording)).access

describe.skipIf(!process.env.SCHOLIUM_DATA)('recorded answers (needs SCHOLIUM_DATA)', () => {
  it('of arXiv are all read', async () => {
    const answers = recordedFiles('arxiv', '.json').map((file) => {
      const { url, status_code, body } = JSON.parse(readFileSync(file, 'utf8'))
      return { file, method: 'GET', url, status: status_code, text: body }
    })
    const { counts, works } = await outcomes(answers, (recording) => {
      const ids = new URL(recording.url).searchParams.get('id_list')
      return ids === ''
        ? searchArxiv(over(recording), { query: 'x' })
        : readArxivPapers(over(recording), [ids === 'abc' ? '2301.00001' : (ids ?? '')])
    })
    expect(counts).toEqual({ read: 11, refused: 1 })
    const papers = works as ArxivPapers['works']
    expect(papers).toHaveLength(177)
    expect(
      papers.filter(
        ({ categories, pdfUrl, sourceId }) => !(categories.length > 0 && pdfUrl && sourceId),
      ),
    ).toEqual([])
  })

  it('of Semantic Scholar are all read that are of papers', async () => {
    const all = [...cassettes('semanticscholar').answers, ...cassettes('paperqa-cassettes').answers]
    const papers = all.filter(({ url }) => url.includes('api.semanticscholar.org/graph/v1/paper/'))
    const { counts, works } = await outcomes(papers, (recording) => {
      const access = over(recording)
      const { pathname } = new URL(recording.url)
      if (pathname.endsWith('/search/match')) return matchSemanticScholarTitle(access, 'x')
      if (pathname.includes('/search')) return searchSemanticScholar(access, { query: 'x' })
      if (pathname.endsWith('/batch')) {
        return readSemanticScholarPapers(access, ['CorpusId:1', 'CorpusId:2', 'CorpusId:3'])
      }
      const direction = /\/(references|citations)$/.exec(pathname)?.[1]
      return direction === undefined
        ? readSemanticScholarPaper(access, '10.1000/x')
        : readCitationLinks(access, { paper: '10.1000/x', direction: direction as 'citations' })
    })
    expect(counts).toEqual({ read: 49, not_found: 4 })
    const named = entriesIn(papers).filter((paper) => paper.title || paper.externalIds?.DOI)
    // 324 were recorded with other fields only, such as the year.
    expect([works.length, entriesIn(papers).length]).toEqual([named.length, named.length + 324])
  })

  it('of Semantic Scholar with all their fields are read', () => {
    const read = (name: string) =>
      JSON.parse(readFileSync(`${recordings}/semanticscholar/tests/data/${name}`, 'utf8'))
    const { access } = lookupsOver(async () => ({ ok: false, reason: 'none', detail: 'none' }))
    const paper = read('Paper.json')
    for (const list of [[paper], paper.citations, paper.references]) {
      const found = parseSemanticScholarWorks({ data: list }, access)
      expect(found.ok && [found.works.length, found.leftOut]).toEqual([list.length, 0])
    }
    const link = parseCitationLinks({ data: [read('Citation.json')] }, access)
    expect(link.ok && link.links[0]?.contexts.length).toBeGreaterThan(0)
  })

  it('of Crossref are all read that are of works', async () => {
    const all = [
      ...cassettes('crossref-habanero').answers,
      ...cassettes('paperqa-cassettes').answers,
    ]
    const works = all.filter(
      ({ url }) =>
        /api\.crossref\.org\/(?:.*\/)?works(?:[/?]|$)/.test(url) &&
        !/\/(?:transform|agency)/.test(url),
    )
    const found = await outcomes(works, (recording) =>
      /\/works\/10/.test(recording.url)
        ? readCrossrefWork(over(recording), '10.1000/x')
        : searchCrossref(over(recording), { query: 'x' }),
    )
    expect(found.counts).toEqual({ read: 53, not_found: 9, refused: 1 })
    const named = entriesIn(works).filter((work) => work.DOI || work.title)
    expect([found.works.length, named.length]).toEqual([323, 323])
    expect(found.works.filter(({ url }) => url === undefined)).toEqual([])
  })

  it('of OpenAlex are all read', async () => {
    const all = cassettes('paperqa-cassettes').answers.filter(({ url }) => url.includes('openalex'))
    const { counts, works } = await outcomes(all, (recording) =>
      /\/works\/https/.test(recording.url)
        ? readOpenAlexWork(over(recording), '10.1000/x')
        : searchOpenAlex(over(recording), { query: 'x' }),
    )
    expect(counts).toEqual({ read: 3 })
    expect(
      works.map(({ record, citationCount, url }) => [record.item.DOI, citationCount, url]),
    ).toEqual([
      ['10.1021/acs.jctc.5b00178', undefined, 'https://doi.org/10.1021/acs.jctc.5b00178'],
      ['10.1016/j.addr.2015.01.008', 750, 'https://doi.org/10.1016/j.addr.2015.01.008'],
      ['10.48550/arxiv.2312.07559', 27, 'https://arxiv.org/abs/2312.07559'],
    ])
  })
})

interface Entry {
  readonly title?: unknown
  readonly DOI?: unknown
  readonly externalIds?: { readonly DOI?: unknown }
}

/** Every paper in the answers of a success, however a source wraps it. */
function entriesIn(answers: readonly Recording[]): readonly Entry[] {
  return answers
    .filter(({ status }) => status === 200)
    .flatMap(({ text }) => {
      const json = JSON.parse(text)
      const content = json.message ?? json
      const list = content.items ?? content.data ?? (content.total === 0 ? [] : content)
      return (Array.isArray(list) ? list : [list]).map(
        (one) => one?.citedPaper ?? one?.citingPaper ?? one,
      )
    })
}
