import { basename, extname } from 'node:path'
import type { SourceId } from '../../citations/source.ts'
import { hashJson, type Json, sha256 } from '../../kernel/json.ts'
import type { Library } from '../../retrieval/library.ts'
import { readContentWords } from '../../retrieval/words.ts'
import type { Document, Unreadable } from '../../sources/document.ts'
import type { DocumentReader } from '../../sources/files/worker/document-reader.ts'
import { readBytesDocument } from '../../sources/read-bytes.ts'
import { readWholeFile } from '../../sources/read-file.ts'
import { loadTokenCounter, type TokenCounter } from '../../team/count-tokens.ts'
import type { Paper, PaperReader, PaperReading } from '../paper.ts'
import { displayName } from '../places/normalize-paper.ts'
import { findAbstract, findReferences, type PaperLayout, readLayout } from './paper-structure.ts'
import { type ChunkSource, cutChunks, cutVersion, placeChunks } from './split-chunks.ts'
import { noCache, type WorkCache } from './work-cache.ts'

/** What papers are read with. */
export interface PaperReaderParts {
  readonly library: Pick<Library, 'addAll' | 'source' | 'text' | 'passages'>
  readonly reader: DocumentReader
  /** Caches the chunk boundaries; without it, every paper is split again. */
  readonly cache?: WorkCache
}

type About = Pick<Paper, 'title' | 'csl' | 'url'>

/**
 * Creates a reader that adds papers to the library, unlisted. A file that the library already has is only split into
 * chunks; the result is the same as after reading it. Errors of the library are passed on.
 */
export function createPaperReader({
  library,
  reader,
  cache = noCache,
}: PaperReaderParts): PaperReader {
  const counting = loadOnce(loadTokenCounter)
  const cut = async (
    sourceId: SourceId,
    { wanted = '', notes }: { wanted?: string; notes?: readonly string[] } = {},
  ): Promise<PaperReading> => {
    const source = await library.source(sourceId)
    const text = await library.text(sourceId)
    if (source === undefined || text === undefined) return notInLibrary()
    const layout = readLayout(await library.passages(sourceId))
    const references = findReferences(text, layout)
    const chunkSource = { sourceId, text, layout, references: references?.span }
    const cuts = await cache.getOrCompute(
      'cuts',
      sourceId,
      cutDependencies(chunkSource),
      async () => cutChunks(chunkSource, await counting()),
    )
    const pageCount = source.pageCount ?? 0
    return {
      ok: true,
      sourceId,
      title: isFileName(source.title, source.path) ? '' : source.title,
      authors: (source.csl.author ?? []).map(displayName),
      csl: source.csl,
      abstract: findAbstract(text, layout),
      pageCount,
      sections: layout.sections.map(({ start: _start, ...section }) => section),
      referenceCount: references?.entries.length ?? 0,
      chunks: placeChunks(chunkSource, cuts),
      notes: [
        ...(notes ?? describePagesWithoutText(layout, pageCount)),
        ...findDoubts(text, wanted),
      ],
    }
  }
  return {
    async readFile(file, about, signal) {
      const { path } = file
      const bytes = await readWholeFile(file, { signal })
      if (!(bytes instanceof Uint8Array)) return toRefusal(bytes)
      const sourceId = sha256(bytes)
      const wanted = isFileName(about.title, path) ? '' : about.title
      if ((await library.source(sourceId)) !== undefined) return cut(sourceId, { wanted })
      const outcome = await readBytesDocument(bytes, path, { signal, reader })
      if (!outcome.ok) return toRefusal(outcome.unreadable)
      const document = withRecord(outcome.document, path, about)
      await library.addAll([{ document, path, isListed: false }])
      return cut(sourceId, { wanted, notes: document.notes })
    },
    readSource: (sourceId) => cut(sourceId),
  }
}

function loadOnce(load: () => Promise<TokenCounter>): () => Promise<TokenCounter> {
  let loading: Promise<TokenCounter> | undefined
  return () => {
    loading ??= load()
    return loading
  }
}

/** All inputs that determine the chunks of a source. */
function cutDependencies({ text, layout, references }: ChunkSource): Json {
  const lies = hashJson([layout, references ?? null])
  return { version: cutVersion, text: sha256(text), lies }
}

/**
 * A document with the record of the search that found it, which is more reliable than the file; but a title in the file
 * wins.
 */
function withRecord(document: Document, path: string, about: About): Document {
  const { id: _id, type, title: recorded = '', ...record } = about.csl
  const isKnown = (title: string) => title !== '' && !isFileName(title, path)
  const csl = {
    ...document.csl,
    ...(about.url === undefined ? {} : { URL: about.url }),
    ...record,
    ...(isKnown(recorded) ? { title: recorded } : {}),
    ...(type === 'document' ? {} : { type }),
  }
  const isTitled = isKnown(document.title) || !isKnown(about.title)
  return { ...document, title: isTitled ? document.title : about.title, csl }
}

/** Whether a title is only the file name, which the reader gives if it finds no title. */
function isFileName(title: string, path: string | undefined): boolean {
  return path !== undefined && title === basename(path, extname(path))
}

/** Where in a text the expected title is looked for, and the minimum share of its words that must occur. */
const frontUnits = 6_000
const minTitleShare = 0.5

/** A note if the start of a text does not show the title it was downloaded for. */
function findDoubts(text: string, wanted: string): readonly string[] {
  const words = readContentWords(wanted)
  if (words.length === 0) return []
  const said = new Set(readContentWords(text.slice(0, frontUnits)))
  const found = words.filter((word) => said.has(word)).length
  if (found >= minTitleShare * words.length) return []
  return [`its first pages do not contain the title “${wanted}”: it may be a different paper`]
}

function describePagesWithoutText({ pages }: PaperLayout, pageCount: number): readonly string[] {
  const known = new Set(pages.map(({ page }) => page))
  const missing = Array.from({ length: pageCount }, (_, index) => index + 1)
  const without = missing.filter((page) => !known.has(page))
  if (without.length === 0) return []
  return [`${without.length} of ${pageCount} pages have no text, starting with page ${without[0]}`]
}

function toRefusal({ reason, detail, hint }: Unreadable): PaperReading {
  return { ok: false, reason, detail, hint }
}

function notInLibrary(): PaperReading {
  const hint = 'Add the file again.'
  return { ok: false, reason: 'not_found', detail: 'The library does not have it.', hint }
}
