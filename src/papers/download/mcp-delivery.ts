import { realpath } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isRecord } from '../../bibliography/csl-item.ts'
import { FileRefused, insideOf, readWhole } from '../../files/opened.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { findJson } from '../../kernel/text/json-from-text.ts'
import { toLine } from '../../sources/lookup/values.ts'
import type { McpResult } from '../../tools/mcp/tool-result.ts'
import { mcpPlaceName } from '../places/mcp-place.ts'
import { callServerTool, findFailure, type PaperServerSettings } from '../places/mcp-server.ts'
import type { DeliveredFile, PaperDelivery } from './paper-files.ts'
import { isPdf } from './pdf-check.ts'

/** A shorter text is an answer about a paper, not the paper. */
const minTextChars = 1_000
const maxFileBytes = 100_000_000

/** Files of the papers an MCP server found, through its `download_paper(paper_id)`. */
export function mcpDelivery(settings: PaperServerSettings): PaperDelivery {
  return {
    name: `MCP server "${settings.server}"`,
    identity: `mcp:${settings.identity}`,
    delivers: ({ arxivId, foundBy }) => arxivId !== undefined && foundBy.includes(mcpPlaceName),
    async deliver({ arxivId = '' }, signal) {
      const input = { paper_id: arxivId }
      const answer = await callServerTool(settings, 'download_paper', () => input, signal)
      return answer.ok ? findFile(answer.result, settings) : answer
    },
  }
}

/** The file in a result: bytes in base64, text, or the path where the server stored it. */
async function findFile(
  result: McpResult,
  { server, folder }: PaperServerSettings,
): Promise<DeliveredFile> {
  const refuse = (reason: string, detail: string): DeliveredFile => ({
    ok: false,
    reason,
    detail: `MCP server "${server}": ${detail}`,
  })
  if (result.cut !== undefined) return refuse('too_large', result.cut)
  const records = findRecordsIn(result)
  const failure = records.map(findFailure).find((found) => found !== undefined)
  if (failure !== undefined) return refuse('tool_failed', failure)
  const texts = listTexts(result, records)
  const bytes = texts.map(decodePdf).find((found) => found !== undefined)
  if (bytes !== undefined) return { ok: true, bytes, kind: 'pdf' }
  const text = texts.find((one) => one.length >= minTextChars)
  if (text !== undefined) return { ok: true, bytes: new TextEncoder().encode(text), kind: 'md' }
  const path = [...texts, ...listLinks(result)].map(findPath).find((found) => found !== undefined)
  if (path !== undefined) return readNamed(path, folder, refuse)
  const said = toLine(texts.join(' '), 300) ?? 'nothing'
  return refuse('malformed', `it gave no file: ${said}`)
}

function findRecordsIn({
  content,
  structured,
}: McpResult): readonly Readonly<Record<string, unknown>>[] {
  const texts = content.flatMap(({ type, text }) => (type === 'text' ? [String(text ?? '')] : []))
  // A paper's text may contain JSON; an answer about a paper starts as JSON.
  const json = texts.filter((text) => /^\s*(?:```|\{)/.test(text)).flatMap((text) => findJson(text))
  const values: readonly unknown[] = [structured, ...json.map(({ value }) => value)]
  return values.filter(isRecord)
}

const fields = [
  ...['pdf_base64', 'content_base64', 'base64', 'data', 'blob', 'bytes'],
  ...['content', 'markdown', 'text', 'full_text', 'result'],
  ...['pdf_path', 'file_path', 'path', 'filepath', 'file', 'local_path', 'resource_uri', 'uri'],
]

/** All texts in a result; those in records in the order of their fields. */
function listTexts(
  { content }: McpResult,
  records: readonly Readonly<Record<string, unknown>>[],
): readonly string[] {
  const inBlocks = content.flatMap(({ text, data }: JsonObject) => [data, text])
  const inRecords = records.flatMap((record) =>
    fields.map((name) => (Object.hasOwn(record, name) ? record[name] : undefined)),
  )
  const isTold = records.length > 0
  return [...inRecords, ...(isTold ? [] : inBlocks)].filter((text) => typeof text === 'string')
}

function listLinks({ content }: McpResult): readonly string[] {
  return content.flatMap(({ uri }) => (typeof uri === 'string' ? [uri] : []))
}

/** Decodes a PDF in base64. */
function decodePdf(text: string): Uint8Array | undefined {
  const base64 = text.replace(/^data:application\/pdf;base64,/i, '').replace(/\s+/g, '')
  if (!/^[A-Za-z0-9+/_-]{40,}={0,2}$/.test(base64)) return undefined
  const bytes = Buffer.from(base64, 'base64')
  return isPdf(bytes) ? bytes : undefined
}

/** An absolute path or `file:` address, alone or at the end of a sentence. */
function findPath(text: string): string | undefined {
  const line = text.trim()
  if (line.length > 2_000) return undefined
  const found =
    /(?:file:\/\/\S+|(?:\/|[A-Z]:\\)[^\n"'<>|]*?\.(?:pdf|md|txt))(?=["')\].,\s]|$)/i.exec(line)?.[0]
  const path = found ?? (isAbsolute(line) && !line.includes('\n') ? line : undefined)
  if (path === undefined || !path.startsWith('file:')) return path
  try {
    return fileURLToPath(path)
  } catch {
    return undefined
  }
}

const absent = { kind: 'special', says: 'does not exist' } as const
const reasons: Partial<Readonly<Record<FileRefused['kind'], string>>> = {
  elsewhere: 'not_allowed',
  too_large: 'too_large',
}

/** Reads a file that the server names, if it really is in the configured folder. */
async function readNamed(
  path: string,
  folder: string | undefined,
  refuse: (reason: string, detail: string) => DeliveredFile,
): Promise<DeliveredFile> {
  if (folder === undefined) {
    return refuse('not_allowed', 'it returned a path, but no folder is configured for its files.')
  }
  let bytes: Buffer
  try {
    bytes = await readWhole(resolve(path), maxFileBytes, insideOf(await realpath(folder)))
  } catch (error) {
    const { kind, says } = error instanceof FileRefused ? error : absent
    return refuse(
      reasons[kind] ?? 'not_found',
      kind === 'elsewhere'
        ? 'the file is outside the folder configured for it.'
        : `the file that it names ${says}.`,
    )
  }
  if (isPdf(bytes)) return { ok: true, bytes, kind: 'pdf' }
  if (bytes.includes(0)) return refuse('not_pdf', 'the file is neither PDF nor text.')
  return { ok: true, bytes, kind: 'md' }
}
