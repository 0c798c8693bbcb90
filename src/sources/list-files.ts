import type { Dirent } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { exactly, type PathRule, visibleIn, withFolder } from '../files/opened.ts'
import { isInside, namesBelow } from '../files/real-place.ts'

/** Something left out of a folder. `isLoss`: it should have been read but could not; otherwise it was skipped on purpose. */
export interface SkippedPath {
  readonly path: string
  readonly why: string
  readonly isLoss: boolean
}

/** A file to read. */
export interface ListedFile {
  /** As named or found; links are followed when it is opened. */
  readonly path: string
  /** The folder, without links, that the file must be inside and not hidden in; absent for files named by the user. */
  readonly within?: string
}

/** The rule for opening a listed file. */
export function pathRuleFor({ within }: ListedFile): PathRule | undefined {
  return within === undefined ? undefined : visibleIn(within)
}

/** What paths expand to: files to read, and what was left out and why. */
export interface FileList {
  /** Absolute, without duplicates: in the order given, a folder's files by name. */
  readonly files: readonly ListedFile[]
  readonly passedOver: readonly SkippedPath[]
}

export const defaultMaxFiles = 10_000

/** Options for listing files. */
export interface ListOptions {
  readonly signal?: AbortSignal
  /** Maximum number of files. Default 10,000. */
  readonly maxFiles?: number
  /**
   * Skips everything that is not really inside this folder or is hidden in it, named or not. Default: each named folder,
   * for its contents.
   */
  readonly within?: string
}

/**
 * Expands paths to files. Named files are listed as they are (even missing ones, so that their reader reports them);
 * folders recursively, without hidden files, `node_modules`, and links to those or out of the folder. Linked folders are
 * entered once.
 * @throws the signal's reason if aborted
 */
export async function listFiles(
  paths: readonly string[],
  { signal, maxFiles = defaultMaxFiles, within }: ListOptions = {},
): Promise<FileList> {
  const walk: Walk = {
    files: new Map(),
    folders: new Set(),
    passedOver: [],
    isFull: false,
    signal,
    maxFiles,
  }
  const root = within === undefined ? undefined : await realPath(resolve(within))
  for (const path of paths) await visitNamed(walk, resolve(path), root)
  return { files: [...walk.files.values()], passedOver: walk.passedOver }
}

interface Walk {
  /** Listed files by real path. */
  readonly files: Map<string, ListedFile>
  readonly folders: Set<string>
  readonly passedOver: SkippedPath[]
  readonly signal: AbortSignal | undefined
  readonly maxFiles: number
  isFull: boolean
}

/** A path for display, its real path, and the folder it is bound to. */
interface WalkedPath {
  readonly path: string
  readonly real: string
  readonly within: string | undefined
}

async function visitNamed(walk: Walk, path: string, within: string | undefined): Promise<void> {
  const place = { path, real: await realPath(path), within }
  const why = within === undefined ? undefined : explainRefusal(place, within)
  if (why !== undefined) walk.passedOver.push({ path, why, isLoss: true })
  else if (await isFolder(place.real))
    await visitFolder(walk, { ...place, within: within ?? place.real })
  else addFile(walk, place)
}

/** Why a named path is not read: it is outside of the folder, through a link or not, or hidden in it. */
function explainRefusal({ path, real }: WalkedPath, within: string): string | undefined {
  const why = visibleIn(within)(real)
  if (why === undefined) return undefined
  const isLinked = isInside(path, within) && !isInside(real, within)
  return isLinked ? `it leads outside ${within} through a link` : `it ${why}`
}

/** Follows a link found in a folder. */
async function visitLink(walk: Walk, path: string, within: string): Promise<void> {
  const leftOut = (why: string, isLoss: boolean) => walk.passedOver.push({ path, why, isLoss })
  const real = await realPath(path)
  const status = await stat(path).catch(() => undefined)
  const skipped = namesBelow(within, real).find((name) => reasonToSkip(name) !== undefined)
  if (status === undefined) leftOut('a broken link', true)
  else if (!isInside(real, within)) leftOut(`it is a link that leads outside ${within}`, true)
  else if (skipped !== undefined) leftOut(`a link to ${reasonToSkip(skipped)}`, false)
  else if (status.isDirectory()) await visitFolder(walk, { path, real, within })
  else if (status.isFile()) addFile(walk, { path, real, within })
  else leftOut('not a regular file', false)
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false
}

/** The real path; the path itself if it leads nowhere. */
function realPath(path: string): Promise<string> {
  return realpath(path).catch(() => path)
}

function addFile(walk: Walk, { path, real, within }: WalkedPath): void {
  if (walk.isFull) return
  const known = walk.files.get(real)
  if (known !== undefined) {
    if (known.path !== path)
      walk.passedOver.push({ path, why: `the same file as ${known.path}`, isLoss: false })
    return
  }
  const { maxFiles } = walk
  if (walk.files.size < maxFiles) {
    walk.files.set(real, { path, ...(within === undefined ? {} : { within }) })
    return
  }
  walk.isFull = true
  walk.passedOver.push({
    path,
    why: `this and all later files: at most ${maxFiles} files are read at once`,
    isLoss: true,
  })
}

async function visitFolder(
  walk: Walk,
  { path, real, within }: WalkedPath & { readonly within: string },
): Promise<void> {
  if (walk.folders.has(real)) {
    walk.passedOver.push({ path, why: 'a folder that was already read', isLoss: false })
    return
  }
  walk.folders.add(real)
  let entries: Dirent[]
  try {
    entries = await withFolder(real, exactly(real), (folder) => folder.entries())
  } catch (error) {
    const why = `the folder could not be opened: ${(error as Error).message}`
    walk.passedOver.push({ path, why, isLoss: true })
    return
  }
  entries.sort((one, other) => (one.name < other.name ? -1 : 1))
  for (const entry of entries) {
    walk.signal?.throwIfAborted()
    if (walk.isFull) return
    const inner = { path: join(path, entry.name), real: join(real, entry.name), within }
    const why = reasonToSkip(entry.name, entry.isDirectory())
    if (why !== undefined) walk.passedOver.push({ path: inner.path, why, isLoss: false })
    else if (entry.isFile()) addFile(walk, inner)
    else if (entry.isDirectory()) await visitFolder(walk, inner)
    else if (entry.isSymbolicLink()) await visitLink(walk, inner.path, within)
    else walk.passedOver.push({ path: inner.path, why: 'not a regular file', isLoss: false })
  }
}

function reasonToSkip(name: string, isFolder = false): string | undefined {
  if (name.startsWith('.')) return isFolder ? 'a hidden folder' : 'a hidden file'
  return name === 'node_modules' ? 'installed packages' : undefined
}
