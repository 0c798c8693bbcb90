import { writeFile } from 'node:fs/promises'
import { FileRefused } from '../../files/opened.ts'
import { lookupSources } from '../../sources/lookup/sources.ts'
import type { WebSources } from '../../tools/web/web-sources.ts'
import type { DownloadOptions, DownloadOutcome, Paper, PaperFiles } from '../paper.ts'
import { downloadAddress, type FileAddress, listFileAddresses } from './download.ts'
import { FileStore, withFileLock } from './file-store.ts'
import { PartialFile } from './partial-file.ts'
import { describeNonPdf, isPdf } from './pdf-check.ts'

/** How large a paper's file may be. */
const maxFileBytes = 100_000_000
const defaultStallMs = 30_000

/** Another route to a paper's file than its address: an MCP server that fetches papers. */
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

type Failure = Extract<DownloadOutcome, { ok: false }>

/** The files of papers in a folder: what was begun goes on, what is there is not fetched again. */
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

/** The disk's refusal as a value; what is a mistake of ours is thrown on. */
function toStoreFailure(folder: string, error: unknown): Failure {
  const { code } = error as { readonly code?: unknown }
  const isOfDisk = error instanceof FileRefused || typeof code === 'string'
  if (!(error instanceof Error) || !isOfDisk) throw error
  const hint = 'Make room there, or name another folder that can be written.'
  const detail = `Papers could not be kept in ${folder}: ${error.message}.`
  return { ok: false, reason: 'not_written', detail, hint }
}

/** Tries each route to the file until one gives it. */
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

/** A route to a paper's file, and what the file is remembered by when it came that route. */
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

/** One at a time for each file, in this process and in all others: who comes second finds what the first one fetched. */
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

/** Why no route led to the file: the first reason, and what each of them said. */
function mergeFailures(failures: readonly Failure[]): Failure {
  const [first] = failures
  if (first === undefined) {
    const hint = 'Fetch it by hand and give the file as a source.'
    return { ok: false, reason: 'no_pdf', detail: 'Nobody names a free copy of it.', hint }
  }
  const detail = [...new Set(failures.map((failure) => failure.detail))].join(' ')
  const hint = failures.find((failure) => failure.hint !== undefined)?.hint
  return { ok: false, reason: first.reason, detail, ...(hint === undefined ? {} : { hint }) }
}
