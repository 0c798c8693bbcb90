import { resolve } from 'node:path'
import type { ReadOutcome, Unreadable } from './document.ts'
import { isZip } from './file-kind.ts'
import { maxArchiveBytes, maxDepth, maxMembers } from './files/archive/archive-limits.ts'
import {
  type ArchiveBudget,
  newArchiveBudget,
  openZip,
  type ZipArchive,
} from './files/archive/zip-archive.ts'
import type { ZipEntry } from './files/archive/zip-directory.ts'
import { detectZipKind } from './files/archive/zip-kind.ts'
import type { ListedFile, SkippedPath } from './list-files.ts'
import { readBytesDocument } from './read-bytes.ts'
import { type ReadFileOptions, readFileDocument, readWholeFile, startsAsZip } from './read-file.ts'

/** The outcome for one path: a document, a refusal, or a skipped archive member. */
export type PathOutcome = ReadOutcome | ({ readonly ok: undefined } & SkippedPath)

/** A file or archive member yet to be read. */
export type ReadTask = () => Promise<PathOutcome>

/**
 * The reading tasks for a path: one for a file, or one per archive member, with paths below the archive's own
 * (`papers.zip/2024/a.pdf`).
 * @throws the signal's reason if aborted
 */
export async function* readTasks(
  file: ListedFile,
  options: ReadFileOptions,
): AsyncGenerator<ReadTask, void, undefined> {
  const path = resolve(file.path)
  if (await startsAsZip(file, options)) {
    const bytes = await readWholeFile(file, options)
    const archive = bytes instanceof Uint8Array ? await openArchive(bytes, path) : undefined
    if (archive !== undefined) {
      yield* memberTasks({ ...archive, path, depth: 1 }, options)
      return
    }
  }
  yield () => readFileDocument(file, options)
}

interface OpenArchive {
  readonly archive: ZipArchive
  readonly budget: ArchiveBudget
}

/** Opens an archive; `undefined` if the bytes are a document or broken, which their reader will report. */
async function openArchive(
  bytes: Uint8Array,
  path: string,
  budget = newArchiveBudget(),
): Promise<OpenArchive | undefined> {
  const archive = openZip(bytes, budget)
  if ('reason' in archive) return undefined
  return (await detectZipKind(archive, path)).kind === 'archive' ? { archive, budget } : undefined
}

interface ArchivePlace extends OpenArchive {
  readonly path: string
  /** 1 for an archive in a folder, 2 for an archive inside that. */
  readonly depth: number
}

async function* memberTasks(
  place: ArchivePlace,
  options: ReadFileOptions,
): AsyncGenerator<ReadTask, void, undefined> {
  const { archive, path, budget } = place
  if (archive.entries.length === 0) {
    yield refuse(path, {
      reason: 'empty',
      detail: 'It contains no files.',
      hint: 'Check that it was packed completely.',
    })
    return
  }
  const seen = new Set<string>()
  const skipped = new Set<string>()
  let isTooDeep = false
  for (const entry of archive.entries) {
    options.signal?.throwIfAborted()
    const inside = `${path}/${entry.name}`
    const left = findSkipped(entry)
    if (left !== undefined) {
      if (!skipped.has(left.name)) yield passOver(`${path}/${left.name}`, left.why, false)
      skipped.add(left.name)
      continue
    }
    if (budget.membersLeft-- <= 0 || budget.bytesLeft <= 0) {
      yield passOver(inside, describeFull(budget), true)
      return
    }
    const refusal = checkName(entry.name, seen)
    seen.add(entry.name)
    if (refusal !== undefined) yield refuse(path, refusal)
    else if (!/\.zip$/i.test(entry.name)) yield () => readMember(archive, entry, inside, options)
    else if (place.depth < maxDepth) yield* nestedTasks(place, entry, options)
    else if (!isTooDeep) {
      isTooDeep = true
      yield refuse(path, tooDeep)
    }
  }
}

const tooDeep: Unreadable = {
  reason: 'too_large',
  detail: `Archives nested more than ${maxDepth} deep are not opened.`,
  hint: 'Unpack the outermost one and add the files.',
}

async function readMember(
  archive: ZipArchive,
  entry: ZipEntry,
  path: string,
  options: ReadFileOptions,
): Promise<ReadOutcome> {
  options.signal?.throwIfAborted()
  const bytes = await archive.unpack(entry)
  return bytes instanceof Uint8Array
    ? readBytesDocument(bytes, path, options)
    : { ok: false, path, unreadable: bytes }
}

/** Nested archives are unpacked immediately, to find their members. */
async function* nestedTasks(
  { archive, path, budget, depth }: ArchivePlace,
  entry: ZipEntry,
  options: ReadFileOptions,
): AsyncGenerator<ReadTask, void, undefined> {
  const inside = `${path}/${entry.name}`
  const bytes = await archive.unpack(entry)
  const isNested = bytes instanceof Uint8Array && isZip(bytes)
  const nested = isNested ? await openArchive(bytes, inside, budget) : undefined
  if (nested !== undefined) {
    yield* memberTasks({ ...nested, path: inside, depth: depth + 1 }, options)
  } else {
    yield async () =>
      bytes instanceof Uint8Array
        ? readBytesDocument(bytes, inside, options)
        : { ok: false, path: inside, unreadable: bytes }
  }
}

/** Members skipped on purpose, reported once per hidden folder. */
function findSkipped({ name, isLink }: ZipEntry): { name: string; why: string } | undefined {
  if (isLink) return { name, why: 'a link' }
  const parts = name.split('/')
  const index = parts.findIndex(
    (part) => part === '__MACOSX' || part === 'node_modules' || /^\.[^.]/.test(part),
  )
  if (index < 0) return undefined
  const isFile = index === parts.length - 1
  const why =
    parts[index] === '__MACOSX'
      ? 'macOS metadata'
      : parts[index] === 'node_modules'
        ? 'installed packages'
        : `a hidden ${isFile ? 'file' : 'folder'}`
  return { name: parts.slice(0, index + 1).join('/'), why }
}

/** Refuses names that lead outside the archive or occur twice. */
function checkName(name: string, seen: ReadonlySet<string>): Unreadable | undefined {
  const hint = 'Unpack it and add the files you recognise.'
  const shown = JSON.stringify(name.slice(0, 80))
  const parts = name.split('/')
  if (name.startsWith('/') || /^[a-z]:/i.test(name) || parts.includes('..') || /\p{Cc}/u.test(name))
    return {
      reason: 'broken',
      detail: `A file in it is named ${shown}, which points outside the archive.`,
      hint,
    }
  if (name === '' || parts.includes('') || parts.includes('.'))
    return {
      reason: 'broken',
      detail: `A file in it is named ${shown}, which is not a valid name.`,
      hint,
    }
  if (seen.has(name))
    return { reason: 'broken', detail: `Two files in it are named ${shown}.`, hint }
  return undefined
}

function describeFull({ bytesLeft }: ArchiveBudget): string {
  const most = bytesLeft <= 0 ? `${maxArchiveBytes / 1_000_000} MB` : `${maxMembers} files`
  return `this and all later files: at most ${most} of one archive are read`
}

function refuse(path: string, unreadable: Unreadable): ReadTask {
  return async () => ({ ok: false, path, unreadable })
}

function passOver(path: string, why: string, isLoss: boolean): ReadTask {
  return async () => ({ ok: undefined, path, why, isLoss })
}
