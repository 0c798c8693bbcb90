import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { ScholiumError } from '../kernel/errors.ts'
import { type Environment, userConfigFolder } from './user-folders.ts'

/** What a folder is trusted with: `instructions`, that what it tells models is as good as the person's own words. */
export type TrustKind = 'instructions'

const fileName = 'trusted.json'
const maxBytes = 1_000_000

/** Other kinds, and what they hold beside these, stay as they are. */
const entrySchema = z.looseObject({ kind: z.string(), path: z.string() })
const fileSchema = z.object({ version: z.literal(1), folders: z.array(entrySchema) })
type Entry = z.output<typeof entrySchema>

/**
 * Whether the person has said that they trust a folder with something. It is kept outside of all projects, in their own
 * configuration folder, by the folder's real path; a file there that others may write says nothing.
 */
export function isTrustedFolder(
  environment: Environment,
  kind: TrustKind,
  folder: string,
): boolean {
  const path = trustFile(environment)
  if (path === undefined) return false
  const real = realpathSync(folder)
  const entries = readEntries(path)
  return entries.ok && entries.list.some((entry) => entry.kind === kind && entry.path === real)
}

/**
 * Keeps that the person trusts a folder.
 * @throws `store_failed` where that cannot be kept
 */
export function trustFolder(environment: Environment, kind: TrustKind, folder: string): void {
  const path = trustFile(environment)
  if (path === undefined)
    throw new ScholiumError('store_failed', 'Trust cannot be kept: you have no folder of your own.')
  const entry = { kind, path: realpathSync(folder) }
  const entries = readEntries(path)
  if (!entries.ok)
    throw new ScholiumError('store_failed', `Trust cannot be kept: ${path} ${entries.why}.`, {
      hint: 'Mend or remove that file.',
    })
  const others = entries.list.filter((one) => one.kind !== kind || one.path !== entry.path)
  const text = `${JSON.stringify({ version: 1, folders: [...others, entry] }, null, 2)}\n`
  try {
    replace(path, text)
  } catch (cause) {
    const why = (cause as Error).message
    throw new ScholiumError('store_failed', `Trust cannot be kept in ${path}: ${why}`, { cause })
  }
}

/** Where trust is kept; `undefined` where the person has no folder of their own. */
function trustFile(environment: Environment): string | undefined {
  const folder = userConfigFolder(environment)
  return folder === undefined ? undefined : join(folder, fileName)
}

type Read =
  | { readonly ok: true; readonly list: readonly Entry[] }
  | { readonly ok: false; readonly why: string }

function readEntries(path: string): Read {
  const no = (why: string): Read => ({ ok: false, why })
  try {
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
    const file = openSync(path, flags)
    try {
      const status = fstatSync(file)
      if (!status.isFile()) return no('is no regular file')
      if (status.size > maxBytes) return no('is too large')
      if (!isOwn(status, 0o022) || !isOwn(statSync(dirname(path)), 0o002))
        return no('is not yours, or others may write it')
      const { folders } = fileSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
      return { ok: true, list: folders }
    } finally {
      closeSync(file)
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' ? { ok: true, list: [] } : no(`cannot be read (${code ?? 'damaged'})`)
  }
}

/** Whether something is this user's, and not to be written by those whom the bits stand for; Windows has no such bits. */
function isOwn(
  { uid, mode }: { readonly uid: number; readonly mode: number },
  bits: number,
): boolean {
  return process.getuid === undefined || (uid === process.getuid() && (mode & bits) === 0)
}

function replace(path: string, text: string): void {
  const beside = `${path}.${process.pid}.tmp`
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  rmSync(beside, { force: true })
  try {
    writeFileSync(beside, text, { flag: 'wx', mode: 0o600 })
    renameSync(beside, path)
  } finally {
    rmSync(beside, { force: true })
  }
}
