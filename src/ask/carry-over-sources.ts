import type { PassageReference } from '../citations/claim.ts'
import type { Source, SourceId } from '../citations/source.ts'
import type { Library } from '../retrieval/library.ts'
import type { Gap } from '../team/gap.ts'
import type { Earlier, NamedFiles } from './earlier.ts'
import type { ReadSources, SourcePaths, TeamParts } from './team.ts'

/** The sources of a follow-up question. */
export type CarriedSources = ReadSources & {
  /** The earlier passages that still exist. */
  readonly passages: readonly PassageReference[]
}

/** Reads files in groups, each with the only folder in which its files are read. */
export type ReadFiles = (files: NamedFiles) => Promise<ReadSources>

/**
 * Reads a question's own files and those of earlier questions, and checks which earlier sources still exist. Their
 * snapshots are searched again, unless another source has replaced them. What has changed or is gone is a gap.
 */
export async function carryOverSources(
  { library }: Pick<TeamParts, 'library'>,
  earlier: Earlier,
  own: NamedFiles,
  readFiles: ReadFiles,
): Promise<CarriedSources> {
  const named = [...earlier.files, own].filter(({ paths }) => paths.length > 0)
  const read: ReadSources[] = []
  for (const files of named.length === 0 ? [own] : named) read.push(await readFiles(files))
  const now = [...new Set(read.flatMap(({ sourceIds }) => sourceIds))]
  const kept = await keepSources(library, earlier, now)
  const told = new Set(kept.gaps.map(({ source }) => source))
  const unread = read.flatMap(({ gaps }) => gaps).filter(({ source }) => !told.has(source))
  return {
    sourceIds: [...new Set([...now, ...kept.sourceIds])],
    gaps: [...unread, ...kept.gaps],
    sourcePaths: mergePaths(read),
    isSample: read.some(({ isSample }) => isSample),
    passages: await selectReadable(library, earlier.passages),
  }
}

/** Paths of sources; the last one named wins. */
export function mergePaths(read: readonly ReadSources[]): SourcePaths {
  return Object.assign({}, ...read.map(({ sourcePaths }) => sourcePaths))
}

async function keepSources(
  library: Library,
  earlier: Earlier,
  now: readonly SourceId[],
): Promise<Pick<ReadSources, 'sourceIds' | 'gaps'>> {
  const known = new Set(now)
  const left = earlier.sourceIds.filter((id) => !known.has(id))
  if (left.length === 0) return { sourceIds: [], gaps: [] }
  const listed = await library.list()
  const isListed = new Set(listed.map(({ id }) => id))
  const readNow = await Promise.all(now.map((id) => library.source(id)))
  const paths = new Set([...listed, ...readNow].flatMap((source) => source?.path ?? []))
  const sourceIds: SourceId[] = []
  const gaps: Gap[] = []
  for (const id of left) {
    const source = await library.source(id)
    const change = isListed.has(id) ? '' : describeChange(source, paths, earlier)
    if (source !== undefined && change !== changed) sourceIds.push(id)
    if (change !== '') gaps.push(changedSourceGap(id, source, change, earlier))
  }
  return { sourceIds, gaps }
}

const removed = 'it is no longer in the library and cannot be read again'
const changed = 'it has changed since and was read again'
const gone = 'it no longer exists, so the earlier snapshot is used'

/** How a source that is no longer read has changed; empty if it has not: a web page, or a sample. */
function describeChange(
  source: Source | undefined,
  paths: ReadonlySet<string>,
  { files }: Earlier,
) {
  if (source === undefined) return removed
  const { path } = source
  if (path === undefined || source.url !== undefined) return ''
  if (paths.has(path)) return changed
  const isNamed = files.some((named) => named.paths.some((one) => isWithin(path, one)))
  return isNamed ? gone : ''
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || (path.startsWith(folder) && /^[/\\]/.test(path.slice(folder.length)))
}

function changedSourceGap(
  id: SourceId,
  source: Source | undefined,
  change: string,
  { runId, citations }: Earlier,
): Gap {
  const minted = citations.find(({ sourceId }) => sourceId === id)
  const number =
    minted === undefined ? '' : ` The number [${minted.n}] refers to the earlier version.`
  return {
    kind: 'changed_source',
    detail: `Read for run ${runId}: ${change}.${number}`,
    source: source?.path ?? minted?.title ?? id,
  }
}

/** The passages whose text can be read again. */
async function selectReadable(
  library: Library,
  passages: readonly PassageReference[],
): Promise<readonly PassageReference[]> {
  const lengths = new Map<SourceId, number>()
  for (const { sourceId } of passages)
    if (!lengths.has(sourceId)) lengths.set(sourceId, (await library.text(sourceId))?.length ?? 0)
  return passages.filter(({ sourceId, end }) => end <= (lengths.get(sourceId) ?? 0))
}
