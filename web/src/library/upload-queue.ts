import { ApiError, describeError, send } from '../api/client.ts'
import type { AddedFiles } from '../api/operations.ts'
import { libraryTexts } from '../texts/library.ts'

type Outcome = AddedFiles['files'][number]

/** A file on its way into the library. */
export interface Upload {
  readonly id: number
  readonly name: string
  /** `failed`: it did not arrive, so that it can be tried again. */
  readonly state: 'waiting' | 'adding' | 'failed' | Outcome['outcome']
  readonly sourceId?: string
  /** Why it was not added, and what to do. */
  readonly detail?: string
}

const maxAtOnce = 3
const busyPauseMs = 1_000

/** Sends files to the library, at most three at once, and keeps what became of each until it is dismissed. */
export class UploadQueue {
  private uploads: readonly Upload[] = []
  private readonly listeners = new Set<() => void>()
  /** Of those that may still be sent. */
  private readonly files = new Map<number, File>()
  private lastId = 0

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  list = (): readonly Upload[] => this.uploads

  add(files: readonly File[]): void {
    const added = files.map((file) => {
      const id = ++this.lastId
      this.files.set(id, file)
      return { id, name: file.webkitRelativePath || file.name, state: 'waiting' } as const
    })
    this.set([...this.uploads, ...added])
    this.sendNext()
  }

  retry(id: number): void {
    this.change(id, { state: 'waiting' })
    this.sendNext()
  }

  /** Forgets a file, or all that are in the library. What is being added is kept. */
  dismiss(id?: number): void {
    const isGone = (upload: Upload) => (id === undefined ? isAdded(upload) : upload.id === id)
    for (const upload of this.uploads) if (isGone(upload)) this.files.delete(upload.id)
    this.set(this.uploads.filter((upload) => !isGone(upload)))
  }

  private sendNext(): void {
    const active = this.uploads.filter(({ state }) => state === 'adding').length
    const waiting = this.uploads.filter(({ state }) => state === 'waiting')
    for (const { id } of waiting.slice(0, Math.max(0, maxAtOnce - active))) {
      this.change(id, { state: 'adding' })
      void this.send(id).finally(() => this.sendNext())
    }
  }

  private async send(id: number): Promise<void> {
    const file = this.files.get(id)
    const name = this.uploads.find((upload) => upload.id === id)?.name ?? ''
    if (file === undefined) return
    try {
      const response = await send(`/api/library?name=${encodeURIComponent(name)}`, {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream' },
        body: file,
      })
      this.finish(id, ((await response.json()) as AddedFiles).files)
    } catch (error) {
      if (error instanceof ApiError && error.status === 429) {
        await new Promise((resolve) => setTimeout(resolve, busyPauseMs))
        return this.change(id, { state: 'waiting' })
      }
      const detail = error instanceof ApiError ? describeError(error) : libraryTexts.uploads.lost
      this.change(id, { state: 'failed', detail })
    }
  }

  /** Puts the outcomes, of which an archive has several, in the place of the file. */
  private finish(id: number, outcomes: readonly Outcome[]): void {
    const told = outcomes.map(({ name, outcome, id: sourceId, detail, hint }, index) => ({
      id: index === 0 ? id : ++this.lastId,
      name,
      state: outcome,
      ...(sourceId && { sourceId }),
      ...(detail && { detail: [detail, hint].filter(Boolean).join(' ') }),
    }))
    this.files.delete(id)
    this.set(this.uploads.flatMap((upload) => (upload.id === id ? told : [upload])))
  }

  private change(id: number, by: Pick<Upload, 'state' | 'detail'>): void {
    const changed = ({ id, name }: Upload): Upload => ({ id, name, ...by })
    this.set(this.uploads.map((upload) => (upload.id === id ? changed(upload) : upload)))
  }

  private set(uploads: readonly Upload[]): void {
    this.uploads = uploads
    for (const listener of this.listeners) listener()
  }
}

/** Whether a file is in the library. */
export function isAdded({ state }: Upload): boolean {
  return state === 'added' || state === 'updated' || state === 'unchanged'
}

/** Whether it is not decided what becomes of a file. */
export function isOpen({ state }: Upload): boolean {
  return state === 'waiting' || state === 'adding'
}
