import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Tool } from '../../kernel/agent/tool.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { type PapersInput, placeNames } from '../../papers/input.ts'
import { mcpPlaceName } from '../../papers/places/mcp-place.ts'
import type { AppParts } from '../app-parts.ts'
import { isPrivateOriginal } from '../library/originals.ts'
import { checkClaimPolicy, requireReading } from '../options.ts'
import { findRunId } from '../runs/run-id.ts'
import type { Right } from '../trust/right.ts'
import { chooseWeb } from '../trust/rights.ts'
import { environmentServer, environmentServers, isOn } from './environment-servers.ts'
import { type PaperSearches, recordedPapersConditions } from './papers-conditions.ts'

/** The word that stands for the library among sources. */
const libraryWord = 'library'

/**
 * The input of a run of papers. The run it continues supplies what the request leaves open.
 * @throws `invalid_input` for an unusable path, setting or run, `run_not_found`
 */
export async function toPapersInput(
  parts: AppParts,
  request: PapersRequest,
  searches: PaperSearches,
  grants: readonly Right[] = [],
): Promise<PapersInput> {
  const { continue: run, query, category, count, threshold, concurrency, claims } = request
  if (claims !== undefined) checkClaimPolicy({ question: '', claims })
  const kept =
    run === undefined
      ? undefined
      : await (await import('./continue-papers.ts')).keptFrom(parts, run)
  const add = run === undefined ? [] : (request.add ?? [])
  const words = chooseWords(parts, add)
  const isLibraryNamed = add.includes(libraryWord)
  // A continued run that names a place without words searches it for its topic.
  const isTopicSearched = run !== undefined && (isLibraryNamed || searches.tools.length > 0)
  const topic = isTopicSearched ? (query ?? kept?.query ?? '') : ''
  const searchFor = words.join(' ') || topic
  const files = resolveFiles(parts, request)
  const web = chooseWeb(parts, { ...kept, asked: request.web }, grants)
  const asked = { query, category, count, threshold, concurrency, claims, web }
  const given = Object.entries(asked).filter(([, value]) => value !== undefined)
  const library = isLibraryAsked(request, kept)
  const input: PapersInput = {
    ...kept,
    ...(Object.fromEntries(given) as Partial<PapersInput>),
    query: query ?? kept?.query ?? '',
    ...(count === undefined ? enoughFor(files) : {}),
    files,
    ...(library === undefined ? {} : { library }),
    ...(request.sourcesRoot === undefined
      ? {}
      : { filesWithin: resolve(parts.folder, request.sourcesRoot) }),
    ...(searchFor === '' ? {} : { searchFor }),
  }
  const own = ownPlaces(files, isLibraryNamed, searches)
  const isOnlyOwn = run !== undefined && words.length === 0
  if (isOnlyOwn) return own.length === 0 ? input : { ...input, tiers: [own] }
  const tiers = chooseTiers(input, searches)
  return tiers === undefined ? input : { ...input, tiers }
}

/** Who names files one by one means all of them. */
function enoughFor(files: readonly string[]): Pick<PapersInput, 'count'> {
  const named = files.filter((path) => statSync(path).isFile()).length
  return named > usualCount ? { count: Math.min(named, mostPapers) } : {}
}

const usualCount = 5
const mostPapers = 20

/** The places that the request itself names: files, the library, own tools. */
function ownPlaces(
  files: readonly string[],
  isLibrary: boolean,
  { tools }: PaperSearches,
): readonly string[] {
  return [
    ...(files.length > 0 ? [placeNames.files] : []),
    ...(isLibrary ? [placeNames.library] : []),
    ...tools.map(({ name }) => name),
  ]
}

/** Absolute paths of what is named as a file. @throws `invalid_input` for one that is not there */
function resolveFiles(parts: AppParts, { sources = [], add = [], continue: run }: PapersRequest) {
  const named = [
    ...sources.filter((path) => path !== libraryWord && !isUpload(parts, path)),
    ...(run === undefined ? [] : add.filter((text) => isFile(parts, text))),
  ]
  const paths = named.map((path) => resolve(parts.folder, path))
  for (const path of paths) parts.requirePath(path)
  return paths
}

/** The folders of uploads among the sources, which are searched as a part of the library. */
export function uploadsIn(
  parts: AppParts,
  { sources = [] }: Pick<PapersRequest, 'sources'>,
): readonly string[] {
  return sources.filter((path) => isUpload(parts, path))
}

function isUpload({ folder, home }: AppParts, path: string): boolean {
  return isPrivateOriginal(home.path, resolve(folder, path))
}

/** What of `add` are words to search for. */
function chooseWords(parts: AppParts, add: readonly string[]): readonly string[] {
  return add.filter((text) => text !== libraryWord && !isFile(parts, text))
}

/** Whether a text names a file: one is there, or it looks like a path, so that a slip of the pen is no search. */
function isFile({ folder }: AppParts, text: string): boolean {
  return existsSync(resolve(folder, text)) || /[\\/]|\.(?:pdf|docx?|html?|md|txt)$/i.test(text)
}

/** `undefined`: as the workflow has it. */
function isLibraryAsked(
  { sources, add = [] }: PapersRequest,
  kept: Partial<PapersInput> | undefined,
): boolean | undefined {
  if (add.includes(libraryWord) || sources?.includes(libraryWord)) return true
  return sources === undefined ? kept?.library : undefined
}

