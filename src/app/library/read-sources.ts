import { existsSync, statSync } from 'node:fs'
import { basename, dirname, extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ReadSources, SourcePaths } from '../../ask/team.ts'
import type { SourceId } from '../../citations/source.ts'
import { cutText } from '../../kernel/text/cut-text.ts'
import type { Library } from '../../retrieval/library.ts'
import type { DocumentReader } from '../../sources/files/worker/document-reader.ts'
import type { KnownFiles } from '../../sources/known-files.ts'
import { listFiles, type SkippedPath } from '../../sources/list-files.ts'
import { readPaths } from '../../sources/read-files.ts'
import type { PathOutcome } from '../../sources/read-tasks.ts'
import { picturesAmong } from './read-pictures.ts'

/** The outcome of adding a file, or a member of an archive (`papers.zip/a.pdf`). */
export type AddedFile =
  | {
      readonly path: string
      readonly outcome: 'added' | 'unchanged' | 'updated'
      readonly sourceId: SourceId
      readonly title: string
      readonly notes: readonly string[]
      /** The path under which the same bytes are already in the library. */
      readonly sameAs?: string
    }
  | {
      readonly path: string
      readonly outcome: 'refused'
      readonly reason: string
      readonly detail: string
      readonly hint: string
    }
  | ({ readonly outcome: 'passed_over' } & SkippedPath)

/** How to add files. */
export interface AddOptions {
  readonly signal?: AbortSignal
  /** Whether all questions search them, or only runs that name them. */
  readonly isListed: boolean
  /** Whether titles are never the names of files: who has the same file would learn them. Default false. */
  readonly isPrivate?: boolean
  /** What the process has read before. */
  readonly known?: KnownFiles
  /**
   * The only folder in which files are read, except hidden ones, whatever links say. Default: each folder that is
   * named.
   */
  readonly within?: string
  /** Reads the files. Default: a reader for this call only. */
  readonly reader?: DocumentReader
}

const batchSize = 16

/**
 * Adds files and folders to the library, and reports each file in the order of paths. A bad file never stops the
 * others.
 */
export async function* addPaths(
  library: Library,
  paths: readonly string[],
  options: AddOptions,
): AsyncGenerator<AddedFile> {
  const { isListed, isPrivate = false, ...reading } = options
  const { files, passedOver } = await listFiles(paths, reading)
  for (const left of passedOver) yield { outcome: 'passed_over', ...left }
  const adding: Adding = { library, isListed, firstPaths: new Map() }
  const archives = new Archives(files.map(({ path }) => path))
  let batch: PathOutcome[] = []
  for await (const found of readPaths(files, reading)) {
    const read = isPrivate ? withoutNameAsTitle(found) : found
    archives.see(read)
    batch.push(read)
    if (batch.length < batchSize) continue
    yield* await addBatch(adding, batch)
    batch = []
  }
  yield* await addBatch(adding, batch)
  if (isListed) yield* await unlistGone(library, archives)
}

const maxTitleChars = 80

/** A document that has no title but its file's name, with its first line as title. */
function withoutNameAsTitle(read: PathOutcome): PathOutcome {
  if (read.ok !== true) return read
  const { document, path } = read
  const { title, text, kind, csl } = document
  if (title !== basename(path, extname(path))) return read
  const first = cutText(text.trimStart().split('\n', 1)[0]?.trim() ?? '', maxTitleChars) || kind
  return { ...read, document: { ...document, title: first, csl: { ...csl, title: first } } }
}

interface Adding {
  readonly library: Library
  readonly isListed: boolean
  /** The first path of each source. */
  readonly firstPaths: Map<SourceId, string>
}

async function addBatch(
  adding: Adding,
  batch: readonly PathOutcome[],
): Promise<readonly AddedFile[]> {
  const { library, isListed } = adding
  const readable = batch.flatMap((read) =>
    read.ok ? [{ document: read.document, path: read.path, isListed }] : [],
  )
  const outcomes = await library.addAll(readable)
  const paths = new Set(readable.map(({ path }) => path))
  const added: AddedFile[] = []
  let next = 0
  for (const read of batch) {
    const { path } = read
    if (read.ok === undefined)
      added.push({ outcome: 'passed_over', path, why: read.why, isLoss: read.isLoss })
    else if (!read.ok) added.push({ path, outcome: 'refused', ...read.unreadable })
    else {
      const { contentHash: sourceId, title, notes } = read.document
      const outcome = outcomes[next++] as 'added'
      const same = await samePath(adding, sourceId, path, paths)
      const sameAs = same === undefined ? {} : { sameAs: same }
      added.push({ path, outcome, sourceId, title, notes, ...sameAs })
    }
  }
  return added
}

/** Another existing path of the same source; a missing one is no longer searched or cited. */
async function samePath(
  { library, isListed, firstPaths }: Adding,
  id: SourceId,
  path: string,
  batch: ReadonlySet<string>,
): Promise<string | undefined> {
  const first = firstPaths.get(id)
  if (first !== undefined) return first === path ? undefined : first
  firstPaths.set(id, path)
  const known = (await library.source(id))?.path
  // Of two files added together, only the later one is reported as a duplicate.
  if (known === undefined || batch.has(known)) return undefined
  if (!isGone(known)) return known
  if (isListed) await library.unlist(known)
  return undefined
}

