import * as z from 'zod'
import type { OpenedFile } from '../../../files/opened.ts'
import { shownPath } from '../../../files/real-place.ts'
import { type Hash, sha256 } from '../../../kernel/json.ts'
import { type CodeTool, declareCodeTool, type FileResult, pathNames } from '../code-tool.ts'
import { formatLine, readCodeText, splitLines } from './code-text.ts'
import { type CodeWorkspace, failCall, type WorkspacePath } from './code-workspace.ts'
import { maxEditedBytes, withRegularFile } from './file-bytes.ts'

type ReadResult = FileResult & ReadLines & { readonly offset: number }

/** Line numbers start at 1. */
interface LineRange {
  readonly offset: number
  readonly limit: number
}

/** Lines of a file. */
type ReadLines = {
  /** Each in the form of {@link formatLine}. */
  readonly lines: readonly string[]
  /** `null` for a file too large to be counted. */
  readonly totalLines: number | null
  readonly sizeBytes: number
  /** Absent for a file too large to be edited. */
  readonly hash?: Hash
  /** A remark about the file, such as its encoding. */
  readonly note?: string
}

const defaultLines = 2_000

/** Creates the tool that reads lines of a file. */
export function createReadTool(workspace: CodeWorkspace): CodeTool {
  return declareCodeTool({
    name: 'read',
    description: `Reads a text file of the workspace, ${defaultLines} lines unless told otherwise. Each line comes as \`number:hash|text\`: the number and the hash, as in 12:9af3, name the line for \`edit\`, and are no part of the text. Says when there is more.`,
    input: z.object({
      path: z.string().min(1).describe('The file, from the workspace on.'),
      offset: z.coerce.number().int().min(1).default(1).describe('The first line to read.'),
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .max(10_000)
        .default(defaultLines)
        .describe('How many lines.'),
    }),
    otherNames: { path: pathNames },
    effect: 'read',
    async execute({ path, offset, limit }, { signal }): Promise<ReadResult> {
      const place = await workspace.readable(path)
      return {
        path: place.relativePath,
        offset,
        ...(await readLines(place, { offset, limit }, signal)),
      }
    },
    readsFiles: ({ path }) => [path],
    present: renderRead,
  })
}

function renderRead({ lines, offset, totalLines, note, path }: ReadResult): string {
  const last = offset + lines.length - 1
  const notes = note === undefined ? [] : [`(${note})`]
  if (totalLines === 0) return [`(${path} is empty)`, ...notes].join('\n')
  if (lines.length === 0)
    return [`(${path} has ${totalLines ?? 'fewer'} lines, none from ${offset} on)`, ...notes].join(
      '\n',
    )
  if (totalLines === null) notes.push(`(read on with offset ${last + 1}, if there is more)`)
  else if (last < totalLines)
    notes.push(`(lines ${offset} to ${last} of ${totalLines}; read on with offset ${last + 1})`)
  return [...lines, ...notes].join('\n')
}

const maxCharacters = 60_000

const chunkBytes = 1_048_576

/**
 * Reads a range of lines. Large files are only read up to its end.
 * @throws `tool_failed` if the file is not text; the signal's reason when aborted
 */
async function readLines(
  place: WorkspacePath,
  range: LineRange,
  signal: AbortSignal,
): Promise<ReadLines> {
  return withRegularFile(place, async (file) => {
    const { size } = file.status
    const isWhole = size <= maxEditedBytes
    const bytes = isWhole
      ? await file.read(size)
      : await readLineBytes(file, range, { place, signal })
    const { text, note } = decodeText(bytes, place)
    const all = splitLines(text)
    const first = isWhole ? range.offset - 1 : 0
    const wanted = all.slice(first, first + range.limit)
    const lines = limitSize(
      wanted.map((line, index) => formatLine(range.offset + index, line.text)),
    )
    return {
      lines,
      totalLines: isWhole ? all.length : null,
      sizeBytes: bytes.length > size ? bytes.length : size,
      ...(isWhole ? { hash: sha256(bytes) } : {}),
      ...(note === undefined ? {} : { note }),
    }
  })
}

