import { stat } from 'node:fs/promises'
import type { Tool } from '../../kernel/agent/tool.ts'
import { type Json, sha256 } from '../../kernel/json.ts'
import type { ModelSource } from '../../kernel/model/model.ts'
import type { RunStore } from '../../kernel/run/run-store.ts'
import type { PapersInput } from '../../papers/input.ts'
import { listFiles } from '../../sources/list-files.ts'
import type { AppParts } from '../app-parts.ts'

/** The conditions of a run of papers, in addition to its input. They also apply when it is resumed or forked. */
export type PapersConditions = {
  /** What was in the library and the folders when it began, as a hash: the same where nothing has changed since. */
  readonly sources: string
  /** The MCP server through which arXiv is asked; empty for none. */
  readonly mcpArxiv: string
  /** The program's own tools that search for papers, by name. Absent: none. */
  readonly tools?: readonly string[]
  /** Folders of uploads that are searched with the library. Absent: none. */
  readonly uploads?: readonly string[]
  /** Whether nothing is downloaded, because the web is not allowed. */
  readonly isOffline?: true
  /** How the model of each role is asked: with other settings it answers otherwise. Absent in older records. */
  readonly settings?: Readonly<Record<string, RoleSettings>>
}

/** Where a run searches for papers in addition to the built-in places. */
export interface PaperSearches {
  /** The MCP server through which arXiv is searched; empty for none. */
  readonly mcpArxiv: string
  /** The program's own tools. */
  readonly tools: readonly Tool[]
  /** Folders of uploads that are searched with the library. */
  readonly uploads: readonly string[]
}

type RoleSettings = { readonly temperature: number; readonly maxOutputTokens: number | null }

/** The conditions of a new run, as they are now. */
export async function readConditions(
  { library, modelSource }: Pick<AppParts, 'library' | 'modelSource'>,
  { files = [], filesWithin, library: isLibrary = files.length === 0, web = false }: PapersInput,
  { mcpArxiv, tools, uploads }: PaperSearches,
): Promise<PapersConditions> {
  const within = filesWithin === undefined ? {} : { within: filesWithin }
  const listed =
    files.length === 0 ? [] : (await listFiles(files, within)).files.map(({ path }) => path)
  const found = await Promise.all(listed.map(readFileState))
  const added = isLibrary
    ? [library.list(), ...uploads.map((folder) => library.list({ folder }))]
    : []
  const ids = (await Promise.all(added)).flatMap((list) => list.map(({ id }) => id)).toSorted()
  const sources = sha256(JSON.stringify({ files: found, library: ids }))
  return {
    sources,
    mcpArxiv,
    ...(tools.length === 0 ? {} : { tools: tools.map(({ name }) => name) }),
    ...(uploads.length === 0 ? {} : { uploads }),
    ...(web ? {} : { isOffline: true }),
    settings: readSettings(modelSource),
  }
}

function readSettings(modelSource: ModelSource): Readonly<Record<string, RoleSettings>> {
  const roles = (['analyzer', 'synthesizer', 'verifier'] as const).map((role) => {
    const { temperature, maxOutputTokens } = modelSource.forRole(role)
    return [role, { temperature, maxOutputTokens }] as const
  })
  return Object.fromEntries(roles)
}

/**
 * A file's state, which changes when it is written or replaced, whatever its date; a missing file has a state as well.
 */
async function readFileState(path: string): Promise<readonly Json[]> {
  try {
    const { size, mtimeMs, ctimeMs } = await stat(path)
    return [path, size, mtimeMs, ctimeMs]
  } catch {
    // Its reader says why.
    return [path]
  }
}

/** The conditions of a recorded run. */
export async function recordedPapersConditions(
  store: RunStore,
  runId: string,
): Promise<PapersConditions> {
  const filter = { types: ['run.started'], withOutput: false } as const
  for await (const { data } of store.events(runId, filter)) {
    const { papers } = data.configuration as { readonly papers?: PapersConditions }
    if (papers !== undefined) return papers
  }
  return { sources: '', mcpArxiv: '' }
}
