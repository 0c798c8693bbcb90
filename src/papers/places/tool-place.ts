import type { SourceId } from '../../citations/source.ts'
import type { Tool } from '../../kernel/agent/tool.ts'
import { type Json, type JsonObject, sha256 } from '../../kernel/json.ts'
import type { Library } from '../../retrieval/library.ts'
import { isRecord, toLine } from '../../sources/lookup/values.ts'
import { readBytesDocument } from '../../sources/read-bytes.ts'
import { toResult } from '../../tools/mcp/tool-result.ts'
import type { Paper, PaperPlace, PaperQuery, PlaceOutcome } from '../paper.ts'
import { wantedCategory } from './category-fields.ts'
import { selectPapers } from './mcp-place.ts'
import { findRecords } from './mcp-server.ts'
import { fileId, normalizePaper } from './normalize-paper.ts'

/** Maximum number of records that are looked at. */
const maxRecords = 200
/** Maximum length of a paper's text, in UTF-16 code units. */
const maxTextChars = 2_000_000

/**
 * A program's own tool as a place. It is called with those fields of {@link PaperQuery} that it has parameters for. A
 * record's `text` is the full text of the paper in Markdown; it becomes an unlisted source of the library.
 */
export function toolPlace(tool: Tool, library: Library): PaperPlace {
  return { name: tool.name, search: (query, signal) => searchTool(tool, library, query, signal) }
}

/** The full texts of a search, by the hash under which the library stores them. */
type Texts = Map<SourceId, Uint8Array>

async function searchTool(
  tool: Tool,
  library: Library,
  wanted: PaperQuery,
  signal: AbortSignal,
): Promise<PlaceOutcome> {
  const { name } = tool
  const parsed = tool.parse(toInput(tool, wanted))
  if (!parsed.ok) return failed(`${name} does not accept this search: ${parsed.reason}`)
  const run = { signal, key: `search/${name}`, emit: () => undefined }
  const records = toRecords(await tool.execute(parsed.value, run))
  if (typeof records === 'string') return failed(`${name} returned no papers. ${records}`)
  const texts: Texts = new Map()
  const papers = records.slice(0, maxRecords).flatMap((one) => toPaperOf(name, one, texts) ?? [])
  const selected = selectPapers(papers, records.length - papers.length, wanted)
  const notes = [...(selected.notes ?? [])]
  const stored: Paper[] = []
  for (const paper of selected.papers) {
    const problem = await storeText(paper, texts, library, signal)
    const { sourceId: _, ...withoutText } = paper
    stored.push(problem === undefined ? paper : withoutText)
    if (problem !== undefined) notes.push(`The text of "${paper.title}" is unreadable: ${problem}`)
  }
  return { ok: true, papers: stored, ...(notes.length === 0 ? {} : { notes }) }
}

/** What of the query the tool has parameters for. */
function toInput({ parameters }: Tool, wanted: PaperQuery): JsonObject {
  const { properties = {} } = parameters as { readonly properties?: JsonObject }
  const fields = { ...wanted, category: wantedCategory(wanted) }
  const given = Object.entries(fields).filter(
    ([name, value]) => value !== undefined && Object.hasOwn(properties, name),
  )
  return Object.fromEntries(given) as JsonObject
}

function failed(detail: string): PlaceOutcome {
  return { ok: false, reason: 'malformed', detail }
}

/** The records in a tool's output, or why it has none. */
function toRecords(output: Json): readonly unknown[] | string {
  if (Array.isArray(output)) return output
  const isText = typeof output === 'string'
  const found = findRecords(
    isText
      ? toResult({ content: [{ type: 'text', text: output }] })
      : { content: [], structured: output },
  )
  return found.ok ? found.entries : found.detail
}

/** A paper from a record. Without an arXiv id or a DOI, its text or its address identifies it. */
function toPaperOf(place: string, record: unknown, texts: Texts): Paper | undefined {
  if (!isRecord(record)) return undefined
  const text = typeof record.text === 'string' ? record.text.slice(0, maxTextChars).trim() : ''
  if (text === '') {
    const url = toLine(record.url, 2_000)
    const ownId = url === undefined ? undefined : `url:${sha256(url).slice(0, 16)}`
    return normalizePaper(record, place, ownId)
  }
  const bytes = new TextEncoder().encode(text)
  const sourceId: SourceId = sha256(bytes)
  const paper = normalizePaper(record, place, fileId(sourceId))
  if (paper === undefined) return undefined
  texts.set(sourceId, bytes)
  return { ...paper, sourceId }
}

/** Stores a paper's text in the library, unlisted; returns why it could not be read. */
async function storeText(
  { title, csl, url, foundBy, sourceId }: Paper,
  texts: Texts,
  library: Library,
  signal: AbortSignal,
): Promise<string | undefined> {
  const bytes = sourceId === undefined ? undefined : texts.get(sourceId)
  if (bytes === undefined) return undefined
  const path = url ?? `tool:${foundBy[0]}/${title.slice(0, 200)}`
  const outcome = await readBytesDocument(bytes, 'paper.md', { signal })
  if (!outcome.ok) return outcome.unreadable.detail
  const { id: _, ...record } = csl
  const document = { ...outcome.document, title, csl: { ...outcome.document.csl, ...record } }
  await library.addAll([{ document, path, isListed: false }])
  return undefined
}
