import { isRecord, toCslItem } from '../../../bibliography/csl-item.ts'
import {
  type DocumentContent,
  maxTitleUnits,
  type ReadRequest,
  type ReadResult,
  type Section,
  type TextSpan,
  type Unreadable,
} from '../../document.ts'
import type { ProcessKind } from './readers.ts'

/** An order to a reading process: read the file in the frame's body, or preload a reader. */
export type ReadOrder =
  | ({ readonly type: 'read' } & ReadRequest)
  | { readonly type: 'load'; readonly kind: ProcessKind }

/** A reply of a reading process: that it starts, its libraries being loaded; how much time the file may take; the result. */
export type ReadReply =
  | { readonly type: 'begun' }
  | { readonly type: 'time'; readonly limitMs: number }
  | { readonly type: 'done'; readonly reading: ReadResult }

/** A message between the two processes: JSON, followed by a file's bytes or a document's text in UTF-8. */
export interface Frame {
  readonly head: unknown
  readonly body: Buffer
}

const prefixBytes = 8
const nothing = new Uint8Array()

/** Encodes a message: the lengths of head and body in 4 bytes each, then both. */
export function toFrame(head: object, body: Uint8Array = nothing): readonly Uint8Array[] {
  const written = Buffer.from(JSON.stringify(head))
  const prefix = Buffer.alloc(prefixBytes)
  prefix.writeUInt32LE(written.length, 0)
  prefix.writeUInt32LE(body.length, 4)
  return [prefix, written, body]
}

/** Encodes a reply. A document's text is the body. */
export function toReplyFrame(reply: ReadReply): readonly Uint8Array[] {
  if (reply.type !== 'done' || !reply.reading.ok) return toFrame(reply)
  const { text, ...content } = reply.reading.content
  return toFrame({ type: 'done', reading: { ok: true, content } }, Buffer.from(text))
}

/**
 * Reassembles messages from chunks.
 * @throws RangeError if a head or body is too long, SyntaxError if a head is not JSON
 */
export function createFrameReader(
  maxHeadBytes: number,
  maxBodyBytes: number,
): (chunk: Buffer) => readonly Frame[] {
  let held: Buffer[] = []
  let heldBytes = 0
  let neededBytes = prefixBytes
  return (chunk) => {
    held.push(chunk)
    heldBytes += chunk.length
    const frames: Frame[] = []
    while (heldBytes >= neededBytes) {
      const bytes = held.length === 1 ? (held[0] as Buffer) : Buffer.concat(held)
      const headBytes = bytes.readUInt32LE(0)
      const bodyBytes = bytes.readUInt32LE(4)
      if (headBytes > maxHeadBytes || bodyBytes > maxBodyBytes)
        throw new RangeError('a message is too long')
      const bodyStart = prefixBytes + headBytes
      neededBytes = bodyStart + bodyBytes
      held = [bytes]
      if (bytes.length < neededBytes) break
      const head: unknown = JSON.parse(bytes.toString('utf8', prefixBytes, bodyStart))
      frames.push({ head, body: bytes.subarray(bodyStart, neededBytes) })
      held = [bytes.subarray(neededBytes)]
      heldBytes -= neededBytes
      neededBytes = prefixBytes
    }
    return frames
  }
}

/** Validates a reply: the process read a hostile file, so it is trusted no more than the file. */
export function parseReply({ head, body }: Frame): ReadReply | undefined {
  if (!isRecord(head)) return undefined
  if (head.type === 'begun') return { type: 'begun' }
  if (head.type === 'time' && typeof head.limitMs === 'number')
    return { type: 'time', limitMs: head.limitMs }
  if (head.type !== 'done' || !isRecord(head.reading)) return undefined
  const { ok, content, unreadable } = head.reading
  if (ok === true && isRecord(content)) {
    const read = parseContent(content, body.toString('utf8'))
    return read && { type: 'done', reading: { ok: true, content: read } }
  }
  if (!isRecord(unreadable)) return undefined
  const { reason, detail, hint } = unreadable
  if (!reasons.has(reason as string) || typeof detail !== 'string' || typeof hint !== 'string')
    return undefined
  const given = { reason: reason as Unreadable['reason'], detail, hint }
  return { type: 'done', reading: { ok: false, unreadable: given } }
}

/** The reasons a reader may give. */
const reasons: ReadonlySet<string> = new Set<Unreadable['reason']>([
  'unsupported_kind',
  'empty',
  'encrypted',
  'broken',
  'no_text',
  'too_large',
  'timed_out',
  'not_text',
])

function parseContent(
  given: Readonly<Record<string, unknown>>,
  text: string,
): DocumentContent | undefined {
  const { title, pages, sections, csl, notes } = given
  const isWhole =
    typeof title === 'string' &&
    isListOf(pages, (page): page is TextSpan => isSpan(page, text.length)) &&
    isListOf(sections, (section): section is Section => isSection(section, text.length)) &&
    isListOf(notes, (note) => typeof note === 'string') &&
    isRecord(csl)
  if (!isWhole) return undefined
  return {
    title: cut(title),
    text,
    pages,
    sections: sections.map((section) => ({ ...section, title: cut(section.title) })),
    csl: toCslItem(csl, String(csl.id)),
    notes: notes.map(cut),
  }
}

function cut(title: string): string {
  return title.slice(0, maxTitleUnits).toWellFormed()
}

function isListOf<One>(value: unknown, isOne: (one: unknown) => one is One): value is One[] {
  return Array.isArray(value) && value.every(isOne)
}

function isSpan(value: unknown, length: number): value is TextSpan {
  if (!isRecord(value)) return false
  const { start, end } = value
  return isSectionStart(start, length) && isSectionStart(end, length) && start <= end
}

function isSection(value: unknown, length: number): value is Section {
  if (!isRecord(value)) return false
  const { title, level, start } = value
  return typeof title === 'string' && Number.isSafeInteger(level) && isSectionStart(start, length)
}

function isSectionStart(value: unknown, length: number): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= length
}
