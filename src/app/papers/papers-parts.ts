import { join, resolve } from 'node:path'
import { type GraphPicture, pictureOf } from '../../graph/draw-graph.ts'
import type { Tool } from '../../kernel/agent/tool.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import { changeGraph } from '../../papers/change-graph.ts'
import { mcpDelivery } from '../../papers/download/mcp-delivery.ts'
import { createPaperFiles } from '../../papers/download/paper-files.ts'
import { placeNames } from '../../papers/input.ts'
import type { PaperPlace } from '../../papers/paper.ts'
import { papersGraph, papersWorkflow } from '../../papers/papers.ts'
import { type GivenFiles, loadPapersPrompts, type PapersParts } from '../../papers/parts.ts'
import { arxivPlace } from '../../papers/places/arxiv-place.ts'
import { filesPlace } from '../../papers/places/files-place.ts'
import { indexesPlace } from '../../papers/places/indexes-place.ts'
import { libraryPlace } from '../../papers/places/library-place.ts'
import { mcpPlace, mcpPlaceName } from '../../papers/places/mcp-place.ts'
import { toolPlace } from '../../papers/places/tool-place.ts'
import { createPaperReader } from '../../papers/reading/read-paper.ts'
import { createWorkCache } from '../../papers/reading/work-cache.ts'
import type { AppParts } from '../app-parts.ts'
import type { PapersConditions } from './papers-conditions.ts'

/**
 * The pipeline of papers as a workflow, under the conditions of a run.
 * @param tools the program's own, as places
 */
export function createPapersWorkflow(
  parts: AppParts,
  conditions: PapersConditions,
  tools: readonly Tool[] = [],
) {
  return papersWorkflow(createPapersParts(parts, conditions, tools), parts.options.graphs?.papers)
}

/** The pipeline's graph, with the changes of the app. */
export function drawPapers(parts: AppParts, conditions: PapersConditions): GraphPicture {
  const own = papersGraph(createPapersParts(parts, conditions, []))
  return pictureOf(changeGraph(own, parts.options.graphs?.papers).graph)
}

/** What the pipeline works with. Nothing of the web, and no server, is made before a run asks for it. */
function createPapersParts(
  parts: AppParts,
  conditions: PapersConditions,
  tools: readonly Tool[],
): PapersParts {
  const { library, home } = parts
  const { mcpArxiv, isOffline } = conditions
  const once = keptOnce()
  const cache = createWorkCache(join(home.path, 'papers'))
  return {
    prompts: loadPapersPrompts(),
    library,
    async place(name, given) {
      const tool = tools.find((one) => one.name === name)
      return tool ? toolPlace(tool, library) : createPlace(parts, name, given, conditions)
    },
    searchTimeoutMs: (name) => tools.find((one) => one.name === name)?.timeoutMs,
    files: () =>
      once('files', async () => {
        const deliveries =
          mcpArxiv === '' ? [] : [mcpDelivery(await serverSettings(parts, mcpArxiv))]
        const folder = join(home.path, 'papers')
        return createPaperFiles({ folder, web: await parts.webIf(isOffline !== true), deliveries })
      }),
    reader: () =>
      once('reader', async () =>
        createPaperReader({ library, reader: (await parts.web).reader, cache }),
      ),
    cache,
  }
}

/** @throws `invalid_configuration` for a name of no place */
async function createPlace(
  parts: AppParts,
  name: string,
  { paths, within }: GivenFiles,
  { mcpArxiv, uploads }: PapersConditions,
): Promise<PaperPlace> {
  const { library } = parts
  switch (name) {
    case placeNames.files:
      return filesPlace({ paths, library, ...(within === undefined ? {} : { within }) })
    case placeNames.library:
      return libraryPlace(library, uploads)
    case placeNames.arxiv:
      return arxivPlace(await parts.web)
    case placeNames.indexes:
      return indexesPlace(await parts.web)
    case mcpPlaceName:
      return mcpPlace(await serverSettings(parts, mcpArxiv))
    default:
      throw new ScholiumError('invalid_configuration', `Unknown paper source "${name}".`)
  }
}

/** How a server for papers is spoken to, and where it puts files. */
async function serverSettings({ mcp, environment }: AppParts, server: string) {
  const folder = (environment.MCP_ARXIV_STORAGE_PATH ?? '').trim()
  const access = await mcp.accessForPapers(server)
  const identity = mcp.identityOf(server)
  return { access, server, identity, ...(folder === '' ? {} : { folder: resolve(folder) }) }
}

/** Makes each thing once. */
function keptOnce(): <T>(name: string, make: () => Promise<T>) => Promise<T> {
  const made = new Map<string, Promise<unknown>>()
  return <T>(name: string, make: () => Promise<T>) => {
    const known = made.get(name) ?? make()
    made.set(name, known)
    return known as Promise<T>
  }
}
