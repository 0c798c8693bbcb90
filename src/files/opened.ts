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

/** A file is hashed by such pieces. */
const pieceBytes = 256 * 1024

/** Says why what really lies at a path may not be used, as the rest of "it …"; `undefined` where it may be. */
export type PathRule = (realPath: string) => string | undefined

/** What a refused path leads to. */
export type RefusalKind = 'elsewhere' | 'folder' | 'no_folder' | 'special' | 'system' | 'too_large'

/** A path that leads to something that is not opened. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused'
  readonly kind: RefusalKind
  /** What follows its name: "is a folder". */
  readonly says: string

  constructor(kind: RefusalKind, says: string) {
    super(`it ${says}`)
    this.kind = kind
    this.says = says
  }
}

/** A file that is held open for reading. */
export interface OpenedFile {
  /** Where it really lies. */
  readonly path: string
  readonly status: Stats
  /** Some of its bytes, from its beginning where nothing else is said; fewer where it ends before. */
  read(length: number, start?: number): Promise<Buffer<ArrayBuffer>>
}

/** A folder that is held open: what is done in it is done there, whatever takes the place of its path meanwhile. */
export interface OpenedFolder {
  /** Where it really lies. */
  readonly path: string
  /** The path of something right in it, for any function of the file system. It says nothing to people. */
  at(name: string): string
  entries(): Promise<Dirent[]>
  /** Before what cannot be undone. @throws {@link FileRefused} where its path leads elsewhere by now and it matters */
  check(): Promise<void>
}

/** Lets through only what really lies at this path: no link stands in the way, nothing took its place. */
export function exactly(path: string): PathRule {
  return (real) => (real === path ? undefined : 'leads elsewhere than a moment ago')
}

/** Lets through what really lies in a folder, and the folder itself. @param folder without links */
export function insideOf(folder: string): PathRule {
  return (real) => (isInside(real, folder) ? undefined : `leads out of ${folder}`)
}

/** Lets through what really lies in a folder and has no hidden name on the way from there. @param folder without links */
export function visibleIn(folder: string): PathRule {
  const isOut = insideOf(folder)
  return (real) =>
    isOut(real) ?? (hasHiddenName(namesBelow(folder, real)) ? 'is hidden' : undefined)
}

/**
 * Opens a regular file to be read and closes it. The rule is applied to where the opened file lies, so that a folder or file that
 * is swapped for a link meanwhile changes nothing. Devices, pipes, sockets and files of the kernel (`/proc`, `/sys`) are never opened.
 * @throws {@link FileRefused}, or the error of the file system
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
 * All bytes of a regular file, as many as it had when it was opened.
 * @throws {@link FileRefused}, `too_large` for one of more than `maxBytes`; or the error of the file system
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
 * The SHA-256 of all bytes of a file, in hex.
 * @throws {@link FileRefused}, `too_large` for one of more than `maxBytes`; or the error of the file system
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
    throw new FileRefused('too_large', `has ${size} bytes; at most ${maxBytes} are read`)
}

// Descriptors as numbers: handles for each of thousands of files take half as long again.
const open = promisify(openWith)
const close = promisify(closeWith)
const readSome = promisify(readWith)

async function readBytes(
  file: number,
  length: number,
  start: number,
): Promise<Buffer<ArrayBuffer>> {
  // Its memory is its own, so that it can be given to a worker.
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
 * Holds a folder open while something is done in it: see {@link withFile}.
 * @throws {@link FileRefused}, the error of the file system, or what `use` throws
 */
