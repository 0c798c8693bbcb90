import { spawn } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { toFailure } from '../../../kernel/errors.ts'
import { lineHash, splitLines } from '../files/code-text.ts'
import type { CodeWorkspace } from '../files/code-workspace.ts'
import { maxEditedBytes, withRegularFile } from '../files/file-bytes.ts'
import type { Pattern } from './line-pattern.ts'
import { findLines, toRipgrepPattern } from './line-pattern.ts'
import { isInRepository, walkFolder } from './walk-folder.ts'

const maxLineCharacters = 400
const filesAtOnce = 16

/** A search for lines. */
export interface Search {
  readonly root: string
  /** A folder or file relative to the root; empty for the root. */
  readonly from: string
  readonly pattern: Pattern
  /** Whether a file is searched. */
  isWanted(relativePath: string): boolean
  readonly respectsIgnore: boolean
  readonly maxMatches: number
  readonly contextLines: number
  readonly signal: AbortSignal
}

/** A matching line, or one near it. */
export type FoundLine = {
  readonly number: number
  readonly hash: string
  /** Cut if it is long. */
  readonly text: string
  readonly isMatch: boolean
}

/** The matches in a file. */
export type FileMatches = { readonly path: string; readonly lines: readonly FoundLine[] }

/** The result of a search. */
export type SearchOutcome = {
  readonly files: readonly FileMatches[]
  readonly matchCount: number
  /** Whether there may be more matches. */
  readonly isCut: boolean
  /** Files in which the search took too long. */
  readonly tooSlow: readonly string[]
}

/** Files that may contain matches, in order. */
type Candidates = AsyncIterable<string>

/**
 * Searches the lines of files. With ripgrep, files without a match are not read here. The result is the same, since
 * ripgrep only says where to look: a folder swapped for a link in the meantime yields nothing. If ripgrep fails, the
 * search runs without it. It is also not used below the root when ignored files are skipped: some versions apply the
 * rules of the folders above wrongly.
 * @see https://github.com/BurntSushi/ripgrep/issues/1757
 */
export async function searchFiles(
  workspace: CodeWorkspace,
  search: Search,
  ripgrep: string | undefined,
): Promise<SearchOutcome> {
  const isSame = search.from === '' || !search.respectsIgnore
  // ripgrep opens whatever it is given by name, and would wait for a pipe.
  const mayUse = isSame && (await isFolder(join(search.root, search.from)))
  const pattern = ripgrep === undefined || !mayUse ? undefined : toRipgrepPattern(search.pattern)
  if (ripgrep !== undefined && pattern !== undefined) {
    try {
      return await findInFiles(
        workspace,
        search,
        findFilesWithRipgrep(workspace, search, [ripgrep, pattern]),
      )
    } catch (error) {
      if (!(error instanceof RipgrepFailed)) throw error
    }
  }
  return findInFiles(workspace, search, walkCandidates(workspace, search))
}

class RipgrepFailed extends Error {}

async function findInFiles(
  workspace: CodeWorkspace,
  search: Search,
  candidates: Candidates,
): Promise<SearchOutcome> {
  const { maxMatches, contextLines, pattern, signal } = search
  const [files, tooSlow]: [FileMatches[], string[]] = [[], []]
  let matchCount = 0
  for await (const paths of inBatches(candidates, search)) {
    const texts = await Promise.all(
      paths.map((relativePath) => readSearchLines(workspace, search.root, relativePath)),
    )
    const foundIn = await findLines(pattern, texts, signal)
    for (const [index, found] of foundIn.entries()) {
      const [path, lines] = [paths[index] ?? '', texts[index] ?? []]
      if (found === undefined) tooSlow.push(path)
      if (found === undefined || found.length === 0) continue
      const kept = found.slice(0, maxMatches - matchCount)
      if (kept.length > 0) files.push({ path, lines: addContext(lines, kept, contextLines) })
      matchCount += kept.length
      if (kept.length < found.length) return { files, matchCount, isCut: true, tooSlow }
    }
  }
  return { files, matchCount, isCut: false, tooSlow }
}

