import { writeFile } from 'node:fs/promises'
import { FileRefused } from '../../files/opened.ts'
import { lookupSources } from '../../sources/lookup/sources.ts'
import type { WebSources } from '../../tools/web/web-sources.ts'
import type { DownloadOptions, DownloadOutcome, Paper, PaperFiles } from '../paper.ts'
import { downloadAddress, type FileAddress, listFileAddresses } from './download.ts'
import { FileStore, withFileLock } from './file-store.ts'
import { PartialFile } from './partial-file.ts'
import { describeNonPdf, isPdf } from './pdf-check.ts'

/** Maximum size of a paper's file. */
const maxFileBytes = 100_000_000
const defaultStallMs = 30_000

/** A way to get a paper's file other than its address: an MCP server that downloads papers. */
export interface PaperDelivery {
  /** Display name. */
  readonly name: string
  /** Part of the key under which its files are remembered. */
  readonly identity: string
  /** Whether it may have this paper. */
  delivers(paper: Paper): boolean
  deliver(paper: Paper, signal: AbortSignal): Promise<DeliveredFile>
}

/** The outcome of a delivery. */
export type DeliveredFile =
  | { readonly ok: true; readonly bytes: Uint8Array; readonly kind: 'pdf' | 'md' }
  | { readonly ok: false; readonly reason: string; readonly detail: string; readonly hint?: string }

/** How papers' files are downloaded. */
export interface PaperFilesSettings {
  /** Where files are stored; created if missing. Several processes may share it. */
  readonly folder: string
  readonly web: Pick<WebSources, 'pages' | 'access' | 'clock'>
  /** Tried before the addresses. */
  readonly deliveries?: readonly PaperDelivery[]
  /** How long a server may send nothing. Default 30,000. */
  readonly stallMs?: number
  /** Larger files are refused. Default 100 MB. */
  readonly maxBytes?: number
}

type Failure = Extract<DownloadOutcome, { ok: false }>

/** Downloads papers into a folder: partial downloads are resumed, complete files not downloaded again. */
export function createPaperFiles(settings: PaperFilesSettings): PaperFiles {
  const store = new FileStore(settings.folder)
  return {
    pathOf: (contentHash) => store.pathOf(contentHash),
    async download(paper, run) {
      run.signal.throwIfAborted()
      try {
        await store.prepare()
        await store.prune(settings.web.clock.now())
        return await fetchPaper(settings, store, paper, run)
      } catch (error) {
        run.signal.throwIfAborted()
        return toStoreFailure(settings.folder, error)
      }
    },
  }
}

/** A disk error as a value; programming errors are rethrown. */
function toStoreFailure(folder: string, error: unknown): Failure {
  const { code } = error as { readonly code?: unknown }
  const isOfDisk = error instanceof FileRefused || typeof code === 'string'
  if (!(error instanceof Error) || !isOfDisk) throw error
  const hint = 'Free some space there, or choose another writable folder.'
  const detail = `Papers could not be stored in ${folder}: ${error.message}.`
  return { ok: false, reason: 'not_written', detail, hint }
}

/** Tries each route to the file until one succeeds. */
async function fetchPaper(
  settings: PaperFilesSettings,
  store: FileStore,
  paper: Paper,
  run: DownloadOptions,
): Promise<DownloadOutcome> {
  const routes = listRoutes(settings, store, paper, run)
  const known = await store.find(routes.flatMap(({ keys }) => keys))
  if (known !== undefined) return { ok: true, isCached: true, ...known }
  const failures: Failure[] = []
  for (const route of routes) {
    const outcome = await fetchOnce(store, route, run.signal)
    run.signal.throwIfAborted()
    if (outcome.ok) return outcome
    failures.push(outcome)
  }
  return mergeFailures(failures)
}

/** A route to a paper's file, and the keys under which the file is remembered. */
interface Route {
  readonly keys: readonly string[]
  fetch(): Promise<DownloadOutcome>
}

function listRoutes(
  settings: PaperFilesSettings,
  store: FileStore,
  paper: Paper,
  run: DownloadOptions,
): readonly Route[] {
  const { deliveries = [], web } = settings
  const arxivBaseUrl = web.access.baseUrls?.arxiv ?? lookupSources.arxiv.baseUrl ?? ''
  const delivered = deliveries
    .filter((delivery) => delivery.delivers(paper))
    .map((delivery): Route => {
      const keys = [`${delivery.identity}:${paper.arxivId ?? paper.id}`]
      return { keys, fetch: () => fetchDelivered(store, delivery, keys, paper, run) }
    })
  return [
    ...delivered,
    ...listFileAddresses(paper, arxivBaseUrl).map((address): Route => {
      return { keys: address.keys, fetch: () => fetchAddress(settings, store, address, run) }
    }),
  ]
}

/** One download at a time per file, across processes: whoever waits finds the finished file. */
async function fetchOnce(
  store: FileStore,
  route: Route,
  signal: AbortSignal,
): Promise<DownloadOutcome> {
  return withFileLock(store.lockPath(route.keys[0] ?? ''), signal, async () => {
    const known = await store.find(route.keys)
    return known === undefined ? route.fetch() : { ok: true, isCached: true, ...known }
  })
}

async function fetchAddress(
  { web, stallMs = defaultStallMs, maxBytes = maxFileBytes }: PaperFilesSettings,
  store: FileStore,
  { address, keys }: FileAddress,
  run: DownloadOptions,
): Promise<DownloadOutcome> {
  const part = new PartialFile(store.partialPath(keys[0] ?? ''))
  const onProgress = (share: number) => run.onProgress(share)
  const intake = { maxBytes, stallMs, onProgress }
  const failure = await downloadAddress(web, address, part, intake, run.signal)
  if (failure !== undefined) return failure
  const file = await store.keep(part.path, 'pdf', keys, address)
  await part.remove()
  run.onProgress(1)
  return { ok: true, isCached: false, ...file }
}

async function fetchDelivered(
  store: FileStore,
  { name, deliver }: PaperDelivery,
  keys: readonly string[],
  paper: Paper,
  run: DownloadOptions,
): Promise<DownloadOutcome> {
  const file = await deliver(paper, run.signal)
  if (!file.ok) return file
  if (file.kind === 'pdf' && !isPdf(file.bytes)) {
    return { ok: false, reason: 'not_pdf', detail: `${name} gave ${describeNonPdf(file.bytes)}.` }
  }
  const path = `${store.partialPath(keys[0] ?? '')}.${file.kind}`
  await writeFile(path, file.bytes, { mode: 0o600 })
  const delivered = await store.keep(path, file.kind, keys, name)
  run.onProgress(1)
  return { ok: true, isCached: false, ...delivered }
}

/** Why no route succeeded: the first reason, and the details of all. */
function mergeFailures(failures: readonly Failure[]): Failure {
  const [first] = failures
  if (first === undefined) {
    const hint = 'Download it yourself and give the file as a source.'
    return { ok: false, reason: 'no_pdf', detail: 'No free copy is known.', hint }
  }
  const detail = [...new Set(failures.map((failure) => failure.detail))].join(' ')
  const hint = failures.find((failure) => failure.hint !== undefined)?.hint
  return { ok: false, reason: first.reason, detail, ...(hint === undefined ? {} : { hint }) }
}
