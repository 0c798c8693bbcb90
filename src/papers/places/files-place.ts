import { basename, extname } from 'node:path'
import type { SourceId } from '../../citations/source.ts'
import { hashWhole, withFile } from '../../files/opened.ts'
import type { Library } from '../../retrieval/library.ts'
import { detectFileKind, isZip, sniffedBytes } from '../../sources/file-kind.ts'
import { type ListedFile, listFiles, pathRuleFor } from '../../sources/list-files.ts'
import { readPaths } from '../../sources/read-files.ts'
import type { Paper, PaperPlace, PaperQuery, PlaceOutcome } from '../paper.ts'
import { wantedCategory } from './category-fields.ts'
import { fileId, paperFromSource, toPaper } from './normalize-paper.ts'

const name = 'files'
/** Maximum number of files. */
const maxFiles = 1_000
/** Maximum number of search results. */
const maxHits = 100
const maxNamed = 5
/** Maximum size of a file that is read. */
const maxFileBytes = 100_000_000
const paperKinds: readonly string[] = ['pdf', 'markdown', 'text', 'html']
const packedEndings: readonly string[] = ['.docx', '.epub']

/** Given files and folders. */
export interface FilesPlaceSettings {
  /** Absolute paths. */
  readonly paths: readonly string[]
  /** No file outside this folder is read, even through links; absent: files found in a folder must be inside that folder. */
  readonly within?: string
  /** Knows files read earlier; files that must be read to choose among them are added to it, unlisted. */
  readonly library: Library
}

/**
 * Papers in files and folders. If there are no more than requested, all of them, unread. Otherwise the files that match
 * the query best; for that, new files are read into the library.
 */
export function filesPlace(settings: FilesPlaceSettings): PaperPlace {
  return { name, search: (query, signal) => searchFiles(settings, query, signal) }
}

/** A file with the hash of its bytes. */
interface HashedFile extends ListedFile {
  readonly id: SourceId
}

async function searchFiles(
  { paths, within, library }: FilesPlaceSettings,
  wanted: PaperQuery,
  signal: AbortSignal,
): Promise<PlaceOutcome> {
  const options = { signal, maxFiles, ...(within === undefined ? {} : { within }) }
  const { files, passedOver } = await listFiles(paths, options)
  const lost = passedOver.filter(({ isLoss }) => isLoss).map(({ path, why }) => `${path}: ${why}.`)
  const { hashed, unopened, others } = await hashPapers(files, signal)
  const troubles = [...lost, ...unopened].slice(0, maxNamed)
  if (hashed.length === 0) return noPapers(paths, troubles, otherNotes(others))
  const isAll = hashed.length <= wanted.limit
  const chosen = isAll
    ? { files: hashed, notes: [] }
    : await chooseFiles(library, hashed, wanted, signal)
  const papers = await Promise.all(chosen.files.map((file) => paperFromFile(library, file)))
  const notes = [...troubles, ...otherNotes(others), ...chosen.notes, ...categoryNotes(wanted)]
  return { ok: true, papers, ...(notes.length === 0 ? {} : { notes }) }
}

/** The files that may be papers, each content once; why others could not be opened; and files that are not papers. */
async function hashPapers(
  files: readonly ListedFile[],
  signal: AbortSignal,
): Promise<{
  readonly hashed: readonly HashedFile[]
  readonly unopened: readonly string[]
  readonly others: readonly string[]
}> {
  const found = new Map<SourceId, HashedFile>()
  const unopened: string[] = []
  const others: string[] = []
  for (const file of files) {
    const { path } = file
    signal.throwIfAborted()
    try {
      const id = await paperHash(file)
      if (id === undefined) others.push(path)
      else if (!found.has(id)) found.set(id, { ...file, id })
    } catch (error) {
      unopened.push(`${path} could not be opened: ${(error as Error).message}.`)
    }
  }
  return { hashed: [...found.values()], unopened, others }
}

/** The hash of a file that may be a paper; `undefined` for others. */
function paperHash(listed: ListedFile): Promise<SourceId | undefined> {
  const { path } = listed
  return withFile(path, pathRuleFor(listed), async (file) => {
    const start = await file.read(Math.min(file.status.size, sniffedBytes))
    const mayBePaper = isZip(start)
      ? packedEndings.includes(extname(path).toLowerCase())
      : start.length > 0 && paperKinds.includes(detectFileKind(start, path).kind)
    if (!mayBePaper) return undefined
    return (await hashWhole(file, maxFileBytes)) as SourceId
  })
}

