import { findIdentifiers } from '../../bibliography/identifiers.ts'
import { canonicalUrl } from '../../citations/markup/canonical-url.ts'
import type { FetchFailure } from '../../sources/web/fetch-failure.ts'
import type { WebSources } from '../../tools/web/web-sources.ts'
import type { DownloadOutcome, Paper } from '../paper.ts'
import { type IntakeLimits, NotPdf, NotWritten, type PartialFile } from './partial-file.ts'
import { describeNonPdf, hasPdfEnd, isPdf, readStart } from './pdf-check.ts'

type Failure = Extract<DownloadOutcome, { ok: false }>

/** Attempts at a download that keeps breaking off, as long as each makes progress. */
const maxRounds = 6
const firstByteMs = 30_000
/** Time limit for one complete response. */
const answerTimeoutMs = 10 * 60_000
/** A host that asks for a longer pause is not waited for. */
const maxRestMs = 60_000
const accept = 'application/pdf, */*;q=0.5'

/** Downloads an address into `part` until it is complete, resuming where it broke off; returns why it failed. */
export async function downloadAddress(
  web: Pick<WebSources, 'pages' | 'clock'>,
  address: string,
  part: PartialFile,
  intake: IntakeLimits,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  let failure: Failure = failed('unreachable', `${address} returned nothing.`)
  for (let round = 0; round < maxRounds; round++) {
    const before = await part.sizeBytes()
    const isWhole = before > 0 && before === (await part.wholeBytes())
    const outcome = isWhole ? undefined : await fetchRest(web, address, part, intake, signal)
    if (outcome === undefined) return checkDownload(address, part)
    if ('ok' in outcome) return outcome
    failure = toFailure(outcome, address)
    const hasGrown = (await part.sizeBytes()) > before
    if (!(await mayContinue(web, outcome, hasGrown, part, signal))) break
  }
  if (Object.keys(await part.rangeHeaders()).length === 0) await part.remove()
  return failure
}

/** `undefined`: the response was complete. */
async function fetchRest(
  { pages }: Pick<WebSources, 'pages'>,
  address: string,
  part: PartialFile,
  intake: IntakeLimits,
  signal: AbortSignal,
): Promise<FetchFailure | Failure | undefined> {
  try {
    const outcome = await pages.fetch(address, {
      signal,
      firstByteMs,
      timeoutMs: answerTimeoutMs,
      headers: { accept },
      headersOfAttempt: () => part.rangeHeaders(),
      receive: (answer) => part.receive(answer, intake),
    })
    return outcome.ok ? undefined : outcome.failure
  } catch (error) {
    if (error instanceof NotPdf) {
      await part.remove()
      return notPdfFailure(address, error.message)
    }
    if (!(error instanceof NotWritten)) throw error
    const hint = 'Free some disk space, or store papers in another folder.'
    return failed('not_written', `The file could not be written: ${error.message}.`, hint)
  }
}

/** Whether another attempt may help; waits if the host asked for a pause. */
async function mayContinue(
  { clock }: Pick<WebSources, 'clock'>,
  { reason, status, retryAfterMs = 0 }: FetchFailure,
  hasGrown: boolean,
  part: PartialFile,
  signal: AbortSignal,
): Promise<boolean> {
  const isBegun = (await part.sizeBytes()) > 0
  // The partial file does not match what the server has now.
  if (status === 416 && isBegun) {
    await part.remove()
    return true
  }
  if (reason === 'too_large') await part.remove()
  if (reason === 'cooling_down' && isBegun && retryAfterMs <= maxRestMs) {
    await clock.sleep(retryAfterMs + 1, signal).catch(() => undefined)
    return !signal.aborted
  }
  return hasGrown && (reason === 'reset' || reason === 'timeout')
}

/** Checks that a completed download is a whole PDF, and deletes it otherwise. */
async function checkDownload(address: string, part: PartialFile): Promise<Failure | undefined> {
  const start = await readStart(part.path)
  if (!isPdf(start)) {
    await part.remove()
    return notPdfFailure(address, describeNonPdf(start))
  }
  if ((await part.wholeBytes()) !== undefined) return undefined
  if (await hasPdfEnd(part.path, await part.sizeBytes())) return undefined
  await part.remove()
  return failed(
    'incomplete',
    `The file from ${hostTitle(address)} is truncated.`,
    'Try again later.',
  )
}

function notPdfFailure(address: string, what: string): Failure {
  const hint = 'Open it in a browser; if it shows there, save the PDF and give the file.'
  return failed('not_pdf', `${hostTitle(address)} returned ${what}.`, hint)
}

function toFailure({ reason, status, detail, hint }: FetchFailure, address: string): Failure {
  const named = detail.replace(new URL(address).hostname, hostTitle(address))
  return failed(status === 429 ? 'rate_limited' : reason, named, hint)
}

function failed(reason: string, detail: string, hint?: string): Failure {
  return { ok: false, reason, detail, ...(hint === undefined ? {} : { hint }) }
}

/** An address of a paper's file. */
export interface FileAddress {
  readonly address: string
  /** Keys under which the file is remembered: the same for the same file at different addresses. */
  readonly keys: readonly string[]
}

/**
 * The addresses of a paper's file in the order to try: arXiv's own first, since a copy elsewhere may be another version.
 * @param arxivBaseUrl where programs fetch from arXiv, without a trailing slash
 */
export function listFileAddresses(
  { pdfUrl, arxivId }: Pick<Paper, 'pdfUrl' | 'arxivId'>,
  arxivBaseUrl: string,
): readonly FileAddress[] {
  const canonical = arxivId === undefined ? [] : [`${arxivBaseUrl}/pdf/${arxivId}`]
  const given = pdfUrl === undefined ? [] : [pdfUrl]
  return [...new Set([...canonical, ...given])].map((address) => ({
    address,
    keys: listKeys(address, arxivBaseUrl),
  }))
}

/**
 * The address itself, plus the arXiv id with version if arXiv serves it. A copy elsewhere stands for itself only,
 * whatever its address says: it may be another text.
 */
function listKeys(address: string, arxivBaseUrl: string): readonly string[] {
  const own = canonicalUrl(address) ?? address
  if (!isAtArxiv(address, arxivBaseUrl)) return [own]
  const path = new URL(address).pathname
  const { arxiv } = findIdentifiers({ id: '', type: 'article', URL: `https://arxiv.org${path}` })
  return arxiv?.version === undefined ? [own] : [own, `arxiv:${arxiv.id}v${arxiv.version}`]
}

function isAtArxiv(address: string, arxivBaseUrl: string): boolean {
  if (!URL.canParse(address)) return false
  const { origin, protocol, host, pathname } = new URL(address)
  const isOwn = protocol === 'https:' && /^(?:[a-z]+\.)?arxiv\.org$/.test(host)
  const isBase = URL.canParse(arxivBaseUrl) && origin === new URL(arxivBaseUrl).origin
  return (isOwn || isBase) && /^\/pdf\//.test(pathname)
}

/** Display name of the site at an address. */
export function hostTitle(address: string): string {
  const host = new URL(address).hostname.replace(/^www\./, '')
  return /(?:^|\.)arxiv\.org$/.test(host) ? 'arXiv' : host
}
