import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { ScholiumError } from '../../kernel/errors.ts'
import type { PapersInput } from '../../papers/input.ts'
import { placeNames } from '../../papers/input.ts'
import { mcpPlaceName } from '../../papers/places/mcp-place.ts'
import type { AppParts } from '../app-parts.ts'
import { checkClaimPolicy } from '../options.ts'
import type { Right } from '../trust/right.ts'
import { keptWeb } from '../trust/rights.ts'
import type { PapersRequest } from './papers-request.ts'

/** The word that stands for the library among sources. */
const libraryWord = 'library'

/**
 * The input of a run of papers. What it goes on from gives it what the request leaves open.
 * @throws `invalid_input` for a path, a setting or a run that cannot be used, `run_not_found`
 */
export async function papersInputOf(
  parts: AppParts,
  request: PapersRequest,
  mcpArxiv: string,
  grants: readonly Right[] = [],
): Promise<PapersInput> {
  const { continue: run, query, category, count, threshold, concurrency, claims } = request
  if (claims !== undefined) checkClaimPolicy({ question: '', claims })
  const kept =
    run === undefined
      ? undefined
      : await (await import('./continue-papers.ts')).keptFrom(parts, run)
  const add = run === undefined ? [] : (request.add ?? [])
  const words = wordsOf(parts, add)
  const files = filesOf(parts, request)
  const web = keptWeb(parts, { ...kept, asked: request.web }, grants)
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
    ...searchForIn(words, add, query ?? kept?.query ?? ''),
  }
  const isOnlyOwn = run !== undefined && words.length === 0
  const tiers = isOnlyOwn ? ownTiers(files, add) : tiersOf(input, mcpArxiv)
  return tiers === undefined ? input : { ...input, tiers }
}

/** Who names files one by one means all of them. */
function enoughFor(files: readonly string[]): Pick<PapersInput, 'count'> {
  const named = files.filter((path) => statSync(path).isFile()).length
  return named > usualCount ? { count: Math.min(named, mostPapers) } : {}
}

const usualCount = 5
const mostPapers = 20

/** What a run that goes on searches for; nothing where only files are added. */
function searchForIn(
  words: readonly string[],
  add: readonly string[],
  query: string,
): Pick<PapersInput, 'searchFor'> {
  if (words.length > 0) return { searchFor: words.join(' ') }
  return add.includes(libraryWord) ? { searchFor: query } : {}
}

/** Of a run that goes on without words to search for: only what it is given. */
function ownTiers(
  files: readonly string[],
  add: readonly string[],
): PapersInput['tiers'] | undefined {
  const own = [
    ...(files.length > 0 ? [placeNames.files] : []),
    ...(add.includes(libraryWord) ? [placeNames.library] : []),
  ]
  return own.length === 0 ? undefined : [own]
}

/** Absolute paths of what is named as a file. @throws `invalid_input` for one that is not there */
function filesOf(parts: AppParts, { sources = [], add = [], continue: run }: PapersRequest) {
  const named = [
    ...sources.filter((path) => path !== libraryWord),
    ...(run === undefined ? [] : add.filter((text) => isFile(parts, text))),
  ]
  const paths = named.map((path) => resolve(parts.folder, path))
  for (const path of paths) parts.requirePath(path)
  return paths
}

/** What of `add` are words to search for. */
function wordsOf(parts: AppParts, add: readonly string[]): readonly string[] {
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
function tiersOf(
  { files = [], library, web = false }: PapersInput,
  mcpArxiv: string,
): PapersInput['tiers'] | undefined {
  if (mcpArxiv === '') return undefined
  if (!web) throw withoutWeb(mcpArxiv)
  const own = [
    ...(files.length > 0 ? [placeNames.files] : []),
    ...(library === true ? [placeNames.library] : []),
  ]
  return [[...own, mcpPlaceName], [placeNames.arxiv], [placeNames.indexes]]
}

function withoutWeb(server: string): ScholiumError {
  return new ScholiumError(
    'invalid_input',
    `The MCP server "${server}" searches arXiv, but web access is disabled.`,
    { hint: 'Add --web (web: true).' },
  )
}
