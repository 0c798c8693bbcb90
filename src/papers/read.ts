import type { MintedNumber } from '../citations/ledger.ts'
import type { CslItem, CslName, SourceId } from '../citations/source.ts'
import type { Patch } from '../graph/graph.ts'
import type { Failure } from '../kernel/errors.ts'
import type { Json } from '../kernel/json.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { createSemaphore, type Semaphore } from '../kernel/run/semaphore.ts'
import { omitUndefined } from '../sources/lookup/values.ts'
import { attempt, isRunLimit, mapInBranches } from './attempt.ts'
import type { DownloadOutcome, Paper, PaperReading } from './paper.ts'
import type { PapersParts } from './parts.ts'
import { paperFromSource } from './places/normalize-paper.ts'
import { emitPaperProgress } from './progress.ts'
import type { PapersState, StoredReading, UnreadPaper } from './state.ts'

/** Maximum number of parallel downloads and readings. */
const downloadsAtOnce = 4
const readingsAtOnce = 2

/** The outcome for one paper: its reading, or why there is none. */
type ReadOutcome =
  | { readonly ok: true; readonly reading: Extract<PaperReading, { ok: true }> }
  | { readonly ok: false; readonly why: Omit<UnreadPaper, 'paperId'>; readonly limit?: Failure }

/**
 * The reader: downloads and reads each paper that has no reading yet. Each download and reading is a step; a failure
 * affects that paper alone. Numbers are minted at the end, in the papers' order.
 */
export function readNode(parts: PapersParts) {
  return async (state: PapersState, context: RunContext): Promise<Patch<PapersState>> => {
    const turns = {
      download: createSemaphore(downloadsAtOnce),
      read: createSemaphore(readingsAtOnce),
    }
    const parallel = { name: 'paper', maxConcurrent: state.papers.length }
    const outcomes = await mapInBranches(context, state.papers, parallel, async (paper, branch) => {
      if (state.readings[paper.id] !== undefined) return undefined
      const outcome = await obtainPaper(parts, paper, branch, turns)
      emitOutcome(branch, paper, outcome)
      return outcome
    })
    return toPatch(state, outcomes)
  }
}

async function obtainPaper(
  parts: PapersParts,
  paper: Paper,
  context: RunContext,
  turns: { readonly download: Semaphore; readonly read: Semaphore },
): Promise<ReadOutcome> {
  const attempted = await attempt(async () => {
    if (paper.sourceId !== undefined || paper.path !== undefined)
      return turns.read(() => readOne(parts, paper, context, paper.path))
    const file = await turns.download(() => download(parts, paper, context))
    if (!file.ok) return { ok: false, why: { status: 'failed', reason: file.detail } } as const
    return turns.read(async () => readOne(parts, paper, context, undefined, file))
  })
  if (attempted.ok) return attempted.value
  const { failure } = attempted
  const why = { status: 'failed' as const, reason: failure.message }
  return { ok: false, why, ...(isRunLimit(failure, context) ? { limit: failure } : {}) }
}

async function download(
  parts: PapersParts,
  paper: Paper,
  context: RunContext,
): Promise<DownloadOutcome> {
  const { id, pdfUrl = null, arxivId = null } = paper
  emitPaperProgress(context, paper, 'downloading', { share: 0 })
  let reportedPercent = 0
  const downloaded = await context.step(
    'download',
    'read',
    { id, pdfUrl, arxivId },
    async ({ signal }) => {
      const files = await parts.files()
      const onProgress = (share: number) => {
        const percent = Math.floor(share * 100)
        if (percent <= reportedPercent) return
        reportedPercent = percent
        emitPaperProgress(context, paper, 'downloading', { share })
      }
      return (await files.download(paper, { signal, onProgress })) as Json
    },
  )
  return downloaded as DownloadOutcome
}

/** Reads a paper's file, or splits the library's copy. */
async function readOne(
  parts: PapersParts,
  paper: Paper,
  context: RunContext,
  path: string | undefined,
  file?: Extract<DownloadOutcome, { ok: true }>,
): Promise<ReadOutcome> {
  const { id, title, url, csl, sourceId, within } = paper
  emitPaperProgress(context, paper, 'reading')
  const input = {
    id,
    title,
    path: path ?? null,
    contentHash: file?.contentHash ?? null,
    sourceId: sourceId ?? null,
  }
  const gave = await context.step('read', 'read', input, async ({ signal }) => {
    const reader = await parts.reader()
    if (file === undefined && sourceId !== undefined)
      return (await reader.readSource(sourceId)) as Json
    const at =
      file === undefined
        ? { path: path as string, ...(within === undefined ? {} : { within }) }
        : { path: (await parts.files()).pathOf(file.contentHash) }
    const about = { title, csl, ...(url === undefined ? {} : { url }) }
    return (await reader.readFile(at, about, signal)) as Json
  })
  const reading = gave as PaperReading
  if (!reading.ok) return { ok: false, why: { status: 'unreadable', reason: reading.detail } }
  if (isChangedFile(paper, reading.sourceId))
    return { ok: false, why: { status: 'unreadable', reason: changedReason } }
  if (reading.chunks.length > 0) return { ok: true, reading }
  return { ok: false, why: { status: 'unreadable', reason: 'It has no text that can be read.' } }
}