/** Reads several files at a time, since reading is mostly waiting. */
async function* inBatches(candidates: Candidates, { isWanted, signal }: Search) {
  let batch: string[] = []
  for await (const relativePath of candidates) {
    if (!isWanted(relativePath)) continue
    signal.throwIfAborted()
    batch.push(relativePath)
    if (batch.length < filesAtOnce) continue
    yield batch
    batch = []
  }
  yield batch
}

async function* walkCandidates(workspace: CodeWorkspace, search: Search): Candidates {
  const { root, from, respectsIgnore, signal } = search
  const options = { respectsIgnore, isClosed: workspace.isClosed, signal }
  if (!(await isFolder(join(root, from)))) yield from
  else
    for await (const { relativePath, isFolder } of walkFolder(root, from, options))
      if (!isFolder) yield relativePath
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false
}

/** The lines of a file; none if it is closed, secret, too large or not text. */
async function readSearchLines(
  { isClosed, isSecret }: CodeWorkspace,
  root: string,
  relativePath: string,
): Promise<readonly string[]> {
  if (isClosed(relativePath) || isSecret(relativePath)) return []
  try {
    const place = { path: join(root, relativePath), relativePath, isSecret: false }
    return await withRegularFile(place, async ({ read, status: { size } }) => {
      if (size > maxEditedBytes) return []
      const bytes = await read(size)
      return bytes.includes(0) ? [] : splitLines(bytes.toString('utf8')).map(({ text }) => text)
    })
  } catch (error) {
    // A file that was deleted or cannot be read has no matches.
    if (toFailure(error).code === 'tool_failed') return []
    throw error
  }
}

function addContext(lines: readonly string[], found: readonly number[], around: number) {
  const matches = new Set(found)
  const shown = new Set(
    found.flatMap((at) => Array.from({ length: around * 2 + 1 }, (_, near) => at - around + near)),
  )
  return [...shown]
    .filter((index) => lines[index] !== undefined)
    .sort((one, other) => one - other)
    .map((index): FoundLine => {
      const line = lines[index] as string
      const [number, hash] = [index + 1, lineHash(line)]
      return { number, hash, text: cutLine(line), isMatch: matches.has(index) }
    })
}

function cutLine(text: string): string {
  if (text.length <= maxLineCharacters) return text
  return `${text.slice(0, maxLineCharacters).toWellFormed()}… (${text.length - maxLineCharacters} more characters)`
}

/** Files that ripgrep reports; it skips the same ignored files. */
async function* findFilesWithRipgrep(
  { isClosed }: CodeWorkspace,
  { root, from, pattern, respectsIgnore, signal }: Search,
  [ripgrep, expression]: readonly [program: string, expression: string],
): Candidates {
  const flags = [
    ...['--files-with-matches', '--null', '--no-config', '--hidden'],
    ...['--no-ignore-global', '--no-ignore-exclude', '--no-messages', '--sort=path'],
    ...[
      '--encoding=none',
      `--max-filesize=${maxEditedBytes}`,
      '--glob=!.git',
      '--glob=!.scholium',
      '--color=never',
    ],
    ...(respectsIgnore ? [] : ['--no-ignore']),
    ...(isInRepository(root) ? [] : ['--no-require-git']),
    pattern.ignoresCase ? '--ignore-case' : '--case-sensitive',
  ]
  const args = [...flags, `--regexp=${expression}`, '--', from === '' ? './' : from]
  const child = spawn(ripgrep, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], signal })
  let complaint = ''
  child.stderr.on('data', (chunk) => {
    complaint += chunk
  })
  const ended = new Promise<unknown>((resolve) => {
    child.once('error', resolve)
    child.once('close', () => resolve(complaint === '' ? undefined : complaint))
  })
  try {
    for await (const name of splitZeroTerminated(child.stdout)) {
      const relativePath = name.replace(/^\.\//, '')
      if (!isClosed(relativePath)) yield relativePath
    }
    const failure = await ended
    signal.throwIfAborted()
    if (failure !== undefined) throw new RipgrepFailed(String(failure))
  } finally {
    child.kill('SIGKILL')
  }
}

/** Splits a stream into texts that end with a zero byte. */
async function* splitZeroTerminated(stream: NodeJS.ReadableStream): AsyncGenerator<string> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of stream) {
    const parts = (rest + decoder.decode(chunk as Buffer, { stream: true })).split('\0')
    rest = parts.pop() ?? ''
    yield* parts
  }
}