/** Chooses the files that match the query best; new files are read into the library, unlisted. */
async function chooseFiles(
  library: Library,
  files: readonly HashedFile[],
  { query, limit }: PaperQuery,
  signal: AbortSignal,
): Promise<{ readonly files: readonly HashedFile[]; readonly notes: readonly string[] }> {
  const unread = await readUnknown(library, files, signal)
  const readable = files.filter(({ id }) => !unread.has(id))
  const sourceIds = readable.map(({ id }) => id)
  const hits = await library.search({ query, limit: maxHits, perSource: 1, sourceIds })
  const ranked = hits.flatMap(({ source }) => readable.filter(({ id }) => id === source.id))
  // The user named these files, so those without a word of the query come last, but are included.
  const silent = readable
    .filter((file) => !ranked.includes(file))
    .slice(0, Math.max(0, limit - ranked.length))
  const notes = [
    `Of ${files.length} files, the best matches for the query were chosen.`,
    ...[...unread.values()].slice(0, maxNamed),
    ...(silent.length === 0 ? [] : [silentNote(silent)]),
  ]
  return { files: [...ranked, ...silent].slice(0, limit), notes }
}

function silentNote(files: readonly HashedFile[]): string {
  const named = files.slice(0, maxNamed).map(({ path }) => basename(path))
  return `No word of the query occurs in ${named.join(', ')}${files.length > maxNamed ? ' and others' : ''}.`
}

/** Reads files the library does not have; returns why some could not be read, by hash. */
async function readUnknown(
  library: Library,
  files: readonly HashedFile[],
  signal: AbortSignal,
): Promise<ReadonlyMap<SourceId, string>> {
  const unknown = new Map<string, HashedFile>()
  for (const file of files) {
    if ((await library.source(file.id)) === undefined) unknown.set(file.path, file)
  }
  const unread = new Map<SourceId, string>()
  for await (const outcome of readPaths([...unknown.values()], { signal })) {
    const { path } = outcome
    if (outcome.ok === true) {
      await library.addAll([{ document: outcome.document, path, isListed: false }])
    } else if (outcome.ok === false) {
      const id = unknown.get(path)?.id
      if (id !== undefined) unread.set(id, `${path}: ${outcome.unreadable.detail}`)
    }
  }
  return unread
}

/** A paper from the library's record, else from the file name. Its id does not change when it is read. */
async function paperFromFile(library: Library, { id, ...file }: HashedFile): Promise<Paper> {
  const { path } = file
  const source = await library.source(id)
  if (source !== undefined) return { ...paperFromSource(source, name), id: fileId(id), ...file }
  const title =
    basename(path, extname(path))
      .replace(/[_\s]+/g, ' ')
      .trim() || basename(path)
  const item = { id: fileId(id), type: 'document', title }
  return { ...(toPaper(item, { place: name, ownId: fileId(id) }) as Paper), ...file }
}

/** If nothing could be opened, a failure; else an empty result. */
function noPapers(
  paths: readonly string[],
  troubles: readonly string[],
  notes: readonly string[],
): PlaceOutcome {
  const detail = `There are no papers in ${paths.join(', ')}.`
  if (troubles.length === 0) return { ok: true, papers: [], notes: [detail, ...notes] }
  const hint = 'Give PDFs, or a folder with PDFs, Word documents, EPUB, HTML, Markdown or text.'
  return { ok: false, reason: 'not_found', detail: `${detail} ${troubles.join(' ')}`, hint }
}

function otherNotes(others: readonly string[]): readonly string[] {
  if (others.length === 0) return []
  const named = others.slice(0, maxNamed).map((path) => basename(path))
  const more = others.length > named.length ? ' and more' : ''
  return [`Skipped, because they are not papers: ${named.join(', ')}${more}.`]
}

function categoryNotes(wanted: PaperQuery): readonly string[] {
  return wantedCategory(wanted) === undefined ? [] : ['Files have no category.']
}
