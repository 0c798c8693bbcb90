import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { arxivTerms, matching, plainId } from './paper-answers.ts'
import { paperPdf } from './paper-pdf.ts'
import { type ServedPaper, sparseAttentionPapers } from './served-papers.ts'

/**
 * An MCP server for arXiv as a process of the tests, made with the official SDK. Over standard input and output, or with `http` as
 * its second argument over streamable HTTP: it then writes its address on a line. Its first argument is the shape of its answers.
 * Files go to the folder `STORAGE`.
 */
const [shape = 'papers', transport = 'stdio'] = process.argv.slice(2)
const storage = process.env.STORAGE ?? ''

const query = { type: 'string' }
const tools = [
  {
    name: 'search_papers',
    description: 'Searches arXiv.',
    inputSchema: {
      type: 'object' as const,
      properties: {
        query,
        max_results: { type: 'integer' },
        sort_by: { type: 'string' },
        ...(shape === 'no-categories' ? {} : { categories: { type: 'array', items: query } }),
      },
      required: ['query'],
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'download_paper',
    description: 'Downloads a paper.',
    inputSchema: {
      type: 'object' as const,
      properties: { paper_id: query },
      required: ['paper_id'],
    },
    annotations: { readOnlyHint: true },
  },
]

function record(paper: ServedPaper): object {
  const { arxivId, title, authors, abstract, categories, published } = paper
  const url = `https://arxiv.org/pdf/${arxivId}`
  const plain = { id: arxivId, title, authors, abstract, categories, published, url }
  if (shape !== 'odd') return plain
  return {
    entry_id: `http://arxiv.org/abs/${arxivId}`,
    title: `  ${title}\n`,
    authors: { 0: authors[0], 1: { name: authors[1] ?? null } },
    summary: abstract,
    published: 'some day',
    primary_category: categories.join(' '),
    pdf_url: null,
  }
}

function found(input: Readonly<Record<string, unknown>>): readonly unknown[] {
  const { words, categories } = arxivTerms(String(input.query))
  const named = [...categories, ...((input.categories as string[] | undefined) ?? [])]
  const wanted = shape === 'ignores-categories' ? [] : named
  const papers = matching(sparseAttentionPapers, { words, categories: wanted })
  const records = papers.slice(0, Number(input.max_results ?? 5)).map(record)
  return shape === 'odd' ? [null, 'nothing', { title: 'No id' }, ...records, { id: 7 }] : records
}

function text(value: string): CallToolResult {
  return { content: [{ type: 'text', text: value }] }
}

function searched(input: Readonly<Record<string, unknown>>): CallToolResult {
  const papers = found(input)
  const whole = { total_results: papers.length, papers }
  switch (shape) {
    case 'list':
      return text(JSON.stringify(papers))
    case 'blocks':
      return { content: papers.map((one) => ({ type: 'text', text: JSON.stringify(one) })) }
    case 'prose':
      return text(
        `Here is what I found:\n\`\`\`json\n${JSON.stringify(whole, null, 2)}\n\`\`\`\nEnjoy.`,
      )
    case 'structured':
      return { ...text(JSON.stringify(whole)), structuredContent: { result: papers } }
    case 'error':
      return text(JSON.stringify({ status: 'error', message: 'arXiv does not answer.' }))
    case 'fails':
      return { ...text('arXiv does not answer.'), isError: true }
    case 'nothing':
      return text('No papers found.')
    default:
      return text(JSON.stringify(whole))
  }
}

function downloaded(id: string): CallToolResult {
  const paper = sparseAttentionPapers.find((one) => one.arxivId === id || plainId(one) === id)
  if (paper === undefined) return { ...text(`There is no paper ${id}.`), isError: true }
  const pdf = paperPdf(paper)
  const path = join(storage, `${paper.arxivId}.pdf`)
  switch (shape) {
    case 'base64':
      return text(JSON.stringify({ status: 'success', pdf_base64: pdf.toString('base64') }))
    case 'blob': {
      const resource = {
        uri: `arxiv://${id}`,
        mimeType: 'application/pdf',
        blob: pdf.toString('base64'),
      }
      return { content: [{ type: 'resource', resource }] }
    }
    case 'markdown': {
      const sections = paper.sections.map(
        ({ heading, paragraphs }) => `## ${heading}\n\n${paragraphs.join('\n\n')}`,
      )
      return text(`# ${paper.title}\n\n${paper.abstract}\n\n${sections.join('\n\n')}`)
    }
    case 'outside':
      return text(JSON.stringify({ status: 'success', file_path: process.argv[1] }))
    case 'converting':
      return text(JSON.stringify({ status: 'converting', message: 'Ask again later.' }))
    case 'prose':
      writeFileSync(path, pdf)
      return text(`Downloaded "${paper.title}" to ${path}.`)
    default:
      writeFileSync(path, pdf)
      return text(JSON.stringify({ status: 'success', paper_id: id, pdf_path: path }))
  }
}

function newServer(): Server {
  const server = new Server({ name: 'arxiv', version: '1.0.0' }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const input = params.arguments ?? {}
    return params.name === 'search_papers' ? searched(input) : downloaded(String(input.paper_id))
  })
  return server
}

async function listen(): Promise<void> {
  const options = { sessionIdGenerator: () => randomUUID() }
  const streamable = new StreamableHTTPServerTransport(options)
  await newServer().connect(streamable as never)
  const http = createServer((request, response) => streamable.handleRequest(request, response))
  http.listen(0, '127.0.0.1', () => {
    const { port } = http.address() as AddressInfo
    process.stdout.write(`http://127.0.0.1:${port}/mcp\n`)
  })
}

if (transport === 'http') await listen()
else await newServer().connect(new StdioServerTransport())