export function withFolder<T>(
  path: string,
  rule: PathRule | undefined,
  use: (folder: OpenedFolder) => Promise<T>,
): Promise<T> {
  return withHeld(path, rule, async (held) => {
    const { status, path: real, through } = held
    if (!status.isDirectory()) throw new FileRefused('no_folder', 'is no folder')
    const check = async () => {
      if (!held.isByDescriptor) await requireStill(real, status)
    }
    const done = await use({
      path: real,
      at(name) {
        if (name === '' || name === '.' || name === '..' || /[/\0]/.test(name))
          throw new FileRefused('elsewhere', `has no ${JSON.stringify(name)} right in it`)
        return join(through, name)
      },
      entries: () => readdir(through, { withFileTypes: true }),
      check,
    })
    await check()
    return done
  })
}

/** What a path leads to, links followed. */
interface Held {
  /** Where it really lies. */
  readonly path: string
  readonly status: Stats
  /** A path that leads to it. */
  readonly through: string
  /** Whether that path leads to the very thing whatever happens to its names; else it is compared afterwards. */
  readonly isByDescriptor: boolean
}

type Use<T> = (held: Held) => Promise<T>

/** Where Linux shows what a process has opened. @see https://man7.org/linux/man-pages/man5/proc_pid_fd.5.html */
const descriptors = '/proc/self/fd'
const hasDescriptors = existsSync(descriptors)

function withHeld<T>(path: string, rule: PathRule | undefined, use: Use<T>): Promise<T> {
  const canHold = hasDescriptors && process.platform === 'linux'
  return (canHold ? heldByDescriptor : heldByPath)(path, rule, use)
}

/** Opens only to say what is there: nothing happens to a device or a pipe. Node has no name for it. @see https://man7.org/linux/man-pages/man2/open.2.html */
const oPath = 0o10000000

async function heldByDescriptor<T>(path: string, rule: PathRule | undefined, use: Use<T>) {
  const descriptor = await open(path, oPath)
  const through = `${descriptors}/${descriptor}`
  let real = path
  try {
    // What is held already is looked at without waiting for any disk.
    const link = readlinkSync(through)
    const status = fstatSync(descriptor)
    // What was removed or replaced since it was opened is named so.
    real = status.nlink === 0 ? link.replace(/ \(deleted\)$/, '') : link
    requireUsable(real, status, rule)
    const mayBeMade = status.isFile() && status.blocks === 0
    if (mayBeMade && kernelFileSystems.has((await statfs(through)).type))
      throw new FileRefused('system', 'is made by the system when it is read')
    return await use({ path: real, status, through, isByDescriptor: true })
  } catch (error) {
    throw withRealNames(error, through, real)
  } finally {
    closeSync(descriptor)
  }
}

/** Where there is no way through a descriptor, the path and what lies there are compared once more after opening. */
async function heldByPath<T>(path: string, rule: PathRule | undefined, use: Use<T>) {
  const real = await realpath(path)
  const status = await lstat(real)
  requireUsable(real, status, rule)
  return use({ path: real, status, through: real, isByDescriptor: false })
}

function requireUsable(real: string, status: Stats, rule: PathRule | undefined): void {
  if (!status.isFile() && !status.isDirectory())
    throw new FileRefused('special', 'is no regular file')
  const why = rule?.(real)
  if (why !== undefined) throw new FileRefused('elsewhere', why)
}

async function requireStill(real: string, opened: Stats): Promise<void> {
  const now = await lstat(real).catch(() => undefined)
  const isSame = now?.ino === opened.ino && now.dev === opened.dev
  if (isSame && (await realpath(real).catch(() => undefined)) === real) return
  throw new FileRefused('elsewhere', 'leads elsewhere than a moment ago')
}

/**
 * File systems whose files the kernel makes when they are read: proc, sysfs, debugfs, tracefs, securityfs, cgroup, cgroup2. Their
 * files have no blocks on a disk.
 * @see https://man7.org/linux/man-pages/man2/statfs.2.html
 */
const kernelFileSystems: ReadonlySet<number> = new Set([
  0x9fa0, 0x62656572, 0x64626720, 0x74726163, 0x73636673, 0x27e0eb, 0x63677270,
])

/** The error with the names that people know, in place of those that lead through a descriptor. */
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
