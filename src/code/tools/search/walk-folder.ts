import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { exactly, readWhole, withFolder } from '../../../files/opened.ts'
import { compilePlainGlob, type GlobTest } from './glob-pattern.ts'

/** A file or folder that a walk found. */
export interface FolderEntry {
  /** Relative to the root, with `/`. */
  readonly relativePath: string
  readonly isFolder: boolean
}

/** What a walk skips. */
export interface WalkOptions {
  /** Whether files matched by ignore files are skipped. */
  readonly respectsIgnore: boolean
  /** Whether a path is skipped, with everything in it. */
  isClosed(relativePath: string, isFolder: boolean): boolean
  /** Breadth first instead of depth first. */
  readonly isNearestFirst?: boolean
  readonly signal: AbortSignal
}

/** Names of ignore files, in increasing precedence. */
const kinds = ['.gitignore', '.ignore', '.rgignore'] as const

/** Larger ignore files are not read. */
const maxIgnoreBytes = 1_000_000

/** The ignore files in effect in a folder. */
interface IgnoreState {
  /** For each kind, from the outermost folder inwards. */
  readonly files: readonly (readonly IgnoreFile[])[]
  /** Whether Git's ignore files only apply within the repository. */
  readonly endsAtRepository: boolean
}

/**
 * Walks the files and folders below `root`, in byte order of their names. Links are not followed; unreadable folders
 * are skipped. Ignore files apply as in ripgrep, including those of the folders above the root.
 */
export async function* walkFolder(
  root: string,
  from: string,
  options: WalkOptions,
): AsyncGenerator<FolderEntry> {
  let ignoring: IgnoreState = { files: kinds.map(() => []), endsAtRepository: isInRepository(root) }
  if (options.respectsIgnore) {
    for (const [folder, relativePath] of listOuterFolders(root))
      ignoring = await addIgnoreFiles(folder, (path) => `${relativePath}${path}`, ignoring)
    const names = from.split('/')
    for (let depth = 0; depth < names.length && from !== ''; depth++)
      ignoring = await readOwnIgnoreFiles(root, names.slice(0, depth).join('/'), ignoring)
  }
  const walk = options.isNearestFirst === true ? walkNearestFirst : walkDepthFirst
  yield* walk(root, from, ignoring, options)
}

/** The folders above a folder, outermost first, each with the path from it to the folder. */
function listOuterFolders(
  root: string,
): readonly (readonly [folder: string, relativePath: string])[] {
  const folders: [string, string][] = []
  let relativePath = `${basename(root)}/`
  for (let folder = root; dirname(folder) !== folder; ) {
    folder = dirname(folder)
    folders.unshift([folder, relativePath])
    relativePath = `${basename(folder)}/${relativePath}`
  }
  return folders
}

async function* walkDepthFirst(
  root: string,
  folder: string,
  outer: IgnoreState,
  options: WalkOptions,
): AsyncGenerator<FolderEntry> {
  const { found, ignoring } = await readFolder(root, folder, outer, options)
  for (const one of found) {
    yield one
    if (one.isFolder) yield* walkDepthFirst(root, one.relativePath, ignoring, options)
  }
}

async function* walkNearestFirst(
  root: string,
  from: string,
  outermost: IgnoreState,
  options: WalkOptions,
): AsyncGenerator<FolderEntry> {
  const folders = [{ folder: from, outer: outermost }]
  for (const { folder, outer } of folders) {
    const { found, ignoring } = await readFolder(root, folder, outer, options)
    for (const one of found) {
      yield one
      if (one.isFolder) folders.push({ folder: one.relativePath, outer: ignoring })
    }
  }
}

/** The entries of a folder, and the ignore rules in it. */
async function readFolder(root: string, folder: string, outer: IgnoreState, options: WalkOptions) {
  options.signal.throwIfAborted()
  const found: FolderEntry[] = []
  const path = join(root, folder)
  const entries = await withFolder(path, exactly(path), (opened) => opened.entries()).catch(
    () => [],
  )
  const names = new Set(entries.map(({ name }) => name))
  const ignoring = options.respectsIgnore
    ? await readOwnIgnoreFiles(root, folder, outer, names)
    : outer
  for (const entry of entries.sort((one, other) => compareBytes(one.name, other.name))) {
    const isFolder = entry.isDirectory()
    if (!isFolder && !entry.isFile()) continue
    const relativePath = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (options.isClosed(relativePath, isFolder) || isIgnored(ignoring, relativePath, isFolder))
      continue
    found.push({ relativePath, isFolder })
  }
  return { found, ignoring }
}

