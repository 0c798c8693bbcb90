import { writeFile } from 'node:fs/promises'
import { FileRefused } from '../../files/opened.ts'
import { lookupSources } from '../../sources/lookup/sources.ts'
import type { WebSources } from '../../tools/web/web-sources.ts'
import type { Downloaded, DownloadRun, Paper, PaperFiles } from '../paper.ts'
import { downloadAddress, type FileAddress, fileAddresses } from './download.ts'
import { KeptFiles, withFileLock } from './file-store.ts'
import { PartialFile } from './partial-file.ts'
import { isPdf, notPdf } from './pdf-check.ts'

/** How large a paper's file may be. */
const maxFileBytes = 100_000_000
const defaultStallMs = 30_000

/** Another way to a paper's file than its address: an MCP server that fetches papers. */
export interface PaperDelivery {
  /** For people. */
  readonly name: string
  /** Part of what its files are remembered by. */
  readonly identity: string
  /** Whether it may have this paper. */
  delivers(paper: Paper): boolean
  deliver(paper: Paper, signal: AbortSignal): Promise<DeliveredFile>
}

/** What came of a delivery. */
export type DeliveredFile =
  | { readonly ok: true; readonly bytes: Uint8Array; readonly kind: 'pdf' | 'md' }
  | { readonly ok: false; readonly reason: string; readonly detail: string; readonly hint?: string }

/** What the files of papers are fetched with. */
export interface PaperFilesSettings {
  /** Where they are kept; it is made. Several processes may use one. */
  readonly folder: string
  readonly web: Pick<WebSources, 'pages' | 'access' | 'clock'>
  /** Tried before the addresses. */
  readonly deliveries?: readonly PaperDelivery[]
  /** How long a server may give nothing. Default 30,000. */
  readonly stallMs?: number
  /** A larger file is refused. Default 100 MB. */
  readonly maxBytes?: number
}

type Failure = Extract<Downloaded, { ok: false }>

/** The files of papers in a folder: what was begun goes on, what is there is not fetched again. */
export function createPaperFiles(settings: PaperFilesSettings): PaperFiles {
  const kept = new KeptFiles(settings.folder)
  return {
    pathOf: (contentHash) => kept.pathOf(contentHash),
    async download(paper, run) {
      run.signal.throwIfAborted()
      try {
        await kept.prepare()
        await kept.prune(settings.web.clock.now())
        return await fetchPaper(settings, kept, paper, run)
      } catch (error) {
        run.signal.throwIfAborted()
        return notKept(settings.folder, error)
      }
    },
  }
}

/** The disk's refusal as a value; what is a mistake of ours is thrown on. */
function notKept(folder: string, error: unknown): Failure {
  const { code } = error as { readonly code?: unknown }
  const isOfDisk = error instanceof FileRefused || typeof code === 'string'
  if (!(error instanceof Error) || !isOfDisk) throw error
  const hint = 'Make room there, or name another folder that can be written.'
  const detail = `Papers could not be kept in ${folder}: ${error.message}.`
  return { ok: false, reason: 'not_written', detail, hint }
}

/** Tries each way to the file until one gives it. */
async function fetchPaper(
  settings: PaperFilesSettings,
  kept: KeptFiles,
  paper: Paper,
  run: DownloadRun,
): Promise<Downloaded> {
  const ways = waysTo(settings, kept, paper, run)
  const known = await kept.find(ways.flatMap(({ keys }) => keys))
  if (known !== undefined) return { ok: true, isCached: true, ...known }
  const failures: Failure[] = []
  for (const way of ways) {
    const outcome = await once(kept, way, run.signal)
    run.signal.throwIfAborted()
    if (outcome.ok) return outcome
    failures.push(outcome)
  }
  return allFailed(failures)
}

/** A way to a paper's file, and what the file is remembered by when it came that way. */
interface Way {
  readonly keys: readonly string[]
  fetch(): Promise<Downloaded>
}

function waysTo(
  settings: PaperFilesSettings,
  kept: KeptFiles,
  paper: Paper,
  run: DownloadRun,
): readonly Way[] {
  const { deliveries = [], web } = settings
  const arxivBaseUrl = web.access.baseUrls?.arxiv ?? lookupSources.arxiv.baseUrl ?? ''
  const delivered = deliveries
    .filter((delivery) => delivery.delivers(paper))
    .map((delivery): Way => {
      const keys = [`${delivery.identity}:${paper.arxivId ?? paper.id}`]
      return { keys, fetch: () => fetchDelivered(kept, delivery, keys, paper, run) }
    })
  return [
    ...delivered,
    ...fileAddresses(paper, arxivBaseUrl).map((address): Way => {
      return { keys: address.keys, fetch: () => fetchAddress(settings, kept, address, run) }
    }),
  ]
}

/** One at a time for each file, in this process and in all others: who comes second finds what the first one fetched. */
async function once(kept: KeptFiles, way: Way, signal: AbortSignal): Promise<Downloaded> {
  return withFileLock(kept.lockPath(way.keys[0] ?? ''), signal, async () => {
    const known = await kept.find(way.keys)
    return known === undefined ? way.fetch() : { ok: true, isCached: true, ...known }
  })
}

async function fetchAddress(
  { web, stallMs = defaultStallMs, maxBytes = maxFileBytes }: PaperFilesSettings,
  kept: KeptFiles,
  { address, keys }: FileAddress,
  run: DownloadRun,
): Promise<Downloaded> {
  const part = new PartialFile(kept.partialPath(keys[0] ?? ''))
  const onProgress = (share: number) => run.onProgress(share)
  const intake = { maxBytes, stallMs, onProgress }
  const failure = await downloadAddress(web, address, part, intake, run.signal)
  if (failure !== undefined) return failure
  const file = await kept.keep(part.path, 'pdf', keys, address)
  await part.remove()
  run.onProgress(1)
  return { ok: true, isCached: false, ...file }
}

async function fetchDelivered(
  kept: KeptFiles,
  { name, deliver }: PaperDelivery,
  keys: readonly string[],
  paper: Paper,
  run: DownloadRun,
): Promise<Downloaded> {
  const file = await deliver(paper, run.signal)
  if (!file.ok) return file
  if (file.kind === 'pdf' && !isPdf(file.bytes)) {
    return { ok: false, reason: 'not_pdf', detail: `${name} gave ${notPdf(file.bytes)}.` }
  }
  const path = `${kept.partialPath(keys[0] ?? '')}.${file.kind}`
  await writeFile(path, file.bytes, { mode: 0o600 })
  const delivered = await kept.keep(path, file.kind, keys, name)
  run.onProgress(1)
  return { ok: true, isCached: false, ...delivered }
}

/** Why no way led to the file: the first reason, and what each of them said. */
function allFailed(failures: readonly Failure[]): Failure {
  const [first] = failures
  if (first === undefined) {
    const hint = 'Fetch it by hand and give the file as a source.'
    return { ok: false, reason: 'no_pdf', detail: 'Nobody names a free copy of it.', hint }
  }
  const detail = [...new Set(failures.map((failure) => failure.detail))].join(' ')
  const hint = failures.find((failure) => failure.hint !== undefined)?.hint
  return { ok: false, reason: first.reason, detail, ...(hint === undefined ? {} : { hint }) }
}
