import {
  type SourcePage,
  type SourceReply,
  type SourceRequest,
  startFailingSource,
} from './failing-source.ts'

/** A way in which a source can fail. */
export interface SourceFault {
  readonly name: string
  /** Replies to its requests, in order. */
  readonly replies: readonly SourceReply[]
  /** Whether waiting or retrying yields the whole page. */
  readonly isPassing: boolean
}

/** The result of testing a reader against a source's faults. */
export interface SourceReport {
  readonly trials: number
  /** One line per violation. */
  readonly problems: readonly string[]
}

const retryAfterSeconds = 1
const wrong: SourcePage = { status: 500, body: '<h1>Internal Server Error</h1>' }
const busy: SourcePage = {
  status: 429,
  headers: { 'retry-after': String(retryAfterSeconds) },
  body: 'Too many requests.',
}

/** The faults of a source with this page. */
export function sourceFaults(page: SourcePage): readonly SourceFault[] {
  const size = Buffer.byteLength(Buffer.from(page.body ?? ''))
  const cut = (by: 'reset' | 'close' | 'silence'): SourceReply => ({
    ...page,
    cut: { afterBytes: Math.floor(size / 2), by },
  })
  const lasting = (name: string, ...replies: SourceReply[]) => ({ name, replies, isPassing: false })
  const passing = (name: string, ...replies: SourceReply[]) => ({ name, replies, isPassing: true })
  return [
    passing('429 with retry-after, then the page', busy, page),
    passing('500 once, then the page', wrong, page),
    passing('a reset once, then the page', { reset: true }, page),
    passing('a slow page', { ...page, delayMs: 300 }),
    passing('a redirection to the page', { redirectTo: '/page?moved' }),
    lasting('429 for ever', busy),
    lasting('500 for ever', wrong),
    lasting('404', { status: 404, body: 'Not found' }),
    lasting('a reset connection', { reset: true }),
    lasting('no answer', { hang: true }),
    lasting('half a body, then a reset', cut('reset')),
    lasting('half a body, then the end', cut('close')),
    lasting('half a body, then silence', cut('silence')),
    lasting('less than the length it promises', { ...page, contentLength: size + 100 }),
    lasting('a body without an end', { ...page, isEndless: true }),
    lasting('redirections in a circle', { redirectTo: '/page' }),
  ]
}

/** Maximum bytes that a reader may take from an endless body. */
const maxEndlessBytes = 64 * 1024 * 1024

/**
 * Tests a page reader against all of {@link sourceFaults}, in parallel. If the page cannot be had, the reader must fail, and must
 * not return half of it or an error page; it must end in time, release the connection, and respect `retry-after`.
 * @param read reads the page at a URL; rejects on failure
 * @param options.timeoutMs time limit of one reading. Default 5 s
 * @param options.isFailure whether a value reports a failure. Default: never
 */
export async function runSourceFaults<Value>(
  page: SourcePage,
  read: (url: string, signal: AbortSignal) => Promise<Value>,
  options: {
    readonly timeoutMs?: number
    readonly isFailure?: (value: Value) => boolean
  } = {},
): Promise<SourceReport> {
  const faults = sourceFaults(page)
  const whole = await runTrial([page], page, read, options)
  if (whole.outcome !== 'value')
    return { trials: 1, problems: [`the whole page: ${describe(whole)}`] }
  const found = await Promise.all(
    faults.map(async (fault) => {
      const reading = await runTrial(fault.replies, page, read, options)
      return findProblems(reading, whole, fault).map((text) => `${fault.name}: ${text}`)
    }),
  )
  return { trials: faults.length, problems: found.flat() }
}

interface Reading {
  readonly outcome: 'value' | 'failure' | 'hangs'
  /** The value as JSON, or what was thrown. */
  readonly text: string
  readonly requests: readonly SourceRequest[]
}

async function runTrial<Value>(
  replies: readonly SourceReply[],
  page: SourcePage,
  read: (url: string, signal: AbortSignal) => Promise<Value>,
  options: { readonly timeoutMs?: number; readonly isFailure?: (value: Value) => boolean },
): Promise<Reading> {
  const { timeoutMs = 5_000, isFailure = () => false } = options
  const source = await startFailingSource({ '/page': replies, '/page?moved': page })
  const interruption = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Omit<Reading, 'requests'>>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, { outcome: 'hangs', text: `after ${timeoutMs} ms` })
  })
  const reading = read(`${source.url}/page`, interruption.signal).then(
    (value) => ({
      outcome: isFailure(value) ? ('failure' as const) : ('value' as const),
      // The source has another address in each trial.
      text: (JSON.stringify(value) ?? '').replaceAll(source.url, 'http://source'),
    }),
    (error: unknown) => ({ outcome: 'failure' as const, text: String(error) }),
  )
  const ended = await Promise.race([reading, late])
  clearTimeout(timer)
  await waitUntilClosed(source.requests)
  const requests = source.requests.map((request) => ({ ...request }))
  interruption.abort()
  await source.close()
  return { ...ended, requests }
}

/** Waits for the server to notice that connections were closed, at most a second. */
async function waitUntilClosed(requests: readonly SourceRequest[]): Promise<void> {
  for (let turn = 0; turn < 100 && requests.some(({ isClosed }) => !isClosed); turn++)
    await new Promise((resolve) => setTimeout(resolve, 10))
}

function findProblems(reading: Reading, whole: Reading, fault: SourceFault): readonly string[] {
  const { outcome, text, requests } = reading
  if (outcome === 'hangs') return [describe(reading)]
  const isWhole = outcome === 'value' && text === whole.text
  const sent = Math.max(0, ...requests.map(({ sentBytes }) => sentBytes))
  return [
    ...(outcome === 'value' && !isWhole ? [`gave as the page what is not: ${cutText(text)}`] : []),
    ...(isWhole && !fault.isPassing ? ['gave the page, which cannot be had'] : []),
    ...(sent > maxEndlessBytes ? [`read ${sent} bytes of a body without an end`] : []),
    ...(requests.some(({ isClosed }) => !isClosed) ? ['left the connection open'] : []),
    ...(fault.replies.includes(busy) && ignoresRetryAfter(requests)
      ? [`asked again before ${retryAfterSeconds} s were over`]
      : []),
  ]
}

/** Whether a request came sooner than `retry-after` allows, with some tolerance between two clocks. */
function ignoresRetryAfter(requests: readonly SourceRequest[]): boolean {
  const leastMs = retryAfterSeconds * 1_000 - 50
  return requests.some(
    ({ atMs }, index) => index > 0 && atMs - (requests[index - 1] as SourceRequest).atMs < leastMs,
  )
}

function describe({ outcome, text }: Reading): string {
  return outcome === 'hangs' ? `did not end, ${text}` : `${outcome}: ${cutText(text)}`
}

function cutText(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text
}
