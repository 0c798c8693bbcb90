import { readdirSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { dirname, join, parse, resolve } from 'node:path'
import { resolveWorkspacePath } from '../../agents/actions/tools/workspace-text.ts'
import type { AgentDocument } from '../../agents/document/agent-document.ts'
import type { DocumentChecks } from '../../agents/document/checks.ts'
import { type DocumentProblem, formatProblem } from '../../agents/document/problem.ts'
import { type DocumentOutcome, readAgentDocument } from '../../agents/document/read-document.ts'
import { exactly, FileRefused, type PathRule, readWhole } from '../../files/opened.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import { findNearest } from '../../kernel/text/nearest.ts'
import { wordToPaste } from '../../kernel/text/shell-word.ts'

/** An agent file: its path, or its text. */
export type AgentSource = string | AgentText

/** The text of an agent file. */
export interface AgentText {
  readonly text: string
  /** Its name in problems, and the path that imports are relative to. Default `agent.yaml`. */
  readonly path?: string
}

/** The path of a source. */
export function pathOf(source: AgentSource): string {
  return typeof source === 'string' ? source : (source.path ?? 'agent.yaml')
}

/** Options for reading an agent file. */
export interface ReadAgentOptions {
  /** Files merged over it, the last one on top. */
  readonly overlays?: readonly string[]
  /** Whether warnings are errors. Default `false`. */
  readonly isStrict?: boolean
  /** The only folder whose files it may name; empty for none. Default: the folder of the agent file, and the current one. */
  readonly within?: string
}

/** An agent file with the files that its nodes run for each item of a list. */
export interface ReadAgent {
  readonly document: AgentDocument
  /** By the path in the nodes. */
  readonly subgraphs: Readonly<Record<string, AgentDocument>>
  /** Warnings of all files. */
  readonly problems: readonly DocumentProblem[]
}

/**
 * Reads an agent file and all files that it names.
 * @param folder for relative paths
 * @throws `invalid_input` for a file that cannot be read
 */
export async function readAgent(
  source: AgentSource,
  folder: string,
  checks: DocumentChecks,
  options: ReadAgentOptions = {},
): Promise<
  | ({ readonly ok: true } & ReadAgent)
  | { readonly ok: false; readonly problems: readonly DocumentProblem[] }
> {
  const reader = readerOf(source, folder, options)
  const outcome = await readDocument(source, reader, checks, options)
  if (!outcome.ok) return outcome
  const { document } = outcome
  const problems = [...outcome.problems]
  const subgraphs = new Map<string, AgentDocument>()
  const open = subgraphPaths(document)
  for (let inner = open.pop(); inner !== undefined; inner = open.pop()) {
    if (subgraphs.has(inner)) continue
    const { isStrict = false } = options
    const read = await readDocument(inner, reader, checks, { isStrict })
    if (!read.ok) return read
    problems.push(...read.problems)
    subgraphs.set(inner, read.document)
    open.push(...subgraphPaths(read.document))
  }
  return { ok: true, document, subgraphs: Object.fromEntries(subgraphs), problems }
}

/** The agent of a file. @throws `invalid_agent_file` with all of its problems */
export async function requireAgent(
  source: AgentSource,
  folder: string,
  checks: DocumentChecks,
  options: ReadAgentOptions = {},
): Promise<ReadAgent> {
  const read = await readAgent(source, folder, checks, options)
  if (read.ok) return read
  const path = pathOf(source)
  const errors = read.problems.filter(({ severity }) => severity === 'error')
  const more = errors.length > mostTold ? `\n… and ${errors.length - mostTold} more` : ''
  throw new ScholiumError(
    'invalid_agent_file',
    `${path} cannot be run:\n${errors.slice(0, mostTold).map(formatProblem).join('\n')}${more}`,
    { hint: `Show all errors: scholium validate ${wordToPaste(path, process.platform) ?? 'FILE'}` },
  )
}

const mostTold = 10

type Reader = (path: string) => Promise<string>

/**
 * Reads what the person named, and what files name inside the folder of the agent file or the current one, with links
 * resolved: an agent file may be somebody else's, and could reveal what it read elsewhere.
 */
function readerOf(
  source: AgentSource,
  folder: string,
  { overlays = [], within }: ReadAgentOptions,
): Reader {
  const path = pathOf(source)
  const named = new Set([...(typeof source === 'string' ? [source] : []), ...overlays])
  const roots = Promise.all(
    (within === undefined ? [dirname(resolve(folder, path)), folder] : [within])
      .filter((root) => root !== '')
      .map((root) => realpath(root).catch(() => root)),
  )
  return async (inner) => {
    if (named.has(inner)) return readText(inner, folder)
    for (const root of await roots) {
      const place = await resolveWorkspacePath(root, resolve(folder, inner))
      if (place.ok) return readText(inner, folder, exactly(place.path))
    }
    const reason = 'it is outside the folder of the agent file'
    if (within === undefined) throw notReadable(inner, folder, reason)
    // Names of files near it are not told either.
    throw new ScholiumError('invalid_input', `${inner} cannot be read: ${reason}.`)
  }
}

async function readDocument(
  source: AgentSource,
  read: Reader,
  checks: DocumentChecks,
  options: ReadAgentOptions,
): Promise<DocumentOutcome> {
  const path = pathOf(source)
  const text = typeof source === 'string' ? await read(path) : source.text
  return readAgentDocument(text, { path, checks, readFile: read, ...options })
}

function subgraphPaths({ nodes }: AgentDocument): string[] {
  return nodes.flatMap((node) =>
    node.kind === 'each' && node.branch.kind === 'subgraph' ? [node.branch.path] : [],
  )
}

/** The text of an agent file. @see App.agentText */
export function readAgentText(path: string, folder: string): Promise<string> {
  return readText(path, folder)
}

/** The parser has a smaller limit; files above this one are not even read. */
const maxFileBytes = 16_000_000

/** @throws `invalid_input` */
async function readText(path: string, folder: string, rule?: PathRule): Promise<string> {
  try {
    return (await readWhole(resolve(folder, path), maxFileBytes, rule)).toString('utf8')
  } catch (error) {
    if (error instanceof FileRefused) throw notReadable(path, folder, error.message)
    const { code } = error as NodeJS.ErrnoException
    throw notReadable(
      path,
      folder,
      (code !== undefined && reasons[code]) || (error as Error).message,
      error,
    )
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  ENOTDIR: 'a part of its path is a file',
}

/** The names in a folder; none if it cannot be read. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function notReadable(path: string, folder: string, reason: string, cause?: unknown): ScholiumError {
  const { dir, base } = parse(resolve(folder, path))
  // An entry with this exact name is not a file.
  const others = namesIn(dir).filter((name) => name !== base)
  const meant = others.length < namesIn(dir).length ? undefined : findNearest(base, others)
  const hint =
    meant === undefined
      ? 'Give an agent file: YAML with nodes.'
      : `Did you mean ${join(dirname(path), meant)}?`
  return new ScholiumError('invalid_input', `${path} cannot be read: ${reason}.`, {
    hint,
    ...(cause === undefined ? {} : { cause }),
  })
}
