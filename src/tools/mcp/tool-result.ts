import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts'
import { measureDepth } from './tool-schema.ts'
import { cleanLine, cleanText } from './untrusted-text.ts'

/** Maximum size of a result, in UTF-16 code units of its texts and base64 data. */
export const maxResultChars = 1024 * 1024
const maxBlocks = 1_000
const maxDepth = 100
const maxUriChars = 2_048

/** A tool's result as a model sees it; all of it is untrusted. */
export type McpResult = {
  readonly content: readonly JsonObject[]
  /** Structured data in addition to the content, or in place of a text with the same data. */
  readonly structured?: Json
  /** What was left out, in words. */
  readonly cut?: string
}

/** The part of a protocol result used here. */
export interface RawResult {
  readonly content?: unknown
  readonly structuredContent?: unknown
}

/** Converts a protocol result to plain data, cut at {@link maxResultChars}; cuts are reported. */
export function toResult({ content, structuredContent }: RawResult): McpResult {
  const size = new SizeBudget(maxResultChars)
  const raw: readonly unknown[] = Array.isArray(content) ? content : []
  const structured = isText(structuredContent, raw)
    ? undefined
    : toStructured(structuredContent, size)
  const blocks = toBlocks(raw, structured, size)
  const cut = size.cut()
  return {
    content: blocks,
    ...(structured === undefined ? {} : { structured }),
    ...(cut === undefined ? {} : { cut }),
  }
}

/** The texts of a result joined, cut at `maxChars`. */
export function resultText({ content }: McpResult, maxChars: number): string {
  const texts = content.map(({ text }) => (typeof text === 'string' ? text : ''))
  return cleanText(texts.filter((text) => text !== '').join('\n'), maxChars)
}

/** Content blocks as plain data, within a size that several results may share. */
export function toBlocks(
  raw: readonly unknown[],
  structured: Json | undefined,
  size: SizeBudget,
): readonly JsonObject[] {
  const blocks = raw.slice(0, maxBlocks).filter((block) => !repeats(block, structured))
  if (raw.length > maxBlocks) size.leaveOut(`${raw.length - maxBlocks} more blocks`)
  return blocks.map((block) => (isJsonObject(block) ? toBlock(block, size) : { type: 'unknown' }))
}

/** Counts what is kept and remembers what was cut. */
export class SizeBudget {
  private left: number
  private readonly maxChars: number
  private readonly omissions: string[] = []

  constructor(maxChars: number) {
    this.maxChars = maxChars
    this.left = maxChars
  }

  /** The text, or its start. */
  text(text: string, what: string): string {
    const kept = text.slice(0, this.left)
    this.left -= kept.length
    if (kept.length < text.length)
      this.leaveOut(`${text.length - kept.length} characters of ${what}`)
    return kept.toWellFormed()
  }

  /** Whether something that cannot be cut fits. */
  fits(chars: number, what: string): boolean {
    if (chars <= this.left) {
      this.left -= chars
      return true
    }
    this.leaveOut(`${what} of ${chars} characters`)
    return false
  }

  leaveOut(what: string): void {
    if (this.omissions.length < 10) this.omissions.push(what)
  }

  cut(): string | undefined {
    if (this.omissions.length === 0) return undefined
    return `Left out, because a result may have ${this.maxChars} characters: ${this.omissions.join(', ')}.`
  }
}

function toStructured(value: unknown, size: SizeBudget): Json | undefined {
  if (value === undefined) return undefined
  if (measureDepth(value) > maxDepth) {
    size.leaveOut(`structured content that is deeper than ${maxDepth} levels`)
    return undefined
  }
  const text = JSON.stringify(value)
  return size.fits(text.length, 'structured content') ? (JSON.parse(text) as Json) : undefined
}

/** Whether structured content is only the blocks' text under a name, as servers wrap it: `{"content": "…"}`. */
function isText(structured: unknown, blocks: readonly unknown[]): boolean {
  if (!isJsonObject(structured)) return false
  const [value, ...others] = Object.values(structured)
  if (typeof value !== 'string' || others.length > 0) return false
  const texts = blocks.flatMap((block) =>
    isJsonObject(block) && block.type === 'text' ? [String(block.text ?? '')] : [],
  )
  return texts.length > 0 && texts.join('\n').trim() === value.trim()
}

/** Servers repeat structured content as text for older clients. */
function repeats(block: unknown, structured: Json | undefined): boolean {
  if (structured === undefined || !isJsonObject(block) || block.type !== 'text') return false
  try {
    const value: unknown = JSON.parse(String(block.text))
    return measureDepth(value) <= maxDepth && canonicalJson(value) === canonicalJson(structured)
  } catch {
    return false
  }
}

function toBlock(block: JsonObject, size: SizeBudget): JsonObject {
  const notes = toNotes(block.annotations)
  switch (block.type) {
    case 'text':
      return { type: 'text', text: size.text(String(block.text ?? ''), 'text'), ...notes }
    case 'image':
    case 'audio':
      return { type: block.type, ...describeData(block.mimeType, block.data, size), ...notes }
    case 'resource_link':
      return { type: 'resource_link', ...toLink(block), ...notes }
    case 'resource':
      return { type: 'resource', ...toResource(block.resource, size), ...notes }
    default:
      return { type: 'unknown', kind: cleanLine(String(block.type), 40) }
  }
}

function describeData(
  mimeType: Json | undefined,
  data: Json | undefined,
  size: SizeBudget,
): JsonObject {
  const mediaType = cleanLine(String(mimeType ?? 'application/octet-stream'), 100)
  const base64 = String(data ?? '')
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(base64)) return { mediaType, omitted: 'It is not base64.' }
  const sizeBytes = Math.floor((base64.replace(/=+$/, '').length * 3) / 4)
  const isKept = size.fits(base64.length, mediaType)
  return { mediaType, sizeBytes, ...(isKept ? { data: base64 } : { omitted: 'It is too large.' }) }
}

/** A link as plain data: its address and the server's description. */
export function toLink(link: JsonObject): JsonObject {
  return {
    uri: cleanLine(String(link.uri ?? ''), maxUriChars),
    ...line('name', link.name, 200),
    ...line('title', link.title, 200),
    ...line('description', link.description, 1_000),
    ...line('mediaType', link.mimeType, 100),
    ...(typeof link.size === 'number' ? { sizeBytes: link.size } : {}),
  }
}

function line(key: string, value: Json | undefined, maxChars: number): JsonObject {
  return typeof value === 'string' && value !== '' ? { [key]: cleanLine(value, maxChars) } : {}
}

/** A resource's contents as plain data: text, or base64 with its size. */
export function toResource(resource: unknown, size: SizeBudget): JsonObject {
  if (!isJsonObject(resource)) return { uri: '' }
  const { uri, text, blob, mimeType } = resource
  const address = cleanLine(String(uri ?? ''), maxUriChars)
  if (typeof text === 'string') {
    return { uri: address, ...line('mediaType', mimeType, 100), text: size.text(text, address) }
  }
  return { uri: address, ...describeData(mimeType, blob, size) }
}

function toNotes(annotations: Json | undefined): JsonObject {
  if (!isJsonObject(annotations)) return {}
  const { audience, priority } = annotations
  const isKnown = (role: unknown) => role === 'user' || role === 'assistant'
  return {
    ...(Array.isArray(audience) ? { audience: audience.filter(isKnown) } : {}),
    ...(typeof priority === 'number' ? { priority } : {}),
  }
}
