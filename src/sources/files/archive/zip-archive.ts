import { promisify } from 'node:util'
import { crc32, inflateRaw } from 'node:zlib'
import type { Unreadable } from '../../document.ts'
import {
  maxArchiveBytes,
  maxMemberBytes,
  maxMembers,
  maxRatio,
  ratioFreeBytes,
} from './archive-limits.ts'
import { readZipDirectory, type ZipEntry } from './zip-directory.ts'

/** What may still be unpacked; nested archives share one budget. */
export interface ArchiveBudget {
  bytesLeft: number
  membersLeft: number
}

/** An opened zip archive. Members are unpacked on request only. */
export interface ZipArchive {
  /** Files in directory order, without folders. */
  readonly entries: readonly ZipEntry[]
  /** The first file with this name. */
  find(name: string): ZipEntry | undefined
  /** A file's bytes, or why there are none. Declared sizes are not trusted; the output is counted. */
  unpack(entry: ZipEntry): Promise<Uint8Array | Unreadable>
}

/** The budget of an archive and everything in it. */
export function newArchiveBudget(): ArchiveBudget {
  return { bytesLeft: maxArchiveBytes, membersLeft: maxMembers }
}

/** Opens a zip archive, or says why it is refused. */
export function openZip(
  bytes: Uint8Array,
  budget: ArchiveBudget = newArchiveBudget(),
): ZipArchive | Unreadable {
  const directory = readZipDirectory(bytes)
  if ('reason' in directory) return directory
  const entries = directory.filter(({ name }) => !name.endsWith('/'))
  const byName = new Map(
    entries.map((entry) => [entry.name, entry]).reverse() as [string, ZipEntry][],
  )
  return {
    entries,
    find: (name) => byName.get(name),
    unpack: (entry) => unpack(bytes, entry, budget),
  }
}

const inflate = promisify(inflateRaw)

async function unpack(
  bytes: Uint8Array,
  entry: ZipEntry,
  budget: ArchiveBudget,
): Promise<Uint8Array | Unreadable> {
  const refusal = checkEntry(entry)
  if (refusal !== undefined) return refusal
  const mostBytes = Math.min(
    maxMemberBytes,
    Math.max(ratioFreeBytes, maxRatio * entry.packedBytes),
    budget.bytesLeft,
  )
  if (entry.sizeBytes > mostBytes) return tooLarge(entry, budget)
  const packed = bytes.subarray(entry.start, entry.end)
  try {
    const unpacked =
      entry.method === 0 ? packed : await inflate(packed, { maxOutputLength: mostBytes })
    budget.bytesLeft -= unpacked.length
    if (unpacked.length !== entry.sizeBytes) return damaged('its size is not the declared one')
    if (crc32(unpacked) !== entry.crc32) return damaged('its checksum is wrong')
    return unpacked
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ERR_BUFFER_TOO_LARGE') return damaged(message)
    budget.bytesLeft -= mostBytes
    return tooLarge(entry, budget)
  }
}

function checkEntry(entry: ZipEntry): Unreadable | undefined {
  if (entry.isEncrypted) {
    const hint = 'Unpack it with its password and add the files.'
    return { reason: 'encrypted', detail: 'It is password-protected.', hint }
  }
  if (entry.method !== 0 && entry.method !== 8) {
    const detail = `Its compression method (${entry.method}) is not supported.`
    return { reason: 'unsupported_kind', detail, hint: 'Unpack it and add the files.' }
  }
  return entry.isConsistent ? undefined : damaged('its two headers do not agree')
}

function damaged(why: string): Unreadable {
  const detail = `It is damaged in its archive: ${why}.`
  return { reason: 'broken', detail, hint: 'Unpack the archive, or download it again.' }
}

function tooLarge({ packedBytes, sizeBytes }: ZipEntry, { bytesLeft }: ArchiveBudget): Unreadable {
  const hint = 'Unpack it and, if the content is as expected, add the files.'
  const megabytes = (size: number) => `${Math.round(size / 1_000_000)} MB`
  const reason = 'too_large'
  if (sizeBytes > maxMemberBytes) {
    const most = megabytes(maxMemberBytes)
    return { reason, detail: `It unpacks to more than ${most}, the maximum.`, hint }
  }
  if (sizeBytes > Math.max(ratioFreeBytes, maxRatio * packedBytes)) {
    const detail = `It unpacks to more than ${maxRatio} times its packed size, like an archive bomb.`
    return { reason, detail, hint }
  }
  if (bytesLeft > 0) {
    const detail = 'It unpacks to more than its archive declares, like an archive bomb.'
    return { reason, detail, hint }
  }
  const detail = `At most ${megabytes(maxArchiveBytes)} of one archive are read.`
  return { reason, detail, hint }
}
