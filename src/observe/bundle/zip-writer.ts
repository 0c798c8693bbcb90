import { createHash } from 'node:crypto'
import { writeSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { ScholiumError } from '../../kernel/errors.ts'
import type { Hash } from '../../kernel/json.ts'
import {
  directoryEntry,
  endRecord,
  localHeader,
  maxZipBytes,
  maxZipMembers,
  recordBytes,
  type ZipMember,
} from './zip-form.ts'

/** A member that was written. */
export interface WrittenMember {
  readonly name: string
  readonly sizeBytes: number
  readonly sha256: Hash
}

const bufferedBytes = 256 * 1024

/** Writes a zip in the canonical form of {@link localHeader} to an empty file. */
export class ZipWriter {
  private readonly file: number
  private readonly members: ZipMember[] = []
  private sizeBytes = 0

  /** @param file a descriptor open for writing, which stays open */
  constructor(file: number) {
    this.file = file
  }

  /**
   * Writes a member in pieces, so that large ones are never held in memory.
   * @throws `invalid_input` beyond {@link maxZipBytes}
   */
  async add(
    name: string,
    pieces: Iterable<string> | AsyncIterable<string>,
  ): Promise<WrittenMember> {
    const offset = this.sizeBytes
    const content = new Content()
    this.skip(recordBytes.local + Buffer.byteLength(name))
    for await (const piece of pieces) {
      content.add(piece)
      if (content.waitingBytes < bufferedBytes) continue
      this.append(content.take())
      // Reading and writing are synchronous, and a large run must not block the event loop.
      await setImmediate()
    }
    this.append(content.take())
    const { sizeBytes, crc } = content
    const member = { name, sizeBytes, crc, offset }
    writeAll(this.file, localHeader(member), offset)
    this.members.push(member)
    return { name, sizeBytes, sha256: content.digest() }
  }

  /** Writes the directory, after the last member. */
  finish(): void {
    if (this.members.length > maxZipMembers) throw tooLarge(`more than ${maxZipMembers} members`)
    const offset = this.sizeBytes
    const directory = Buffer.concat(this.members.map(directoryEntry))
    this.append(directory)
    this.append(endRecord(this.members.length, offset, directory.length))
  }

  private append(bytes: Uint8Array): void {
    const offset = this.sizeBytes
    this.skip(bytes.length)
    writeAll(this.file, bytes, offset)
  }

  private skip(sizeBytes: number): void {
    this.sizeBytes += sizeBytes
    if (this.sizeBytes > maxZipBytes) throw tooLarge('more than 4 GiB')
  }
}

/** A member's content while it is written: counted, hashed, and buffered. */
class Content {
  sizeBytes = 0
  crc = 0
  waitingBytes = 0
  private waiting: Buffer[] = []
  private readonly hash = createHash('sha256')

  add(piece: string): void {
    const bytes = Buffer.from(piece)
    this.sizeBytes += bytes.length
    this.waitingBytes += bytes.length
    this.crc = crc32(bytes, this.crc)
    this.hash.update(bytes)
    this.waiting.push(bytes)
  }

  take(): Buffer {
    const bytes = Buffer.concat(this.waiting)
    this.waiting = []
    this.waitingBytes = 0
    return bytes
  }

  digest(): Hash {
    return this.hash.digest('hex') as Hash
  }
}

function writeAll(file: number, bytes: Uint8Array, position: number): void {
  for (let from = 0; from < bytes.length; )
    from += writeSync(file, bytes, from, bytes.length - from, position + from)
}

function tooLarge(what: string): ScholiumError {
  return new ScholiumError('invalid_input', `The bundle would have ${what}.`, {
    hint: 'Export without the texts of its sources: --without-text',
  })
}
