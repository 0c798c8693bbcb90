import { open, rm, stat } from 'node:fs/promises'
import { isRecord, readText } from '../../bibliography/csl-item.ts'
import { writeWhole } from '../../files/write-whole.ts'
import { toCount } from '../../sources/lookup/values.ts'
import type { ComingAnswer } from '../../sources/web/guarded-fetch.ts'
import { BadAnswer, TimedOut, TooLarge } from '../../sources/web/transport-failure.ts'
import { readJson } from './file-store.ts'
import { describeNonPdf, isPdf, maxSniffedBytes, readStart } from './pdf-check.ts'

/** The response is not a PDF. */
export class NotPdf extends Error {}

/** The disk refused the data. */
export class NotWritten extends Error {}

/** Which file the bytes belong to. */
interface PartState {
  /** An ETag or date that identifies the file; without one a download cannot be resumed. */
  readonly validator?: string
  /** Size of the complete file, if the server gave it. */
  readonly sizeBytes?: number
}

/** Limits on a response body. */
export interface IntakeLimits {
  readonly maxBytes: number
  /** A server that sends nothing for this long is given up. */
  readonly stallMs: number
  onProgress(share: number): void
}

/** A download in progress: `.part` has the bytes, `.json` says which file they belong to. */
export class PartialFile {
  readonly path: string
  private readonly statePath: string

  /** @param path without extension */
  constructor(path: string) {
    this.path = `${path}.part`
    this.statePath = `${path}.json`
  }

  /** Bytes downloaded so far. */
  async sizeBytes(): Promise<number> {
    return (await stat(this.path).catch(() => undefined))?.size ?? 0
  }

  /** Size of the complete file; `undefined` if unknown. */
  async wholeBytes(): Promise<number | undefined> {
    return (await this.state()).sizeBytes
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true })
    await rm(this.statePath, { force: true })
  }

  /** Headers that request the rest, provided the file is unchanged. */
  async rangeHeaders(): Promise<Readonly<Record<string, string>>> {
    const { validator } = await this.state()
    const from = await this.sizeBytes()
    if (from === 0 || validator === undefined) return {}
    return { range: `bytes=${from}-`, 'if-range': validator }
  }

  /**
   * Appends a response: the rest, or the whole file again.
   * @throws {@link NotPdf}; {@link TooLarge}; {@link TimedOut} when it stalls; {@link BadAnswer}; the connection's error
   */
  async receive(answer: ComingAnswer, intake: IntakeLimits): Promise<void> {
    const encoding = readText(answer.headers['content-encoding']) ?? 'identity'
    if (encoding !== 'identity') throw new BadAnswer(`it is packed as ${encoding}`)
    const from = await this.placeOf(answer)
    const length = toCount(answer.headers['content-length'])
    const wholeBytes = length === undefined ? undefined : from + length
    if ((wholeBytes ?? 0) > intake.maxBytes) throw new TooLarge(intake.maxBytes)
    if (from === 0) await this.begin(answer, wholeBytes)
    await this.append(answer.body, from, wholeBytes, intake)
  }

  /** The offset of the response's bytes. */
  private async placeOf({ status, headers }: ComingAnswer): Promise<number> {
    if (status !== 206) return 0
    const [, start, whole] =
      /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers['content-range'] ?? '') ?? []
    const { sizeBytes } = await this.state()
    const isExpected =
      Number(start) === (await this.sizeBytes()) &&
      (whole === '*' || sizeBytes === undefined || Number(whole) === sizeBytes)
    if (isExpected) return Number(start)
    await this.remove()
    throw new BadAnswer('it is not the requested part')
  }

  private async begin({ headers }: ComingAnswer, sizeBytes: number | undefined): Promise<void> {
    await this.remove()
    const validator = findValidator(headers)
    const state: PartState = {
      ...(validator === undefined ? {} : { validator }),
      ...(sizeBytes === undefined ? {} : { sizeBytes }),
    }
    try {
      writeWhole(this.statePath, JSON.stringify(state))
    } catch (error) {
      notWritten(error)
    }
  }

  private async append(
    body: AsyncIterable<Uint8Array>,
    from: number,
    wholeBytes: number | undefined,
    { maxBytes, stallMs, onProgress }: IntakeLimits,
  ): Promise<void> {
    const file = await open(this.path, 'a', 0o600).catch(notWritten)
    let sizeBytes = from
    let isChecked = false
    let toldShare = from / (wholeBytes ?? 1)
    try {
      for await (const piece of withStallTimeout(body, stallMs)) {
        sizeBytes += piece.length
        if (sizeBytes > maxBytes) throw new TooLarge(maxBytes)
        await file.appendFile(piece).catch(notWritten)
        const share = wholeBytes === undefined ? 0 : Math.min(1, sizeBytes / wholeBytes)
        if (share - toldShare >= 0.01) {
          toldShare = share
          onProgress(share)
        }
        // An endless web page is not read to its end.
        if (!isChecked && sizeBytes >= maxSniffedBytes) isChecked = await this.checkStart()
      }
    } finally {
      await file.close()
    }
    if (!isChecked) await this.checkStart()
  }

  /** @throws {@link NotPdf} */
  private async checkStart(): Promise<true> {
    const start = await readStart(this.path)
    if (!isPdf(start)) throw new NotPdf(describeNonPdf(start))
    return true
  }

  private async state(): Promise<PartState> {
    const value = await readJson(this.statePath)
    const { validator, sizeBytes } = isRecord(value) ? value : {}
    return {
      ...(typeof validator === 'string' ? { validator } : {}),
      ...(typeof sizeBytes === 'number' ? { sizeBytes } : {}),
    }
  }
}

/** Drops the error code, which would be mistaken for the connection's. */
function notWritten(error: unknown): never {
  throw new NotWritten(error instanceof Error ? error.message : String(error), { cause: error })
}

/**
 * Identifies the file for resuming: a strong ETag, else its date.
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-13.1.5
 */
function findValidator(headers: ComingAnswer['headers']): string | undefined {
  const { etag, 'last-modified': date, 'accept-ranges': ranges } = headers
  if (ranges === 'none') return undefined
  return etag !== undefined && /^"[^"]*"$/.test(etag) ? etag : date
}

/** The pieces of a body; throws when the next one takes too long. */
async function* withStallTimeout(
  body: AsyncIterable<Uint8Array>,
  stallMs: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const pieces = body[Symbol.asyncIterator]()
  for (;;) {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new TimedOut(stallMs)), stallMs)
    })
    try {
      const next = await Promise.race([pieces.next(), late])
      if (next.done === true) return
      yield next.value
    } finally {
      clearTimeout(timer)
    }
  }
}
