import type { ServedPaper } from './served-papers.ts'

/** What a service gives of its papers: a page of those that match. */
export interface AnswerPage {
  readonly papers: readonly ServedPaper[]
  readonly total: number
  readonly offset: number
  /** Where the PDFs are, without a slash at its end. */
  readonly filesOrigin: string
}

/** What is looked for. */
export interface Terms {
  readonly words: readonly string[]
  readonly categories?: readonly string[]
  /** Whether all words are wanted, as arXiv does; else papers with most of them come first. */
  readonly isStrict?: boolean
}

/** The papers that match, the best first. Words of one or two letters count for nothing. */
export function matching(
  papers: readonly ServedPaper[],
  { words, categories = [], isStrict = false }: Terms,
): readonly ServedPaper[] {
  const wanted = words.map((word) => word.toLowerCase()).filter((word) => word.length > 2)
  const score = ({ title, abstract }: ServedPaper) => {
    const text = `${title} ${abstract}`.toLowerCase()
    return wanted.filter((word) => text.includes(word)).length
  }
  const isIn = (paper: ServedPaper) => categories.some((one) => paper.categories.includes(one))
  return papers
    .filter((paper) => categories.length === 0 || isIn(paper))
    .filter((paper) => score(paper) >= (isStrict ? wanted.length : 1))
    .toSorted((one, other) => score(other) - score(one))
}

/** What arXiv's language of queries asks for. */
export function arxivTerms(query: string): Required<Terms> {
  const categories = [...query.matchAll(/cat:([\w.-]+)/g)].map(([, category = '']) => category)
  const rest = query.replace(/cat:[\w.-]+/g, ' ')
  const isStrict = !/\bOR\b/.test(rest)
  const terms = rest.replace(/\b(?:AND|OR|ANDNOT)\b|\b[a-z]+:/g, ' ')
  return { words: terms.match(/[\p{L}\p{N}]+/gu) ?? [], categories, isStrict }
}

/** A feed of arXiv's API. */
export function arxivFeed({ papers, total, offset, filesOrigin }: AnswerPage): string {
  const entries = papers.map((paper) => {
    const { arxivId, title, published, abstract, authors, categories, hasPdfLink = true } = paper
    const pdf = `<link href="${filesOrigin}/pdf/${arxivId}" rel="related" type="application/pdf" title="pdf"/>`
    return `  <entry>
    <id>http://arxiv.org/abs/${arxivId}</id>
    <title>${escapeXml(title)}</title>
    <updated>${published}T12:00:00Z</updated>
    <link href="https://arxiv.org/abs/${arxivId}" rel="alternate" type="text/html"/>
    ${hasPdfLink ? pdf : ''}
    <summary>${escapeXml(abstract)}</summary>
    ${categories.map((term) => `<category term="${term}" scheme="http://arxiv.org/schemas/atom"/>`).join('')}
    <published>${published}T12:00:00Z</published>
    <arxiv:primary_category term="${categories[0]}"/>
    ${authors.map((name) => `<author><name>${escapeXml(name)}</name></author>`).join('')}
  </entry>`
  })
  return `<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns="http://www.w3.org/2005/Atom">
  <id>https://arxiv.org/api/test</id>
  <opensearch:itemsPerPage>${papers.length}</opensearch:itemsPerPage>
  <opensearch:totalResults>${total}</opensearch:totalResults>
  <opensearch:startIndex>${offset}</opensearch:startIndex>
${entries.join('\n')}
</feed>
`
}

/** A page of Semantic Scholar's search. */
export function semanticScholarPage(page: AnswerPage): object {
  const { papers, total, offset, filesOrigin } = page
  const next = offset + papers.length
  return {
    total,
    offset,
    ...(next < total ? { next } : {}),
    data: papers.map((paper) => ({
      paperId: sha40(paper.arxivId),
      title: paper.title,
      abstract: paper.abstract,
      year: Number(paper.published.slice(0, 4)),
      publicationDate: paper.published,
      venue: 'arXiv.org',
      externalIds: { ArXiv: plainId(paper), ...(paper.doi ? { DOI: paper.doi } : {}) },
      url: `https://www.semanticscholar.org/paper/${sha40(paper.arxivId)}`,
      authors: paper.authors.map((name, index) => ({ authorId: String(index), name })),
      citationCount: paper.citationCount ?? 0,
      openAccessPdf: { url: `${filesOrigin}/pdf/${plainId(paper)}`, status: 'GREEN' },
    })),
  }
}

/** A page of OpenAlex's works. */
export function openAlexPage({ papers, total, filesOrigin }: AnswerPage): object {
  return {
    meta: { count: total, page: 1, per_page: papers.length },
    results: papers.map((paper) => ({
      id: `https://openalex.org/W${workNumber(paper)}`,
      doi: paper.doi === undefined ? null : `https://doi.org/${paper.doi.toLowerCase()}`,
      title: paper.title,
      display_name: paper.title,
      publication_date: paper.published,
      publication_year: Number(paper.published.slice(0, 4)),
      type: 'preprint',
      cited_by_count: (paper.citationCount ?? 0) + 1,
      authorships: paper.authors.map((name) => ({ author: { display_name: name } })),
      primary_location: {
        landing_page_url: `https://arxiv.org/abs/${plainId(paper)}`,
        source: { display_name: 'arXiv (Cornell University)', type: 'repository' },
      },
      best_oa_location: { pdf_url: `${filesOrigin}/pdf/${plainId(paper)}` },
      abstract_inverted_index: inverted(paper.abstract),
      is_retracted: false,
    })),
  }
}

/** A page of Crossref's works. */
export function crossrefPage({ papers, total }: AnswerPage): object {
  return {
    status: 'ok',
    'message-type': 'work-list',
    message: {
      'total-results': total,
      items: papers.map((paper) => ({
        DOI: paper.doi ?? `10.5555/${plainId(paper)}`,
        type: 'posted-content',
        title: [paper.title],
        author: paper.authors.map((name) => {
          const words = name.split(' ')
          return { given: words.slice(0, -1).join(' '), family: words.at(-1) }
        }),
        issued: { 'date-parts': [paper.published.split('-').map(Number)] },
        URL: `https://doi.org/${paper.doi ?? `10.5555/${plainId(paper)}`}`,
      })),
    },
  }
}

/** An arXiv id without its version. */
export function plainId({ arxivId }: Pick<ServedPaper, 'arxivId'>): string {
  return arxivId.replace(/v\d+$/, '')
}

function workNumber(paper: ServedPaper): string {
  return plainId(paper).replace(/\D/g, '')
}

function sha40(text: string): string {
  return Buffer.from(text.padEnd(20, '-').slice(0, 20)).toString('hex')
}

function inverted(text: string): Readonly<Record<string, readonly number[]>> {
  const places: Record<string, number[]> = {}
  for (const [index, word] of text.split(' ').entries()) {
    places[word] = [...(places[word] ?? []), index]
  }
  return places
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
