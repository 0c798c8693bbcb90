import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { type AddedFile, type App, originalsFolder } from '../app.ts'
import { makeUserFolder } from '../files/user-folder.ts'
import { RequestError } from './request-error.ts'
import type { RunPolicy } from './server-options.ts'

/** Uploads that are received at once; what they have written counts towards the quota. */
const maxOpen = 4

/** Age after which a draft is taken for one that a killed server left. */
const staleDraftMs = 3_600_000

const maxNameBytes = 150

/** The media type of uploads: what they are is told by their content. */
export const uploadType = 'application/octet-stream'

/** Whether a request is an upload, which is not JSON and may be larger than other requests. @param path without a proxy's prefix */
export function isUpload(path: string, { method, headers }: Request): boolean {
  return method === 'POST' && path === '/api/library' && headers.get('content-type') === uploadType
}

/** A file that somebody sends. */
export interface Upload {
  /** Its name, as the sender gives it. */
  readonly name: string
  /** Its size as the sender gives it; `undefined` if it is not known before. */
  readonly sizeBytes: number | undefined
  readonly body: AsyncIterable<Uint8Array>
  /** Whose it is; `undefined` if it is added to the library that all share. */
  readonly owner: string | undefined
  readonly signal: AbortSignal
}

/** What was received: where it is, and what its readers said. */
export interface ReceivedFile {
  /** The folder that the paths in `added` are in. */
  readonly folder: string
  readonly added: readonly AddedFile[]
}

/** Receives files into the library. They are kept in the home under their hash, as long as their sources are in the library. */
export class Uploads {
  private readonly app: App
  private readonly maxFileBytes: number
  private readonly maxAllBytes: number
  private open = 0

  constructor(app: App, { maxUploadBytes = 1e8, maxOriginalsBytes = 5e9 }: RunPolicy) {
    this.app = app
    this.maxFileBytes = maxUploadBytes
    this.maxAllBytes = maxOriginalsBytes
  }

  /**
   * Receives a file and adds it to the library. Nothing stays of one that is interrupted, or that no reader can read.
   * @throws `too_large`, `too_many_requests`, `malformed` for an empty file, what the body throws
   */
  async receive(upload: Upload): Promise<ReceivedFile> {
    if (this.open >= maxOpen)
      throw new RequestError(
        'too_many_requests',
        `${maxOpen} files are being received.`,
        'Wait until they have arrived.',
      )
    this.open++
    const root = originalsFolder(this.app.home.path, upload.owner)
    const draft = join(root, `.${randomUUID()}${draftEnding}`)
    try {
      this.app.makeHome()
      makeUserFolder(root)
      await removeStaleDrafts(root)
      await this.checkSize(root, upload.sizeBytes ?? 0)
      const hash = await this.write(draft, upload.body)
      await this.checkSize(root, 0)
      return await this.add(draft, join(root, hash), upload)
    } finally {
      this.open--
      await rm(draft, { force: true })
    }
  }

  /** Adds a received file to the library; one that is there already keeps its name. */
  private async add(
    draft: string,
    folder: string,
    { name, owner, signal }: Upload,
  ): Promise<ReceivedFile> {
    const [kept] = await readdir(folder).catch(() => [])
    const path = join(folder, kept ?? toSafeName(name))
    if (kept === undefined) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await rename(draft, path)
    }
    let isUsed = kept !== undefined
    try {
      const isPrivate = owner !== undefined
      const read = await Array.fromAsync(this.app.addToLibrary([path], { signal, isPrivate }))
      isUsed ||= read.some((one) => 'sourceId' in one)
      // That somebody else has it is not told.
      const isNew = isPrivate && kept === undefined
      const added = read.map((one) =>
        isNew && 'sourceId' in one ? { ...one, outcome: 'added' as const } : one,
      )
      return { folder, added }
    } finally {
      if (!isUsed) await rm(folder, { recursive: true, force: true })
    }
  }

  /** Writes a body to the disk and returns its SHA-256. */
  private async write(path: string, body: AsyncIterable<Uint8Array>): Promise<string> {
    const file: FileHandle = await open(path, 'wx', 0o600)
    try {
      const hash = createHash('sha256')
      let size = 0
      for await (const piece of body) {
        size += piece.length
        if (size > this.maxFileBytes) throw this.tooLarge()
        hash.update(piece)
        await file.writeFile(piece)
      }
      if (size === 0) throw new RequestError('malformed', 'The file is empty.')
      await file.sync()
      return hash.digest('hex')
    } finally {
      await file.close()
    }
  }

  /** @throws `too_large` if a file of this size, or all originals of its owner with it, would be larger than allowed */
  private async checkSize(root: string, sizeBytes: number): Promise<void> {
    if (sizeBytes > this.maxFileBytes) throw this.tooLarge()
    const all = sizeBytes + (await sizeOf(root))
    if (all <= this.maxAllBytes) return
    throw new RequestError(
      'too_large',
      `The files that were uploaded would take ${all} bytes; the maximum is ${this.maxAllBytes}.`,
      'Remove sources that are no longer needed.',
    )
  }

  private tooLarge(): RequestError {
    return new RequestError('too_large', `The file is larger than ${this.maxFileBytes} bytes.`)
  }
}

const draftEnding = '.draft'

async function removeStaleDrafts(root: string): Promise<void> {
  for (const name of await readdir(root)) {
    if (!name.endsWith(draftEnding)) continue
    const path = join(root, name)
    const status = await stat(path).catch(() => undefined)
    if (status !== undefined && status.mtimeMs < Date.now() - staleDraftMs)
      await rm(path, { force: true })
  }
}

/** Bytes of all files in a folder. */
async function sizeOf(folder: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    // Another upload may have removed its draft meanwhile.
    const status = await stat(join(entry.parentPath, entry.name)).catch(() => undefined)
    bytes += status?.size ?? 0
  }
  return bytes
}

/** A name that means one file on every system, and is not hidden. */
function toSafeName(given: string): string {
  const [last = ''] = given.toWellFormed().normalize('NFC').split(/[\\/]/).slice(-1)
  const plain = last.replaceAll(/[\p{C}<>:"|?*]/gu, '_').replace(/^[.\s]+|[.\s]+$/g, '')
  const extension = extname(plain).slice(0, 20)
  let stem = plain.slice(0, plain.length - extname(plain).length)
  while (Buffer.byteLength(stem) > maxNameBytes) stem = [...stem].slice(0, -1).join('')
  const isReserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(stem)
  return `${isReserved ? '_' : ''}${stem || 'file'}${extension}`
}
