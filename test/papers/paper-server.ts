import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type AnswerPage,
  arxivFeed,
  arxivTerms,
  crossrefPage,
  matching,
  openAlexPage,
  plainId,
  semanticScholarPage,
} from './paper-answers.ts'
import { type Fault, type Prepared, sendWithFault } from './paper-faults.ts'
import { paperPdf } from './paper-pdf.ts'
import { type ServedPaper, sparseAttentionPapers } from './served-papers.ts'

/** The services, each on a port of its own; `files` has the PDFs, and `arxiv` has them too. */
export const paperServices = ['arxiv', 'semantic-scholar', 'openalex', 'crossref', 'files'] as const
export type PaperService = (typeof paperServices)[number]

/** A request as a service saw it. */
export interface PaperRequest {
  readonly service: PaperService
  readonly url: URL
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** Services of papers on loopback: arXiv's search, Semantic Scholar's, OpenAlex's, Crossref's, and PDFs with ranges. */
export class PaperServer {
  /** What they know; may be replaced at any time. */
  papers: readonly ServedPaper[]
  /** Every request, in order. */
  readonly requests: PaperRequest[] = []
  private readonly servers = new Map<PaperService, Server>()
  private readonly planned = new Map<PaperService, Fault[]>()
  private readonly lasting = new Map<PaperService, Fault>()
  private readonly replaced = new Map<string, Buffer>()

  private constructor(papers: readonly ServedPaper[]) {
    this.papers = papers
  }

  /** Starts the services. Close them after the test. */
  static async start(papers: readonly ServedPaper[] = sparseAttentionPapers): Promise<PaperServer> {
    const started = new PaperServer(papers)
    for (const service of paperServices) await started.open(service)
    return started
  }

  /** Where a service is, without a slash at its end. */
  origin(service: PaperService): string {
    const server = this.servers.get(service) as Server
    const { port } = server.address() as AddressInfo
    return `http://127.0.0.1:${port}`
  }

  /** For `webServers` of an app, or `baseUrls` of look-ups. */
  get webServers() {
    const origins = paperServices.map((service) => [service, this.origin(service)] as const)
    return {
      baseUrls: Object.fromEntries(origins.filter(([service]) => service !== 'files')),
      allowedOrigins: origins.map(([, origin]) => origin),
    }
  }

  /** The next requests to a service get these faults, one each. */
  fault(service: PaperService, ...faults: readonly Fault[]): void {
    this.planned.set(service, [...(this.planned.get(service) ?? []), ...faults])
  }

  /** Each request to a service without a planned fault gets this one, until it is taken back. */
  always(service: PaperService, fault: Fault | undefined): void {
    if (fault === undefined) this.lasting.delete(service)
    else this.lasting.set(service, fault)
  }

  /** How many requests a service got, of those whose path has these words. */
  count(service: PaperService, pathPart = ''): number {
    return this.requests.filter(
      (seen) => seen.service === service && seen.url.pathname.includes(pathPart),
    ).length
  }

  /** Forgets requests, faults and changed files. */
  reset(): void {
    this.requests.length = 0
    this.planned.clear()
    this.lasting.clear()
    this.replaced.clear()
  }

  /** The bytes of a paper's file, by its id with or without a version. @throws for a paper that is not known */
  pdf(id: string): Buffer {
    const paper = this.papers.find((one) => one.arxivId === id || plainId(one) === id)
    if (paper === undefined) throw new Error(`There is no paper ${id}.`)
    return this.replaced.get(plainId(paper)) ?? paperPdf(paper)
  }

  /** Puts another file in a paper's place, as a new version does. */
  replacePdf(id: string, bytes: Buffer): void {
    this.replaced.set(id.replace(/v\d+$/, ''), bytes)
  }

