// Runs in a separate process, which can be abandoned if a disk hangs. Prints one JSON line per finding.
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { toFailure } from '../../kernel/errors.ts'
import { wordToPaste } from '../../kernel/text/shell-word.ts'
import { libraryFailure } from '../../stores/sqlite/library-failure.ts'
import { storeFailure } from '../../stores/sqlite/run-store-failure.ts'
import type { Finding } from './finding.ts'

const [home = '', from = ''] = process.argv.slice(2)
const probeBytes = 256 * 1024
const lowBytes = 200_000_000
const mostLookedAt = 10_000
const mostNamed = 5
const elsewhere = 'Choose another folder with --home or SCHOLIUM_HOME'

const findings = [
  folderFinding(),
  modesFinding(),
  databaseFinding('runs.db', 'runs', storeFailure),
  databaseFinding('library.db', 'library', libraryFailure),
]
for (const found of findings) if (found !== undefined) console.log(JSON.stringify(found))

function finding(status: Finding['status'], text: string, hint?: string): Finding {
  return { area: 'home', status, text, ...(hint === undefined ? {} : { hint }) }
}

function folderFinding(): Finding {
  if (!existsSync(home)) return parentFinding()
  if (!statSync(home).isDirectory())
    return finding('problem', `${home} (${from}) is a file, not a folder`, `${elsewhere}.`)
  try {
    const folder = mkdtempSync(join(home, '.doctor-'))
    try {
      writeFileSync(join(folder, 'probe'), new Uint8Array(probeBytes), { flush: true })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  } catch (error) {
    return unwritable(error, home)
  }
  return withSpace(`${home} (${from}) is writable`, home)
}

/** The parts of the home that other users of this machine may read or write, according to file permissions. */
function modesFinding(): Finding | undefined {
  if (process.getuid === undefined || !existsSync(home)) return undefined
  const open = ['', ...namesIn(home)].filter((name) => isOpen(join(home, name)))
  if (open.length === 0) return undefined
  const named = open.slice(0, mostNamed).map((name) => join(home, name))
  const more = open.length > mostNamed ? ` and ${open.length - mostNamed} more` : ''
  const text = `other users of this machine can access ${named.join(', ')}${more}`
  return finding(
    'warning',
    text,
    `Remove their access: chmod -R go= ${wordToPaste(home, process.platform) ?? 'FOLDER'}`,
  )
}

/** Empty for an unreadable folder, which is reported for the home as a whole. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).slice(0, mostLookedAt)
  } catch {
    return []
  }
}

function isOpen(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found !== undefined && !found.isSymbolicLink() && (found.mode & 0o077) !== 0
}

function parentFinding(): Finding {
  let parent = dirname(home)
  while (!existsSync(parent) && dirname(parent) !== parent) parent = dirname(parent)
  try {
    if (!statSync(parent).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' })
    accessSync(parent, constants.W_OK | constants.X_OK)
  } catch (error) {
    return unwritable(error, parent)
  }
  return withSpace(`${home} (${from}) will be created on first use`, parent)
}

function unwritable(error: unknown, place: string): Finding {
  const { code = '', message } = error as NodeJS.ErrnoException
  const problem = (why: string, hint: string) =>
    finding('problem', `${home} (${from}) is not writable: ${why}`, hint)
  if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code))
    return problem(
      'the disk is full',
      'Free some space, or choose another disk with --home or SCHOLIUM_HOME.',
    )
  if (code === 'ENOTDIR') return problem(`${place} is a file`, `${elsewhere}.`)
  const isForbidden = ['EACCES', 'EPERM', 'EROFS'].includes(code)
  const why = isForbidden ? `${place} is read-only or owned by another user` : message
  return problem(why, `Change its permissions. ${elsewhere}.`)
}

function withSpace(text: string, folder: string): Finding {
  const { bavail, bsize } = statfsSync(folder)
  const freeBytes = bavail * bsize
  const told = `${text}; ${sizeText(freeBytes)} free`
  const hint = 'Free some space: a library needs about as much as the text of its files.'
  return freeBytes >= lowBytes ? finding('ok', told) : finding('warning', told, hint)
}

function sizeText(bytes: number): string {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e6).toFixed(1)} MB`
}

/** The size of a database, including what it has not yet taken over from its log. */
function formatSize(path: string): number {
  const log = `${path}-wal`
  return statSync(path).size + (existsSync(log) ? statSync(log).size : 0)
}

function databaseFinding(
  name: string,
  what: string,
  explain: (error: unknown, path: string) => unknown,
): Finding | undefined {
  const path = join(home, name)
  if (!existsSync(path)) return undefined
  try {
    const db = new DatabaseSync(path, { readOnly: true, timeout: 2_000 })
    try {
      const rows = db.prepare('PRAGMA quick_check(1)').all() as { quick_check: string }[]
      const found = rows[0]?.quick_check ?? 'ok'
      if (found !== 'ok') throw Object.assign(new Error(found), { errcode: 11 })
    } finally {
      db.close()
    }
    return finding('ok', `${what}: ${path} is intact (${sizeText(formatSize(path))})`)
  } catch (error) {
    const { message, hint } = toFailure(explain(error, path))
    return finding('problem', message.replace(/\.$/, ''), hint)
  }
}
