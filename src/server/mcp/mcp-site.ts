import { randomBytes } from 'node:crypto'
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { ExecutionOptions, SourceReader } from '../../app.ts'
import type { RunRecord } from '../../kernel/run/run-store.ts'
import { ownSources } from '../library-view.ts'
import { runNotFound } from '../recorded-run.ts'
import { findVisible, type RunSite } from '../run-site.ts'
import { labelsOf, type Principal } from '../tokens.ts'

/** What an MCP server works with. */
export interface McpSite extends Omit<RunSite, 'streams'> {
  /** Whose client it serves. */
  readonly principal: Principal
  /** Whether runs that are tasks wait for their turn, and are continued by the next server. */
  readonly isServed: boolean
  /** What was last said of each run that is executed as a task, by its id. */
  readonly told: Map<string, string>
  /** The ids of the sources that each run cites, by its id and the number of its events. */
  readonly cited: Map<string, ReadonlySet<string>>
  /** Seals the id of a run that asks a person something, while a client asks them. */
  readonly asked: RequestStateCodec<string>
}

/** What only the process of an MCP server knows, for all its clients. */
export function createMcpMemory(): Pick<McpSite, 'told' | 'cited' | 'asked'> {
  const asked = createRequestStateCodec<string>({ key: randomBytes(32), ttlSeconds: 86_400 })
  return { told: new Map(), cited: new Map(), asked }
}

/**
 * The run that a client means, of those that it may see: its id, or `last`. For admins also a part of its id.
 * @throws `run_not_found`, and as `App.showRun` for admins
 */
export async function findNamed(site: McpSite, name: string): Promise<RunRecord> {
  const { app, owners, principal } = site
  if (principal.role === 'admin') return app.showRun(name)
  if (name !== 'last') return findVisible(site, name, principal)
  const [newest] = await owners.list(principal, { limit: 1 })
  if (newest === undefined) throw runNotFound(name)
  return newest
}

/** What the log says of who starts or resumes a run. */
export function labelsFor(
  { principal, isServed }: McpSite,
  isTask: boolean,
): Pick<ExecutionOptions, 'user' | 'origin'> {
  const { user, origin } = labelsOf(principal)
  return { ...(user && { user }), ...(origin && isServed && isTask && { origin }) }
}

/** A request to the server while it is answered. */
export type McpRequest = ServerContext

/** The address of a run as a resource. */
export function runUri(runId: string): string {
  return `scholium://runs/${runId}`
}

/** The address of a source as a resource. */
export function sourceUri(sourceId: string): string {
  return `scholium://sources/${sourceId}`
}

/** What the operator lets models search and check against, and what a client's person uploaded. */
export async function openSources({ app, policy, principal }: McpSite): Promise<SourceReader> {
  const { sources = [], sourcesRoot } = policy.defaults?.(false).ask ?? {}
  return app.sources({
    sources: [...sources, ...(await ownSources(app, principal))],
    ...(sourcesRoot === undefined ? {} : { sourcesRoot }),
  })
}

/** The newest runs of a person that are looked through for what they cite. */
const maxLookedThrough = 200

const maxKnownRuns = 5_000

/**
 * A source that a client's person may read, with its text: one that they can search, or that one of their newest runs cites;
 * admins may read all. `undefined` for any other.
 */
export async function readSeen(site: McpSite, id: string): ReturnType<SourceReader['read']> {
  const reader = await openSources(site)
  const isSeen =
    site.principal.role === 'admin' ||
    (await reader.isSearched(id)) ||
    (await isCitedByOwn(site, reader, id))
  return isSeen ? reader.read(id) : undefined
}

async function isCitedByOwn(
  { owners, principal, cited }: McpSite,
  reader: SourceReader,
  id: string,
): Promise<boolean> {
  for (const { runId, lastSeq } of await owners.list(principal, { limit: maxLookedThrough })) {
    const key = `${runId} ${lastSeq}`
    const ids = cited.get(key) ?? (await reader.citedIds(runId))
    if (cited.size >= maxKnownRuns) cited.clear()
    cited.set(key, ids)
    if (ids.has(id)) return true
  }
  return false
}

/** What the client of a request can do, since revision 2026-07-28. */
export function capabilitiesOf({ mcpReq: { envelope } }: McpRequest): ClientCapabilities {
  // The package's own type names no members.
  const known: Readonly<Record<string, ClientCapabilities>> = { ...envelope }
  return known[CLIENT_CAPABILITIES_META_KEY] ?? {}
}
