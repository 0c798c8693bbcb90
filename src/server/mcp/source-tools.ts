import type { CallToolResult, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { SourceReader } from '../../app.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import { cutText } from '../../kernel/text/cut-text.ts'
import { findNamed, type McpSite, openSources, readSeen, sourceUri } from './mcp-site.ts'
import { claimOutput, coverageLine, doubtLines, toClaimOutput } from './run-output.ts'
import { answerCall, answerWith, sourceLink } from './tool-answer.ts'

const reading = { readOnlyHint: true, idempotentHint: true, openWorldHint: false }

/** Adds the tools that search, read and check against sources. No run is made for them. */
export function addSourceTools(server: McpServer, site: McpSite): void {
  addSearch(server, site)
  addRead(server, site)
  addVerify(server, site)
  addReferences(server, site)
}

const maxPassageChars = 1_500

const passage = z.object({
  title: z.string(),
  uri: z.string().describe('The source, for read_source.'),
  start: z.int().describe('Where the passage begins in the source, for read_source.'),
  page: z.int().optional(),
  section: z.string().optional(),
  text: z.string(),
})

function addSearch(server: McpServer, site: McpSite): void {
  server.registerTool(
    'search_library',
    {
      title: 'Search the library',
      description:
        'Finds the passages of the operator’s library that best match a query, by words. Fast, without a language model. Use it to see what the sources say in their own words, or whether there is anything on a topic; for an answer with checked citations use ask. Returns passages with their source, page and offset.',
      inputSchema: z.strictObject({
        query: z.string().trim().min(1).max(2_000).describe('Words that the passages should have.'),
        limit: z.int().min(1).max(20).default(8),
      }),
      outputSchema: z.object({ passages: z.array(passage) }),
      annotations: reading,
    },
    ({ query, limit }, { mcpReq: { signal } }) =>
      answerCall(site, async () => {
        const hits = await (await openSources(site)).search({ query, limit }, signal)
        const passages = hits.map(({ source: { id, title }, passage: found }) => {
          const { start, page, section, text } = found
          return {
            title,
            uri: sourceUri(id),
            start,
            ...(page === undefined ? {} : { page }),
            ...(section === undefined ? {} : { section }),
            text: cutText(text, maxPassageChars),
          }
        })
        const text = passages.map(
          ({ title, page, uri, start, text: said }) =>
            `${title}${page === undefined ? '' : `, p. ${page}`} (${uri}, from ${start})\n${said}`,
        )
        const links = new Map(passages.map(({ uri, title }) => [uri, sourceLink(uri, title)]))
        return answerWith(text.join('\n\n') || 'No passage matches.', { passages }, [
          ...links.values(),
        ])
      }),
  )
}

const pageOfText = z.object({
  title: z.string(),
  uri: z.string(),
  url: z.string().optional(),
  start: z.int().describe('Where the text begins in the source, in UTF-16 code units.'),
  totalChars: z.int(),
  nextStart: z.int().optional().describe('Where the rest begins; absent at the end.'),
  text: z.string(),
})

function addRead(server: McpServer, site: McpSite): void {
  server.registerTool(
    'read_source',
    {
      title: 'Read a source',
      description:
        'Reads the text of a source: a cited one, to check what stands around a quotation, or one that search_library found. Returns up to 20,000 characters from an offset or a page; call it again with nextStart for more.',
      inputSchema: z.strictObject({
        source: z
          .string()
          .regex(/^(?:scholium:\/\/sources\/)?[0-9a-f]{64}$/, 'is no address or id of a source')
          .describe('scholium://sources/… from a result.'),
        start: z.int().min(0).default(0),
        page: z.int().min(1).optional().describe('Start at this page instead.'),
        maxChars: z.int().min(100).max(20_000).default(8_000),
      }),
      outputSchema: pageOfText,
      annotations: reading,
    },
    ({ source: given, start, page, maxChars }) =>
      answerCall(site, async () => {
        const found = await readSeen(site, given.slice(-64))
        if (found === undefined)
          throw new ScholiumError('invalid_input', 'There is no such source.', {
            hint: 'Take the address from a result of search_library, ask or get_run.',
          })
        const { source, text: all } = found
        const from = page === undefined ? start : await pageStart(site, source.id, page)
        const text = all.slice(from, from + maxChars)
        const end = from + text.length
        const output = {
          title: source.title,
          uri: sourceUri(source.id),
          ...(source.url === undefined ? {} : { url: source.url }),
          start: from,
          totalChars: all.length,
          ...(end < all.length ? { nextStart: end } : {}),
          text: text.toWellFormed(),
        }
        const rest = end < all.length ? ` Continue with start ${end}.` : ''
        const head = `${source.title}, characters ${from} to ${end} of ${all.length}.${rest}`
        return answerWith(`${head}\n\n${text}`, output)
      }),
  )
}

async function pageStart(site: McpSite, id: string, page: number): Promise<number> {
  const start = await (await openSources(site)).findPage(id, page)
  if (start !== undefined) return start
  throw new ScholiumError('invalid_input', `The source has no text on a page ${page}.`, {
    hint: 'Give another page, or "start" instead.',
  })
}

const maxTextChars = 200_000
const maxClaims = 100

function addVerify(server: McpServer, site: McpSite): void {
  server.registerTool(
    'verify_text',
    {
      title: 'Check citations',
      description:
        'Checks a Markdown text with citations by code, without a language model: whether each cited source is in the library, and whether it supports the sentence. Use it before giving a cited text to a person, also after changing an answer of ask. Citations: [1] with a reference list, links, DOIs, file names; or [n] of a run, with its id. Returns a verdict and a reason for each sentence.',
      inputSchema: z.strictObject({
        text: z.string().trim().min(1).max(maxTextChars),
        run: z
          .string()
          .min(1)
          .max(128)
          .optional()
          .describe('The id of the run whose sources [1], [2] … mean.'),
      }),
      outputSchema: z.object({
        claims: z.array(claimOutput.extend({ line: z.int(), citations: z.array(z.string()) })),
        references: z.array(
          z.object({
            label: z.string(),
            title: z.string().optional(),
            uri: z.string().optional(),
            reason: z.string().describe('Why its source was not found; empty if it was.'),
          }),
        ),
        failures: z.object({ references: z.int(), claims: z.int() }),
        isShortened: z.boolean(),
      }),
      annotations: reading,
    },
    ({ text, run }, { mcpReq: { signal } }) =>
      answerCall(site, async () => {
        const reader = await openSources(site)
        const given = run === undefined ? {} : { run: (await findNamed(site, run)).runId }
        return describeCheck(site, await reader.check(text, { signal, ...given }))
      }),
  )
}

type CheckedText = Awaited<ReturnType<SourceReader['check']>>

function describeCheck({ form }: McpSite, report: CheckedText): CallToolResult {
  const labels = new Map(report.references.map(({ n, label }) => [n, label]))
  const references = report.references
    .filter(({ isCited }) => isCited)
    .map(({ label, sources, foundBy, reason }) => {
      const [source] = foundBy === null ? [] : sources
      const found = source && { title: source.title, uri: sourceUri(source.sourceId) }
      return { label, ...found, reason }
    })
  const output = form.of({
    claims: report.claims.slice(0, maxClaims).map((claim) => ({
      ...toClaimOutput(claim),
      line: claim.line,
      citations: claim.citations.map((n) => labels.get(n) ?? String(n)),
    })),
    references: references.slice(0, maxClaims),
    failures: report.failures,
    isShortened: Math.max(report.claims.length, references.length) > maxClaims,
  })
  const lost = output.references.filter(({ reason }) => reason !== '')
  const lines = [
    coverageLine(report.coverage),
    ...doubtLines(output.claims),
    ...lost.map(({ label, reason }) => `- source [${label}] not found: ${reason}`),
  ]
  return answerWith(lines.join('\n'), output)
}

const maxReferenceChars = 60_000

function addReferences(server: McpServer, site: McpSite): void {
  server.registerTool(
    'references',
    {
      title: 'Reference list',
      description:
        'Writes the reference list of a run (with the numbers of its answer) or of the whole library in a citation style or as data. Use it at the end of a text that cites, or to export to a reference manager. Names and years come from the sources’ metadata; never write them yourself.',
      inputSchema: z.strictObject({
        from: z.string().min(1).max(128).describe('The id of a run, "last", or "library".'),
        style: z
          .enum(['apa', 'chicago', 'ieee', 'apa-arxiv'])
          .optional()
          .describe('Default: apa. Without effect on bibtex, ris and csl.'),
        format: z.enum(['text', 'markdown', 'bibtex', 'ris', 'csl']).default('text'),
      }),
      outputSchema: z.object({ text: z.string(), count: z.int(), isShortened: z.boolean() }),
      annotations: reading,
    },
    ({ from, style, format }) =>
      answerCall(site, async () => {
        // A name of a file would be read.
        const place = from === 'library' ? from : (await findNamed(site, from)).runId
        const isStyled = format === 'text' || format === 'markdown'
        const { items, text } = await site.app.references(place, {
          format,
          ...(style !== undefined && isStyled ? { style } : {}),
        })
        const shown = cutText(text, maxReferenceChars)
        const output = { text: shown, count: items.length, isShortened: shown !== text }
        return answerWith(shown || 'There are no works to list.', output)
      }),
  )
}