const changedReason = 'The file was changed after it was found. Ask again.'

/** A file of an unknown work is identified by its hash; a file with another hash was changed and must not pass for it. */
function isChangedFile({ id, path }: Paper, sourceId: SourceId): boolean {
  return (
    path !== undefined && /^file:[\da-f]{16}$/.test(id) && id !== `file:${sourceId.slice(0, 16)}`
  )
}

function emitOutcome(context: RunContext, paper: Paper, outcome: ReadOutcome): void {
  if (outcome.ok) emitPaperProgress(context, paper, 'read')
  else emitPaperProgress(context, paper, outcome.why.status, { reason: outcome.why.reason })
}

function toPatch(
  state: PapersState,
  outcomes: readonly (ReadOutcome | undefined)[],
): Patch<PapersState> {
  const readings: Record<string, StoredReading> = {}
  const unread: UnreadPaper[] = []
  const citations: MintedNumber[] = []
  const papers = state.papers.map((paper, index) => {
    const outcome = outcomes[index]
    if (outcome === undefined) return paper
    const paperId = paper.id
    if (!outcome.ok) {
      unread.push({ paperId, ...outcome.why })
      return paper
    }
    const { sourceId } = outcome.reading
    const known = [...state.citations, ...citations].find((one) => one.sourceId === sourceId)
    if (known !== undefined) {
      const reason = `The same file as [${known.n}] ${known.title}.`
      unread.push({ paperId, status: 'failed', reason })
      return paper
    }
    const described = mergeFileRecord(paper, outcome.reading)
    const n = state.citations.length + citations.length + 1
    citations.push({ n, sourceId, title: described.title })
    readings[paperId] = toStoredReading(outcome.reading)
    return described
  })
  return { papers, readings, unread, citations, ...failurePatch(state, unread, outcomes) }
}

function toStoredReading(reading: Extract<PaperReading, { ok: true }>): StoredReading {
  const { sourceId, title, authors, pageCount, referenceCount, chunks, notes } = reading
  return { sourceId, title, authors, pageCount, referenceCount, chunks, notes }
}

function failurePatch(
  { papers }: PapersState,
  unread: readonly UnreadPaper[],
  outcomes: readonly (ReadOutcome | undefined)[],
): Patch<PapersState> {
  const limits = outcomes.flatMap((one) => (one && !one.ok && one.limit ? [one.limit] : []))
  const [limit] = limits
  const titleOf = (id: string) => papers.find((paper) => paper.id === id)?.title || id
  return {
    ...(limit === undefined ? {} : { limit }),
    errors: unread.map(({ paperId, reason }) => `${titleOf(paperId)}: ${reason}`),
    gaps: [
      ...(limit === undefined ? [] : [{ kind: 'limit' as const, detail: limit.message }]),
      ...unread.map(({ paperId, reason }) => ({
        kind: 'unreadable_source' as const,
        detail: reason,
        source: titleOf(paperId),
      })),
    ],
  }
}

/**
 * Completes a paper's record from its file: for a given file its title, authors, date and identifiers; for a found paper
 * only what is missing.
 */
function mergeFileRecord(paper: Paper, reading: Extract<PaperReading, { ok: true }>): Paper {
  const isOwnFile = paper.foundBy.every((place) => place === 'files')
  const told = isOwnFile ? reading.title || paper.title : paper.title || reading.title
  const title = told || (paper.path ?? paper.id).replace(/^.*[\\/]/, '')
  const isNamed = paper.authors.length > 0
  const authors = isNamed || reading.authors.length === 0 ? paper.authors : reading.authors
  const names: readonly CslName[] = authors.map((literal) => ({ literal }))
  // The library's record is what the next run sees; using it keeps the reference the same.
  const record = isOwnFile ? { ...paper.csl, ...reading.csl, id: paper.csl.id } : paper.csl
  const known = record.author
  return {
    ...paper,
    ...(isOwnFile ? mergeIdentifiers(paper, reading, record) : {}),
    title,
    authors,
    abstract: paper.abstract || reading.abstract,
    csl: {
      ...record,
      title,
      ...(known === undefined && names.length > 0 ? { author: names } : {}),
    },
  }
}

/** Date and identifiers as the next run will have them from the library. The id stays. */
function mergeIdentifiers(
  paper: Paper,
  { sourceId: id, title }: Extract<PaperReading, { ok: true }>,
  csl: CslItem,
): Pick<Paper, 'published' | 'arxivId' | 'doi' | 'url'> {
  const told = paperFromSource({ id, title, csl }, 'files')
  const { arxivId = told.arxivId, doi = told.doi, url = told.url } = paper
  return { published: paper.published || told.published, ...omitUndefined({ arxivId, doi, url }) }
}
