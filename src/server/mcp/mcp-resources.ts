import {
  type McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server'
import type { RunRecord } from '../../kernel/run/run-store.ts'
import { cutText } from '../../kernel/text/cut-text.ts'
import { LibraryView } from '../library-view.ts'
import { findVisible } from '../run-site.ts'
import { type McpSite, readSeen, runUri, sourceUri } from './mcp-site.ts'
import { renderRun } from './run-output.ts'
import { answerRequest } from './tool-answer.ts'

const maxListedRuns = 50
const maxListedSources = 500
/** The protocol's maximum. */
const maxCompletions = 100
const maxTitleChars = 200

/** Adds runs and sources as resources. */
export function addResources(server: McpServer, site: McpSite): void {
  addRuns(server, site)
  addSources(server, site)
}

function addRuns(server: McpServer, site: McpSite): void {
  const { owners, principal } = site
  const runs = () => answerRequest(site, () => owners.list(principal, { limit: maxListedRuns }))
  server.registerResource(
    'run',
    new ResourceTemplate('scholium://runs/{id}', {
      list: async () => ({ resources: (await runs()).map((run) => listedRun(run)) }),
      complete: {
        id: async (value) =>
          completed(
            value,
            (await runs()).map(({ runId }) => runId),
          ),
      },
    }),
    {
      title: 'A run',
      description: 'The whole result of a run: answer, sources and verdicts, or report.',
      mimeType: 'text/markdown',
    },
    (uri, { id }) =>
      answerRequest(site, async () => {
        const run = await findVisible(site, String(id), principal)
        const text = (await renderRun(site, run)).toWellFormed()
        return { contents: [{ uri: uri.href, mimeType: 'text/markdown', text }] }
      }),
  )
}

function addSources(server: McpServer, site: McpSite): void {
  const sources = () => answerRequest(site, () => new LibraryView(site.app, site.principal).list())
  server.registerResource(
    'source',
    new ResourceTemplate('scholium://sources/{id}', {
      list: async () => ({
        resources: (await sources()).slice(0, maxListedSources).map(({ id, title }) => ({
          uri: sourceUri(id),
          name: id,
          title: cutText(title, maxTitleChars),
          mimeType: 'text/plain',
        })),
      }),
      complete: {
        id: async (value) =>
          completed(
            value,
            (await sources()).map(({ id }) => id),
          ),
      },
    }),
    {
      title: 'A source',
      description: 'The text of a source, as it was read.',
      mimeType: 'text/plain',
      // Another text would have another address.
      cacheHint: { ttlMs: 86_400_000, cacheScope: 'private' },
    },
    (uri, { id }) =>
      answerRequest(site, async () => {
        const found = await readSeen(site, String(id))
        if (found === undefined) throw new ResourceNotFoundError(uri.href)
        const text = found.text.toWellFormed()
        return { contents: [{ uri: uri.href, mimeType: 'text/plain', text }] }
      }),
  )
}

function listedRun({ runId, title, workflow, status, updatedAt }: RunRecord) {
  return {
    uri: runUri(runId),
    name: runId,
    title: cutText(title, maxTitleChars),
    description: `${workflow}, ${status}`,
    mimeType: 'text/markdown',
    annotations: { lastModified: new Date(updatedAt).toISOString() },
  }
}

function completed(value: string, ids: readonly string[]): string[] {
  return ids.filter((id) => id.startsWith(value)).slice(0, maxCompletions)
}