/** The places of a run, where they are not the workflow's own. */
function chooseTiers(
  { files = [], library = false, web = false }: PapersInput,
  searches: PaperSearches,
): PapersInput['tiers'] | undefined {
  const { mcpArxiv, tools } = searches
  if (mcpArxiv === '' && tools.length === 0) return undefined
  const own = ownPlaces(files, library, searches)
  if (mcpArxiv === '') return web ? [[...own, placeNames.arxiv], [placeNames.indexes]] : [own]
  if (!web) throw withoutWeb(mcpArxiv)
  return [[...own, mcpPlaceName], [placeNames.arxiv], [placeNames.indexes]]
}

function withoutWeb(server: string): ScholiumError {
  return new ScholiumError(
    'invalid_input',
    `The MCP server "${server}" searches arXiv, but web access is disabled.`,
    { hint: 'Add --web (web: true).' },
  )
}

/** @throws `invalid_input` for a tool that writes, takes no `query`, or has the name of another place */
export function requireSearchTools(tools: readonly Tool[]): void {
  requireReading(tools, 'a search for papers')
  const taken = new Set<string>([...Object.values(placeNames), mcpPlaceName])
  for (const { name, parameters } of tools) {
    const { properties = {} } = parameters as { readonly properties?: JsonObject }
    if (!Object.hasOwn(properties, 'query'))
      throw new ScholiumError('invalid_input', `The tool "${name}" cannot search for papers.`, {
        hint: 'Its input needs the field "query".',
      })
    if (taken.has(name))
      throw new ScholiumError('invalid_input', `There are two places named "${name}".`, {
        hint: 'Give your tool another name.',
      })
    taken.add(name)
  }
}

/** What people call the server in `.mcp.json`. */
const usualName = 'arxiv'

/**
 * The MCP server that is asked for arXiv papers first; empty for none. If the request names none, it is that of the run
 * it continues, else, if the request may use the web, the environment's (`USE_MCP_ARXIV`).
 * @throws `invalid_configuration` for an invalid file of servers, `invalid_input` for an unknown server
 */
export async function chooseMcpArxiv(parts: AppParts, request: PapersRequest): Promise<string> {
  const { mcp, environment, store } = parts
  const { mcpArxiv, web, continue: run } = request
  if (mcpArxiv !== undefined) return mcp.namesFor([mcpArxiv])[0] ?? ''
  const known = [...mcp.servers, ...environmentServers(environment)].map(({ name }) => name)
  if (run !== undefined && web !== false) {
    const before = await recordedPapersConditions(store, await findRunId(store, run))
    const { mcpArxiv: server } = before
    if (known.includes(server) && mcp.isGranted(server)) return server
    if (server !== '')
      parts.warn(
        `The earlier papers were searched through the MCP server ${server}; these are not. To use it again: --mcp-arxiv ${server}`,
      )
  }
  if (web !== true || !isOn(environment.USE_MCP_ARXIV)) return ''
  return known.includes(usualName) ? usualName : environmentServer
}

/** A search for papers and what to do with them. */
export interface PapersRequest {
  /** The topic. Default, if another run is continued: its topic. */
  readonly query?: string
  /** An arXiv category, such as `cs.CL`; papers without categories match too. Default: any. */
  readonly category?: string
  /** Maximum number of papers, 1 to 20. Default 5. */
  readonly count?: number
  /** Files and folders of papers, and `library` for the library. Default: the library, or, with the web or your own tools, those alone. */
  readonly sources?: readonly string[]
  /** Sources are read only inside this folder; links that lead elsewhere are skipped. Default: links are followed anywhere. */
  readonly sourcesRoot?: string
  /** Whether arXiv, Semantic Scholar and OpenAlex may be searched, and papers downloaded. Default false. */
  readonly web?: boolean
  /** A configured MCP server that is searched for arXiv papers before arXiv itself. */
  readonly mcpArxiv?: string
  /**
   * Your own tools that search for papers, in addition to the other places. Each is called with `query`, and with `limit` and
   * `category` if its input has them, and returns records: `title`, and as far as known `authors`, `abstract`, `published`,
   * `doi`, `arxiv_id`, `url`, `pdf_url`, `text`. `text` is the full text in Markdown; without it, the PDF is downloaded if `web` is
   * allowed. They may not change anything. A resumed run needs them again: {@link ExecutionOptions.tools}.
   */
  readonly tools?: readonly Tool[]
  /** Minimum confidence of an analysis for its paper to count, 0 to 1. Default 0.7. */
  readonly threshold?: number
  /** How many papers are analysed at once, 1 to 16. Default 4. */
  readonly concurrency?: number
  /** How to treat sentences that their pages do not support. Default `mark`. */
  readonly claims?: NonNullable<PapersInput['claims']>
  /**
   * The run of papers that this one continues: its id, a part of it, or `last`. Its papers, analyses, numbers and settings are
   * kept, and the synthesis is written again.
   */
  readonly continue?: string
  /** What a continued run adds: files, folders, or words to search for. */
  readonly add?: readonly string[]
  /** Whether to ignore earlier results. Default false: if the same was asked before, that result is returned. */
  readonly fresh?: boolean
}