/** As many of the lines as a model is shown at once. */
function limitSize(lines: readonly string[]): readonly string[] {
  let characters = 0
  const end = lines.findIndex((line, index) => {
    characters += line.length + 1
    return index > 0 && characters > maxCharacters
  })
  return end === -1 ? lines : lines.slice(0, end)
}

function decodeText(
  bytes: Uint8Array,
  { relativePath }: WorkspacePath,
): { text: string; note?: string } {
  if (bytes[0] === 0xff && bytes[1] === 0xfe)
    return {
      text: new TextDecoder('utf-16le').decode(bytes),
      note: 'It is UTF-16; it cannot be edited.',
    }
  const read = readCodeText(bytes)
  if (read === 'binary') return failForBytes(bytes, relativePath)
  if (read !== 'encoding') return { text: read.text }
  if (detectImage(bytes) !== undefined) return failForBytes(bytes, relativePath)
  const text = new TextDecoder('windows-1252').decode(bytes)
  return { text, note: 'It is no UTF-8, and shown as Windows-1252; it cannot be edited.' }
}

const imageStarts: Readonly<Record<string, readonly number[]>> = {
  PNG: [0x89, 0x50, 0x4e, 0x47],
  JPEG: [0xff, 0xd8, 0xff],
  GIF: [0x47, 0x49, 0x46, 0x38],
  WebP: [0x52, 0x49, 0x46, 0x46],
  BMP: [0x42, 0x4d],
}

function detectImage(bytes: Uint8Array): string | undefined {
  const isStart = (start: readonly number[]) => start.every((byte, at) => bytes[at] === byte)
  return Object.entries(imageStarts).find(([, start]) => isStart(start))?.[0]
}

function failForBytes(bytes: Uint8Array, relativePath: string): never {
  const kind = detectImage(bytes)
  if (kind !== undefined)
    failCall(
      `${shownPath(relativePath)} is an image (${kind}).`,
      'Images are not read. Ask the person what is in it.',
    )
  return failCall(
    `${shownPath(relativePath)} is not text (${bytes.length} bytes).`,
    'Look at it with a program.',
  )
}

/** The bytes of a range of lines, without those before and after it. */
async function readLineBytes(
  { read }: OpenedFile,
  { offset, limit }: LineRange,
  { place, signal }: { readonly place: WorkspacePath; readonly signal: AbortSignal },
): Promise<Uint8Array> {
  const kept: Buffer[] = []
  let keptBytes = 0
  let line = 1
  for (let position = 0; line < offset + limit && keptBytes < maxEditedBytes; ) {
    signal.throwIfAborted()
    const chunk = await read(chunkBytes, position)
    if (chunk.length === 0) break
    position += chunk.length
    // A hole in a sparse file may be larger than any disk.
    const isHole = chunk[0] === 0 && chunk.subarray(1).equals(chunk.subarray(0, -1))
    if (isHole) failForBytes(chunk, place.relativePath)
    const found = findLinePart(chunk, line, { offset, limit })
    line = found.line
    if (found.part.length > 0) kept.push(found.part)
    keptBytes += found.part.length
  }
  return dropHalfCharacter(Buffer.concat(kept))
}

/** The part of a chunk within the range, and the line in which the chunk ends. */
function findLinePart(chunk: Buffer, firstLine: number, { offset, limit }: LineRange) {
  let line = firstLine
  let start = line >= offset ? 0 : chunk.length
  let end = chunk.length
  for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) {
    line++
    if (line === offset) start = at + 1
    if (line < offset + limit) continue
    end = at + 1
    break
  }
  return { line, part: chunk.subarray(start, Math.max(start, end)) }
}

/** A line too long to be read completely may be cut within a character. */
function dropHalfCharacter(bytes: Buffer): Buffer {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] as number
    if (byte < 0x80) return bytes
    if (byte < 0xc0) continue
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    return needed > back ? bytes.subarray(0, bytes.length - back) : bytes
  }
  return bytes
}