/** Whether a folder is inside a Git repository. */
export function isInRepository(root: string): boolean {
  return [root, ...listOuterFolders(root).map(([folder]) => folder)].some((folder) =>
    existsSync(join(folder, '.git')),
  )
}

/** Compares names by their bytes, independent of any language. */
export function compareBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other))
}

function isIgnored(ignoring: IgnoreState, relativePath: string, isFolder: boolean): boolean {
  for (const files of ignoring.files.toReversed()) {
    const said = findIgnoreVerdict(files, relativePath, isFolder)
    if (said !== undefined) return said
  }
  return false
}

function readOwnIgnoreFiles(
  root: string,
  folder: string,
  outer: IgnoreState,
  names?: ReadonlySet<string>,
) {
  const own = (path: string) => (folder === '' ? path : path.slice(folder.length + 1))
  return addIgnoreFiles(join(root, folder), own, outer, names)
}

async function addIgnoreFiles(
  folder: string,
  own: IgnoreFile['own'],
  outer: IgnoreState,
  names?: ReadonlySet<string>,
): Promise<IgnoreState> {
  const has = (name: string) => names?.has(name) ?? existsSync(join(folder, name))
  const isRepository = outer.endsAtRepository && has('.git')
  const read = async (kind: string, index: number) => {
    const before = isRepository && index === 0 ? [] : (outer.files[index] ?? [])
    if (!has(kind)) return before
    const path = join(folder, kind)
    const text = await readWhole(path, maxIgnoreBytes, exactly(path)).catch(() => '')
    return [...before, parseIgnoreFile(String(text), own)]
  }
  return { ...outer, files: await Promise.all(kinds.map(read)) }
}

/** One line of an ignore file. */
interface IgnoreRule {
  readonly pattern: GlobTest
  readonly isNegated: boolean
  readonly foldersOnly: boolean
}

/** No path is longer, so longer lines are ignored. */
const maxRuleLength = 4_096

/** The rules of one ignore file for the paths below its folder. */
interface IgnoreFile {
  /** A path from the root, relative to the file's own folder. */
  own(path: string): string
  readonly rules: readonly IgnoreRule[]
}

/**
 * Parses an ignore file.
 * @param own turns a path from the root into one relative to the file's folder
 * @see https://git-scm.com/docs/gitignore
 */
export function parseIgnoreFile(text: string, own: IgnoreFile['own']): IgnoreFile {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/)
  return { own, rules: lines.flatMap((line) => parseIgnoreRule(line) ?? []) }
}

function parseIgnoreRule(line: string): IgnoreRule | undefined {
  if (line.startsWith('#') || line.length > maxRuleLength) return undefined
  let glob = line.replace(/(?<!\\)[ \t]+$/, '')
  const isNegated = glob.startsWith('!')
  if (isNegated) glob = glob.slice(1)
  const foldersOnly = glob.endsWith('/')
  if (foldersOnly) glob = glob.slice(0, -1)
  const isAnchored = glob.includes('/')
  if (glob.startsWith('/')) glob = glob.slice(1)
  if (glob === '') return undefined
  return { pattern: compilePlainGlob(isAnchored ? glob : `**/${glob}`), isNegated, foldersOnly }
}

/**
 * Whether a path is ignored: the last matching rule in the deepest file that has one.
 * @param files of one kind, from the root down to the path's folder
 */
export function findIgnoreVerdict(
  files: readonly IgnoreFile[],
  path: string,
  isFolder: boolean,
): boolean | undefined {
  for (const { own, rules } of files.toReversed()) {
    const names = own(path).split('/')
    const rule = rules.findLast(
      ({ pattern, foldersOnly }) => (isFolder || !foldersOnly) && pattern(names),
    )
    if (rule !== undefined) return !rule.isNegated
  }
  return undefined
}
