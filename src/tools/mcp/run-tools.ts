import type { CslItem } from '../../citations/source.ts'
import type { Tool } from '../../kernel/agent/tool.ts'
import { hashJson, type Json, type JsonObject } from '../../kernel/json.ts'
import type { Library } from '../../retrieval/library.ts'
import { type FoundPassage, toFoundPassage } from '../library/library-tools.ts'
import { textDocument } from '../web/keep-document.ts'
import { placeSiteName } from '../web/places.ts'
import type { DescribedTool } from './mcp-access.ts'
import { parseArguments } from './mcp-tools.ts'
import { ownToolsServer, type ToolAccess } from './own-tools.ts'
import type { McpResult } from './tool-result.ts'
import { cleanLine } from './untrusted-text.ts'

/** What server tools need from a run. */
export interface McpScope {
  /** Access to the servers, requested on the first call of a tool. */
  readonly access: () => Promise<ToolAccess>
  readonly library: Library
  /** Names of the run's other tools. */
  readonly takenNames: readonly string[]
  /** The current time; called only inside steps, whose results are recorded. */
  readonly now: () => number
}

/**
 * The tools offered to a run. What they read becomes snapshots in the library. A server's failure is returned as data,
 * so that it can become a gap.
 */
export function createMcpRunTools(
  offered: readonly DescribedTool[],
  scope: McpScope,
): readonly Tool[] {
  return offered.map((tool) => {
    const { server: _server, ...described } = tool
    return {
      ...described,
      parse: (input) => parseArguments(tool.parameters, input),
      execute: (input, run) => execute(tool, scope, input, run),
    }
  })
}

async function execute(
  tool: DescribedTool,
  { access, library, takenNames, now }: McpScope,
  input: Json,
  run: Parameters<Tool['execute']>[1],
): Promise<Json> {
  const outcome = await (await access()).call(tool, takenNames, input, run)
  const told = outcome.notices.length === 0 ? {} : { notices: outcome.notices as unknown as Json }
  if (outcome.ok) {
    const kept = await keepResult(library, outcome.result, { tool, input, atMs: now() })
    return { ...kept, ...told }
  }
  const { error, unavailable } = outcome
  // Only a failed step can report that the outcome is unknown.
  if (error.code === 'outcome_unknown' || (unavailable.length === 0 && told.notices === undefined))
    throw error
  return {
    error: error.message,
    code: error.code,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    unavailable: unavailable as unknown as Json,
    ...told,
  }
}

/** The call a result belongs to. */
interface ResultOrigin {
  readonly tool: Pick<DescribedTool, 'name' | 'server'>
  readonly input: Json
  /** When it was received, in milliseconds since 1970. */
  readonly atMs: number
}

/** Maximum texts of a result that become sources. */
const maxTexts = 10
/** Passages of a result shown at once; read_source continues. */
const maxShown = 8
const maxTitle = 200

/** A text in a result, with its address according to the server. */
interface FoundText {
  readonly text: string
  readonly title: string
  /** Absent if it has no address. */
  readonly url?: string
}

/**
 * Stores a tool's result as snapshots in the library, for this run, and returns their first passages. Text with an
 * address belongs to that page; other text is a source named after the call.
 */
async function keepResult(
  library: Library,
  result: McpResult,
  origin: ResultOrigin,
): Promise<JsonObject> {
  const passages: FoundPassage[] = []
  let left = 0
  for (const found of findTexts(result, origin)) {
    const document = textDocument(found.text, { title: found.title, csl: toCsl(found, origin) })
    await library.addAll([{ document, path: found.url ?? resultPath(origin), isListed: false }])
    const source = await library.source(document.contentHash)
    const all = await library.passages(document.contentHash)
    const shown = source === undefined ? [] : all.slice(0, maxShown - passages.length)
    for (const passage of shown) passages.push(toFoundPassage(passage, source as never))
    left += all.length - shown.length
  }
  const { images, links } = describeOtherBlocks(result)
  return {
    passages: passages as unknown as Json,
    ...(left === 0 ? {} : { passagesLeft: left }),
    ...(images.length === 0 ? {} : { images }),
    ...(links.length === 0 ? {} : { links }),
    ...(result.cut === undefined ? {} : { cut: result.cut }),
  }
}

