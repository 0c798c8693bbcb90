import type { CslItem, SourceId } from '../../citations/source.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import { type Json, type JsonObject, sha256 } from '../../kernel/json.ts'
import type { Library } from '../../retrieval/library.ts'
import type { Document, Section } from '../../sources/document.ts'
import { passagesPerRead, toFoundPassage } from '../library/library-tools.ts'

/** Where reading a document starts. */
export interface ReadingStart {
  /** Selects the passages that match this best, in place of the first ones. */
  readonly about?: string | undefined
  /** Starts at the section with this heading. */
  readonly section?: string | undefined
}

/**
 * Stores a document as a snapshot in the library, for this run, and returns its first or the requested passages. A page
 * with the same bytes as before is the same source.
 */
export async function keepDocument(
  library: Library,
  document: Document,
  url: string,
  start: ReadingStart,
): Promise<JsonObject> {
  await library.addAll([{ document, path: url, isListed: false }])
  return readKept(library, document.contentHash, start)
}

/** The passages of a source in the library. */
export async function readKept(
  library: Library,
  sourceId: SourceId,
  { about, section }: ReadingStart,
): Promise<JsonObject> {
  const source = await library.source(sourceId)
  if (source === undefined)
    throw new ScholiumError('tool_failed', 'The source is no longer in the library.')
  const passages = await library.passages(sourceId)
  const title = source.title
  if (about !== undefined) {
    const request = { query: about, limit: passagesPerRead, sourceIds: [sourceId] }
    const hits = await library.search(request)
    const shown = hits.map(({ passage }) => toFoundPassage(passage, source))
    if (shown.length > 0) return { title, passages: shown, passagesInAll: passages.length }
  }
  const wanted = section?.trim().toLowerCase()
  const at = passages.findIndex((passage) => passage.section?.toLowerCase() === wanted)
  if (wanted !== undefined && at < 0) {
    const headings = [...new Set(passages.flatMap((passage) => passage.section ?? []))]
    throw new ScholiumError('tool_failed', `There is no section "${section}".`, {
      hint: `Sections: ${headings.slice(0, 60).join(', ') || 'none'}.`,
    })
  }
  const from = wanted === undefined ? 0 : at
  const shown = passages.slice(from, from + passagesPerRead)
  return {
    title,
    passages: shown.map((passage) => toFoundPassage(passage, source)) as unknown as Json,
    passagesLeft: passages.length - from - shown.length,
  }
}

/** A text without a file, as a document under the hash of its text. */
export function textDocument(
  text: string,
  about: { readonly title: string; readonly csl: CslItem; readonly sections?: readonly Section[] },
): Document {
  const bytes = new TextEncoder().encode(text)
  const contentHash = sha256(bytes)
  const { title, csl, sections = [] } = about
  return {
    contentHash,
    kind: 'text',
    sizeBytes: bytes.length,
    title,
    text,
    pages: [],
    sections,
    csl: { ...csl, id: contentHash },
    notes: [],
  }
}
