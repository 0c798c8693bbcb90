import { createHash } from 'node:crypto'
import {
  closeSync,
  close as closeWith,
  constants,
  type Dirent,
  existsSync,
  fstatSync,
  open as openWith,
  readlinkSync,
  read as readWith,
  type Stats,
} from 'node:fs'
import { lstat, readdir, realpath, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { hasHiddenName, isInside, namesBelow } from './real-place.ts'

/** Size of the pieces in which a file is hashed. */
const pieceBytes = 256 * 1024

/** Decides whether the real path may be used. Returns the reason for a refusal as the rest of "it …", else `undefined`. */
export type PathRule = (realPath: string) => string | undefined

/** What a refused path leads to. */
export type RefusalKind = 'elsewhere' | 'folder' | 'no_folder' | 'special' | 'system' | 'too_large'

/** Thrown for a path that must not be opened. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused'
  readonly kind: RefusalKind
  /** The rest of a sentence about the file: "is a folder". */
  readonly says: string

  constructor(kind: RefusalKind, says: string) {
    super(`it ${says}`)
    this.kind = kind
    this.says = says
  }
}

/** A file held open for reading. */
export interface OpenedFile {
  /** Its real path. */
  readonly path: string
  readonly status: Stats
  /** Reads bytes, by default from the beginning; fewer if the file ends before. */
  read(length: number, start?: number): Promise<Buffer<ArrayBuffer>>
}

/** A folder held open: operations apply to this folder, even if another takes the place of its path meanwhile. */
export interface OpenedFolder {
  /** Its real path. */
  readonly path: string
  /** The path of a direct entry, for any file system function. Not for display. */
  at(name: string): string
  entries(): Promise<Dirent[]>
  /**
   * Call before anything irreversible.
   * @throws {@link FileRefused} if the path now leads elsewhere and that matters
   */
  check(): Promise<void>
}

/** Accepts only this real path: no links on the way, nothing swapped in. */
export function exactly(path: string): PathRule {
  return (real) => (real === path ? undefined : 'was replaced while it was being opened')
}

/**
 * Accepts a folder and everything really inside it.
 * @param folder without links
 */
export function insideOf(folder: string): PathRule {
  return (real) => (isInside(real, folder) ? undefined : `is outside ${folder}`)
}

/**
 * Accepts what is really inside a folder and not hidden in it.
 * @param folder without links
 */
export function visibleIn(folder: string): PathRule {
  const isOut = insideOf(folder)
  return (real) =>
    isOut(real) ?? (hasHiddenName(namesBelow(folder, real)) ? 'is hidden' : undefined)
}

/**
 * Opens a regular file for reading and closes it afterwards. The rule is applied to the real path of the opened file, so
 * swapping a file or folder for a link meanwhile has no effect. Devices, pipes, sockets and kernel files (`/proc`,
 * `/sys`) are never opened.
 * @throws {@link FileRefused}, or the file system's error
 */
export function withFile<T>(
  path: string,
  rule: PathRule | undefined,
  use: (file: OpenedFile) => Promise<T>,
): Promise<T> {
  return withHeld(path, rule, async (held) => {
    const { status, path: real, through } = held
    if (status.isDirectory()) throw new FileRefused('folder', 'is a folder')
    const { O_RDONLY, O_NONBLOCK, O_NOCTTY, O_NOFOLLOW } = constants
    const follow = held.isByDescriptor ? 0 : O_NOFOLLOW
    const file = await open(through, O_RDONLY | O_NONBLOCK | O_NOCTTY | follow)
    try {
      if (!held.isByDescriptor) await requireStill(real, fstatSync(file))
      return await use({
        path: real,
        status,
        read: (length, start = 0) => readBytes(file, length, start),
      })
    } finally {
      await close(file)
    }
  })
}

/**
 * Reads a regular file, as many bytes as it had when opened.
 * @throws {@link FileRefused}, `too_large` above `maxBytes`; or the file system's error
 */
export function readWhole(
  path: string,
  maxBytes: number,
  rule?: PathRule,
): Promise<Buffer<ArrayBuffer>> {
  return withFile(path, rule, async ({ read, status: { size } }) => {
    requireSize(size, maxBytes)
    return read(size)
  })
}

/**
 * The SHA-256 of a file in hex.
 * @throws {@link FileRefused}, `too_large` above `maxBytes`; or the file system's error
 */
export async function hashWhole(
  { read, status: { size } }: OpenedFile,
  maxBytes: number,
): Promise<string> {
  requireSize(size, maxBytes)
  const hash = createHash('sha256')
  for (let start = 0; start < size; start += pieceBytes)
    hash.update(await read(Math.min(pieceBytes, size - start), start))
  return hash.digest('hex')
}

function requireSize(size: number, maxBytes: number): void {
  if (size > maxBytes)
    throw new FileRefused('too_large', `has ${size} bytes; the maximum is ${maxBytes}`)
}

// Numeric descriptors: with thousands of files, handles take half as long again.
const open = promisify(openWith)
const close = promisify(closeWith)
const readSome = promisify(readWith)