/** Whether a path no longer exists; a member of an archive exists as long as the archive. */
function isGone(path: string): boolean {
  for (let place = path; ; place = dirname(place)) {
    if (existsSync(place)) return place !== path && statSync(place).isDirectory()
    if (place === dirname(place)) return true
  }
}

/** Former members of an archive are no longer searched. */
async function unlistGone(library: Library, archives: Archives): Promise<readonly AddedFile[]> {
  const gone: AddedFile[] = []
  for (const [archive, members] of archives.whole()) {
    for (const path of await library.unlist(archive, members)) {
      const why = 'it is no longer in its archive, and is no longer searched'
      gone.push({ outcome: 'passed_over', path, why, isLoss: false })
    }
  }
  return gone
}

/** The folder of the sample library in the package. */
export const sampleFolder = fileURLToPath(new URL('../../../samples/library', import.meta.url))

/** How a question's own files are read. */
export interface ReadSourcesOptions extends Pick<AddOptions, 'known' | 'within' | 'reader'> {
  /** Whether a path is a folder whose files were added before, so that they are not read again. Default: none is. */
  readonly isAdded?: (path: string) => boolean
}

/** Reads a question's own files; if there are none and the library is empty, the sample library is used. */
export async function readSources(
  library: Library,
  given: readonly string[],
  signal: AbortSignal,
  { isAdded = () => false, ...options }: ReadSourcesOptions = {},
): Promise<ReadSources> {
  const isSample = given.length === 0 && (await library.list()).length === 0
  const paths = given.filter((path) => !isAdded(path))
  const read = new Map<SourceId, string>()
  for (const folder of given.filter(isAdded))
    for (const { id, path = '' } of await library.list({ folder })) read.set(id, path)
  const gaps: ReadSources['gaps'][number][] = []
  const notes = new Map<SourceId, ReadSources['gaps']>()
  const { within, ...others } = options
  for await (const added of addPaths(library, isSample ? [sampleFolder] : paths, {
    ...others,
    // The sample library is part of the package, elsewhere.
    ...(isSample || within === undefined ? {} : { within }),
    signal,
    isListed: false,
  })) {
    if (!('sourceId' in added)) gaps.push(...toGap(added))
    else if (!read.has(added.sourceId)) {
      read.set(added.sourceId, added.path)
      notes.set(added.sourceId, collectNotes(added))
    }
  }
  const ids = [...read.keys()]
  const pictures = await picturesAmong(library, ids)
  // Pictures are reported where models are shown them.
  for (const id of pictures) notes.delete(id)
  const sourcePaths = isSample ? {} : await otherPaths(library, read)
  return {
    sourceIds: ids,
    gaps: [...gaps, ...[...notes.values()].flat()],
    isSample,
    ...(pictures.length === 0 ? {} : { pictures }),
    ...(Object.keys(sourcePaths).length === 0 ? {} : { sourcePaths }),
  }
}

/** Paths of sources that the library has at another path. */
async function otherPaths(
  library: Library,
  read: ReadonlyMap<SourceId, string>,
): Promise<SourcePaths> {
  const other: [SourceId, string][] = []
  for (const [id, path] of read)
    if ((await library.source(id))?.path !== path) other.push([id, path])
  return Object.fromEntries(other)
}

function collectNotes({
  path,
  notes,
}: Extract<AddedFile, { sourceId: SourceId }>): ReadSources['gaps'] {
  return notes.map((detail) => ({ kind: 'source_note', detail, source: path }))
}

/** What could not be read is a gap in the answer; what is left out on purpose is not. */
function toGap(added: Exclude<AddedFile, { sourceId: SourceId }>): ReadSources['gaps'] {
  const source = added.path
  if (added.outcome === 'refused')
    return [{ kind: 'unreadable_source', detail: `${added.detail} ${added.hint}`, source }]
  return added.isLoss
    ? [{ kind: 'unreadable_source', detail: `Not read: ${added.why}.`, source }]
    : []
}

/** The members seen of each archive. */
class Archives {
  private readonly files: ReadonlySet<string>
  private readonly members = new Map<string, string[]>()
  private readonly incomplete = new Set<string>()

  /** @param files the paths to read, some of them archives */
  constructor(files: readonly string[]) {
    this.files = new Set(files)
  }

  /** Records what was read, in any order. */
  see(read: PathOutcome): void {
    let archive = dirname(read.path)
    while (!this.files.has(archive)) {
      if (archive === dirname(archive)) return
      archive = dirname(archive)
    }
    const known = this.members.get(archive)
    if (known === undefined) this.members.set(archive, [read.path])
    else known.push(read.path)
    if (read.ok === undefined && read.isLoss) this.incomplete.add(archive)
  }

  /** The archives all of whose members were seen. */
  whole(): readonly (readonly [archive: string, members: readonly string[]])[] {
    return [...this.members].filter(([archive]) => !this.incomplete.has(archive))
  }
}