function findTexts({ content, structured }: McpResult, origin: ResultOrigin): readonly FoundText[] {
  const plain = content.flatMap(({ type, text }) => (type === 'text' ? [String(text ?? '')] : []))
  const data = structured === undefined ? [] : [JSON.stringify(structured, null, 2)]
  const main = [...plain, ...data].join('\n\n').trim()
  const resources = content.flatMap(({ type, uri, text }): readonly FoundText[] => {
    if (type !== 'resource' || typeof text !== 'string' || text.trim() === '') return []
    const address = String(uri ?? '')
    const title = cleanLine(`${origin.tool.server}: ${address}`, maxTitle)
    return [{ text, title, ...(isHttp(address) ? { url: address } : {}) }]
  })
  const texts = main === '' ? [] : [{ text: main, ...findPageFacts(main, origin) }]
  return [...texts, ...resources].slice(0, maxTexts)
}

const statedUrl = /^[\s#>*-]*(?:page )?url:\s*<?(https?:\/\/[^\s<>"]+)/im
const statedTitle = /^[\s#>*-]*(?:page )?title:\s*(\S.*)$/im
/** How far into a text its address may be stated. */
const headCharacters = 2_000

/** The page a text belongs to: as stated at its start, or the requested one. */
function findPageFacts(text: string, origin: ResultOrigin): Omit<FoundText, 'text'> {
  const head = text.slice(0, headCharacters)
  const url = statedUrl.exec(head)?.[1] ?? findAddress(origin.input)
  if (url === undefined) return { title: callTitle(origin) }
  const title = statedTitle.exec(head)?.[1] ?? placeSiteName({ url, title: '' })
  return { url, title: cleanLine(title, maxTitle) }
}

/** The first address among a call's arguments. */
function findAddress(input: Json | undefined): string | undefined {
  if (typeof input === 'string') return isHttp(input) ? input : undefined
  if (typeof input !== 'object' || input === null) return undefined
  for (const value of Object.values(input)) {
    const found = findAddress(value as Json)
    if (found !== undefined) return found
  }
  return undefined
}

function isHttp(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)
}

function callTitle({ tool, input }: ResultOrigin): string {
  const given = JSON.stringify(input)
  const server = tool.server === ownToolsServer ? '' : `${tool.server}: `
  return cleanLine(`${server}${tool.name}(${given === '{}' ? '' : given})`, maxTitle)
}

/** The path of a text without an address. */
function resultPath({ tool, input }: ResultOrigin): string {
  return `${tool.server === ownToolsServer ? 'tool' : 'mcp'}:${tool.name}/${hashJson(input).slice(0, 16)}`
}

function toCsl({ title, url }: FoundText, { tool, atMs }: ResultOrigin): CslItem {
  const at = new Date(atMs)
  const day = [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate()]
  return {
    id: '',
    type: url === undefined ? 'document' : 'webpage',
    title,
    ...(url === undefined ? {} : { URL: url }),
    accessed: { 'date-parts': [day] },
    note:
      tool.server === ownToolsServer
        ? `Given by the tool ${tool.name}.`
        : `Read with ${tool.name} of the MCP server "${tool.server}".`,
  }
}

/** Pictures and links, which are not evidence. */
function describeOtherBlocks({ content }: McpResult) {
  const images = content.filter(({ type }) => type === 'image')
  const links = content.flatMap(({ type, uri, name, title }) =>
    type === 'resource_link' ? [{ uri: uri ?? '', name: title ?? name ?? '' }] : [],
  )
  return { images, links }
}
