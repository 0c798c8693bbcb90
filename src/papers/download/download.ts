import { identifiersOf } from '../../bibliography/identifiers.ts'
import { canonicalUrl } from '../../citations/markup/canonical-url.ts'
import type { FetchFailure } from '../../sources/web/fetch-failure.ts'
import type { WebSources } from '../../tools/web/web-sources.ts'
import type { DownloadOutcome, Paper } from '../paper.ts'
import { type IntakeLimits, NotPdf, NotWritten, type PartialFile } from './partial-file.ts'
import { describeNonPdf, hasPdfEnd, isPdf, readStart } from './pdf-check.ts'

type Failure = Extract<DownloadOutcome, { ok: false }>

/** A file that keeps breaking off is asked for so often, as long as more of it comes each time. */
const maxRounds = 6
const firstByteMs = 30_000
/** For one answer from its beginning to its end. */
const answerTimeoutMs = 10 * 60_000
/** A host that rests for longer is not waited for. */
const maxRestMs = 60_000
const accept = 'application/pdf, */*;q=0.5'

/** Fetches what is at an address until it is whole in `part`, from where it broke off; or says why it could not. */
export async function downloadAddress(
  web: Pick<WebSources, 'pages' | 'clock'>,
  address: string,
  part: PartialFile,
  intake: IntakeLimits,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  let failure: Failure = failed('unreachable', `${address} gave nothing.`)
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

/** `undefined`: the answer came to its end. */
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
    const hint = 'Make room on the disk, or keep papers in another folder.'
    return failed('not_written', `The file could not be written: ${error.message}.`, hint)
  }
}

/** Whether another attempt may bring more; waits for a host that rests. */
async function mayContinue(
  { clock }: Pick<WebSources, 'clock'>,
  { reason, status, retryAfterMs = 0 }: FetchFailure,
  hasGrown: boolean,
  part: PartialFile,
  signal: AbortSignal,
): Promise<boolean> {
  const isBegun = (await part.sizeBytes()) > 0
  // What is there is no part of what the server has now.
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

/** What came to its end is a PDF, and all of it, or it is taken away. */
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
    `What ${hostTitle(address)} gave ends in the middle.`,
    'Try again later.',
  )
}

function notPdfFailure(address: string, what: string): Failure {
  const hint = 'Open it in a browser; if it shows there, save the PDF and give the file.'
  return failed('not_pdf', `${hostTitle(address)} gave ${what}.`, hint)
}

function toFailure({ reason, status, detail, hint }: FetchFailure, address: string): Failure {
  const named = detail.replace(new URL(address).hostname, hostTitle(address))
  return failed(status === 429 ? 'rate_limited' : reason, named, hint)
}

function failed(reason: string, detail: string, hint?: string): Failure {
  return { ok: false, reason, detail, ...(hint === undefined ? {} : { hint }) }
}

/** Where a paper's file may be had. */
export interface FileAddress {
  readonly address: string
  /** Under which what is there is remembered: the same for the same file, whatever its address is. */
  readonly keys: readonly string[]
}

/**
 * The addresses of a paper's file in the order in which they are tried: of what arXiv has its own first, since a copy elsewhere may
 * be another version.
 * @param arxivBaseUrl where programs fetch from arXiv, without a slash at its end
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
 * An address by itself, and by the id of arXiv and its version where that is what arXiv has there. A copy anywhere else stands for
 * itself alone, whatever its address says: it may be another text.
 */
function listKeys(address: string, arxivBaseUrl: string): readonly string[] {
  const own = canonicalUrl(address) ?? address
  if (!isAtArxiv(address, arxivBaseUrl)) return [own]
  const path = new URL(address).pathname
  const { arxiv } = identifiersOf({ id: '', type: 'article', URL: `https://arxiv.org${path}` })
  return arxiv?.version === undefined ? [own] : [own, `arxiv:${arxiv.id}v${arxiv.version}`]
}

function isAtArxiv(address: string, arxivBaseUrl: string): boolean {
  if (!URL.canParse(address)) return false
  const { origin, protocol, host, pathname } = new URL(address)
  const isOwn = protocol === 'https:' && /^(?:[a-z]+\.)?arxiv\.org$/.test(host)
  const isBase = URL.canParse(arxivBaseUrl) && origin === new URL(arxivBaseUrl).origin
  return (isOwn || isBase) && /^\/pdf\//.test(pathname)
}

/** The name of who is at an address, for people. */
export function hostTitle(address: string): string {
  const host = new URL(address).hostname.replace(/^www\./, '')
  return /(?:^|\.)arxiv\.org$/.test(host) ? 'arXiv' : host
}