  async close(): Promise<void> {
    for (const server of this.servers.values()) {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }

  private async open(service: PaperService): Promise<void> {
    const server = createServer((request, response) => {
      const url = new URL(request.url ?? '/', 'http://service.test')
      this.requests.push({ service, url, headers: request.headers })
      const fault = this.planned.get(service)?.shift() ?? this.lasting.get(service)
      const prepared = this.answer(service, url, request, fault)
      sendWithFault(response, prepared, fault).catch(() => response.destroy())
    })
    this.servers.set(service, server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  }

  private answer(
    service: PaperService,
    url: URL,
    request: IncomingMessage,
    fault: Fault | undefined,
  ): Prepared {
    const { pathname, searchParams: asked } = url
    if (pathname.startsWith('/pdf/')) return this.file(pathname, request, fault)
    if (service === 'arxiv' && pathname === '/api/query') {
      const feed = arxivFeed(this.arxivPage(asked))
      return prepared(200, feed, 'application/atom+xml; charset=utf-8')
    }
    const number = (name: string, otherwise: number) => Number(asked.get(name) ?? otherwise)
    const page = (query: string, offset: number, limit: number) =>
      this.page(matching(this.papers, { words: query.split(/\W+/) }), offset, limit)
    if (service === 'semantic-scholar' && pathname === '/graph/v1/paper/search') {
      const found = page(asked.get('query') ?? '', number('offset', 0), number('limit', 10))
      return json(200, semanticScholarPage(found))
    }
    if (service === 'openalex' && pathname === '/works') {
      const limit = number('per_page', 25)
      const found = page(asked.get('search') ?? '', (number('page', 1) - 1) * limit, limit)
      return json(200, openAlexPage(found))
    }
    if (service === 'crossref' && pathname === '/works') {
      const found = page(asked.get('query') ?? '', number('offset', 0), number('rows', 20))
      return json(200, crossrefPage(found))
    }
    return json(404, { error: 'There is no such thing.' })
  }

  private arxivPage(asked: URLSearchParams): AnswerPage {
    const [offset, limit] = [
      Number(asked.get('start') ?? 0),
      Number(asked.get('max_results') ?? 10),
    ]
    const ids = asked.get('id_list')?.split(',') ?? []
    if (ids.length > 0) {
      const known = this.papers.filter(
        (one) => ids.includes(one.arxivId) || ids.includes(plainId(one)),
      )
      return this.page(known, offset, limit)
    }
    const terms = arxivTerms(asked.get('search_query') ?? '')
    return this.page(matching(this.papers, terms), offset, limit)
  }

  private page(found: readonly ServedPaper[], offset: number, limit: number): AnswerPage {
    const papers = found.slice(offset, offset + limit)
    return { papers, total: found.length, offset, filesOrigin: this.origin('files') }
  }

  private file(path: string, request: IncomingMessage, fault: Fault | undefined): Prepared {
    const id = path.replace('/pdf/', '').replace(/\.pdf$/, '')
    const isKnown = this.papers.some((one) => one.arxivId === id || plainId(one) === id)
    if (!isKnown) return prepared(404, 'There is no such paper.', 'text/plain')
    const body = this.pdf(id)
    const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`
    const headers = {
      'content-type': 'application/pdf',
      'last-modified': 'Mon, 05 Jan 2026 12:00:00 GMT',
      etag,
      'accept-ranges': fault?.kind === 'no-ranges' ? 'none' : 'bytes',
    }
    const from = fault?.kind === 'no-ranges' ? undefined : rangeStart(request, etag)
    if (from === undefined || from === 0) {
      return { status: 200, headers: { ...headers, 'content-length': String(body.length) }, body }
    }
    const all = { ...headers, 'content-range': `bytes */${body.length}`, 'content-length': '0' }
    if (from >= body.length) return { status: 416, headers: all, body: Buffer.alloc(0) }
    const rest = body.subarray(from)
    const range = `bytes ${from}-${body.length - 1}/${body.length}`
    const partial = { ...headers, 'content-range': range, 'content-length': String(rest.length) }
    return { status: 206, headers: partial, body: rest }
  }
}

/** Where an open range begins, if the file is still the one that is meant. */
function rangeStart({ headers }: IncomingMessage, etag: string): number | undefined {
  const start = /^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1]
  const condition = headers['if-range']
  return start === undefined || (condition !== undefined && condition !== etag)
    ? undefined
    : Number(start)
}

function json(status: number, value: object): Prepared {
  return prepared(status, JSON.stringify(value), 'application/json')
}

function prepared(status: number, text: string, type: string): Prepared {
  const body = Buffer.from(text)
  const headers = { 'content-type': type, 'content-length': String(body.length) }
  return { status, headers, body }
}
