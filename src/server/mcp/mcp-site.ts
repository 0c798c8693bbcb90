import { randomBytes } from 'node:crypto'
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { App, SourceReader } from '../../app.ts'
import type { PublicForm } from '../public-form.ts'
import type { RunningRuns } from '../running-runs.ts'
import type { RunPolicy } from '../server-options.ts'

/** What an MCP server works with; the same for all its clients. */
export interface McpSite {
  /** Starts runs, and reads what is recorded. */
  readonly app: App
  /** Resumes runs, which keep their models. */
  readonly resuming: App
  readonly policy: RunPolicy
  readonly running: RunningRuns
  readonly form: PublicForm
  /** What was last said of each run that is executed as a task, by its id. */
  readonly told: Map<string, string>
  /** Seals the id of a run that asks a person something, while a client asks them. */
  readonly asked: RequestStateCodec<string>
  /** Called with a failure that no answer explains. */
  readonly onFailure: (error: unknown) => void
}

/** What a server works with that only its process knows. */
export function createMcpSite(given: Omit<McpSite, 'told' | 'asked'>): McpSite {
  const asked = createRequestStateCodec<string>({ key: randomBytes(32), ttlSeconds: 86_400 })
  return { ...given, told: new Map(), asked }
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

/** What the operator lets models search, read and check against. */
export function openSources({ app, policy }: McpSite): Promise<SourceReader> {
  const { sources, sourcesRoot } = policy.defaults?.(false).ask ?? {}
  return app.sources({
    ...(sources === undefined ? {} : { sources }),
    ...(sourcesRoot === undefined ? {} : { sourcesRoot }),
  })
}

/** What the client of a request can do, since revision 2026-07-28. */
export function capabilitiesOf({ mcpReq: { envelope } }: McpRequest): ClientCapabilities {
  // The package's own type names no members.
  const known: Readonly<Record<string, ClientCapabilities>> = { ...envelope }
  return known[CLIENT_CAPABILITIES_META_KEY] ?? {}
}