async function readBytes(
  file: number,
  length: number,
  start: number,
): Promise<Buffer<ArrayBuffer>> {
  // Not pooled, so that it can be transferred to a worker.
  const bytes = Buffer.allocUnsafeSlow(length)
  let end = 0
  while (end < length) {
    const { bytesRead } = await readSome(file, bytes, end, length - end, start + end)
    if (bytesRead === 0) break
    end += bytesRead
  }
  return bytes.subarray(0, end)
}

/**
 * Holds a folder open during `use`; see {@link withFile}.
 * @throws {@link FileRefused}, the file system's error, or what `use` throws
 */
export function withFolder<T>(
  path: string,
  rule: PathRule | undefined,
  use: (folder: OpenedFolder) => Promise<T>,
): Promise<T> {
  return withHeld(path, rule, async (held) => {
    const { status, path: real, through } = held
    if (!status.isDirectory()) throw new FileRefused('no_folder', 'is not a folder')
    const check = async () => {
      if (!held.isByDescriptor) await requireStill(real, status)
    }
    const done = await use({
      path: real,
      at(name) {
        if (name === '' || name === '.' || name === '..' || /[/\0]/.test(name))
          throw new FileRefused('elsewhere', `does not directly contain ${JSON.stringify(name)}`)
        return join(through, name)
      },
      entries: () => readdir(through, { withFileTypes: true }),
      check,
    })
    await check()
    return done
  })
}

/** What a path leads to, with links followed. */
interface Held {
  /** Its real path. */
  readonly path: string
  readonly status: Stats
  /** A path that reaches it. */
  readonly through: string
  /** Whether `through` reaches it whatever happens to its names; otherwise the path is compared again afterwards. */
  readonly isByDescriptor: boolean
}

type Use<T> = (held: Held) => Promise<T>

/**
 * Where Linux lists a process's open files.
 * @see https://man7.org/linux/man-pages/man5/proc_pid_fd.5.html
 */
const descriptors = '/proc/self/fd'
const hasDescriptors = existsSync(descriptors)

function withHeld<T>(path: string, rule: PathRule | undefined, use: Use<T>): Promise<T> {
  const canHold = hasDescriptors && process.platform === 'linux'
  return (canHold ? heldByDescriptor : heldByPath)(path, rule, use)
}

/**
 * Opens without accessing: a device or pipe is not triggered. Node has no constant for it.
 * @see https://man7.org/linux/man-pages/man2/open.2.html
 */
const oPath = 0o10000000

async function heldByDescriptor<T>(path: string, rule: PathRule | undefined, use: Use<T>) {
  const descriptor = await open(path, oPath)
  const through = `${descriptors}/${descriptor}`
  let real = path
  try {
    // Both calls on an open descriptor return without disk access.
    const link = readlinkSync(through)
    const status = fstatSync(descriptor)
    // Linux marks what was removed or replaced since it was opened.
    real = status.nlink === 0 ? link.replace(/ \(deleted\)$/, '') : link
    requireUsable(real, status, rule)
    const mayBeMade = status.isFile() && status.blocks === 0
    if (mayBeMade && kernelFileSystems.has((await statfs(through)).type))
      throw new FileRefused('system', 'is generated by the system')
    return await use({ path: real, status, through, isByDescriptor: true })
  } catch (error) {
    throw withRealNames(error, through, real)
  } finally {
    closeSync(descriptor)
  }
}

/** Without descriptor paths, the path and what is there are compared again after opening. */
async function heldByPath<T>(path: string, rule: PathRule | undefined, use: Use<T>) {
  const real = await realpath(path)
  const status = await lstat(real)
  requireUsable(real, status, rule)
  return use({ path: real, status, through: real, isByDescriptor: false })
}

function requireUsable(real: string, status: Stats, rule: PathRule | undefined): void {
  if (!status.isFile() && !status.isDirectory())
    throw new FileRefused('special', 'is not a regular file')
  const why = rule?.(real)
  if (why !== undefined) throw new FileRefused('elsewhere', why)
}

async function requireStill(real: string, opened: Stats): Promise<void> {
  const now = await lstat(real).catch(() => undefined)
  const isSame = now?.ino === opened.ino && now.dev === opened.dev
  if (isSame && (await realpath(real).catch(() => undefined)) === real) return
  throw new FileRefused('elsewhere', 'was replaced while it was being opened')
}

/**
 * File systems whose files are generated by the kernel: proc, sysfs, debugfs, tracefs, securityfs, cgroup, cgroup2.
 * Their files have no blocks on disk.
 * @see https://man7.org/linux/man-pages/man2/statfs.2.html
 */
const kernelFileSystems: ReadonlySet<number> = new Set([
  0x9fa0, 0x62656572, 0x64626720, 0x74726163, 0x73636673, 0x27e0eb, 0x63677270,
])

/** Replaces descriptor paths in an error with the real ones. */
function withRealNames(error: unknown, through: string, real: string): unknown {
  if (!(error instanceof Error)) return error
  const named = (text: string) =>
    text
      .replaceAll(`${through}/`, real === '/' ? real : `${real}/`)
      .replaceAll(`'${through}'`, `'${real}'`)
  error.message = named(error.message)
  const { path, dest } = error as NodeJS.ErrnoException & { dest?: string }
  if (path !== undefined) Object.assign(error, { path: path === through ? real : named(path) })
  if (dest !== undefined) Object.assign(error, { dest: named(dest) })
  return error
}
