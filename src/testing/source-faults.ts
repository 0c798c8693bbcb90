import {
  type SourcePage,
  type SourceReply,
  type SourceRequest,
  startFailingSource,
} from './failing-source.ts'

/** A way in which a source fails. */
export interface SourceFault {
  readonly name: string
  /** What its requests get, in order. */
  readonly replies: readonly SourceReply[]
  /** Whether the whole page can be had by waiting or asking again. */
  readonly isPassing: boolean
}

/** What a source's faults came to. */
export interface SourceReport {
  readonly trials: number
  /** One line for each thing that was not as it should be. */
  readonly problems: readonly string[]
}

const retryAfterSeconds = 1
const wrong: SourcePage = { status: 500, body: '<h1>Internal Server Error</h1>' }
const busy: SourcePage = {
  status: 429,
  headers: { 'retry-after': String(retryAfterSeconds) },
  body: 'Too many requests.',
}

/** The ways in which a source fails that has this page. */
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

/** More than this of a body without an end was not read for its beginning. */
const mostBytes = 64 * 1024 * 1024

/**
 * Reads a page through all of {@link sourceFaults}, at once, with somebody's function, and holds what comes of it against the
 * whole page: it has to fail where the page cannot be had, must not give half of it or an error page for the whole, must end
 * in its time, must let go of the connection, and must not ask again before a `retry-after` is over.
 *
 * @param read reads the page at a URL; rejects where it fails
 * @param options.timeoutMs how long one reading may take. Default 5 s
 * @param options.isFailure whether a value says that reading failed. Default: none does
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
  const whole = await readOnce([page], page, read, options)
  if (whole.outcome !== 'value')
    return { trials: 1, problems: [`the whole page: ${describe(whole)}`] }
  const found = await Promise.all(
    faults.map(async (fault) => {
      const reading = await readOnce(fault.replies, page, read, options)
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

async function readOnce<Value>(
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
      // Where the page was read is another address in each reading.
      text: (JSON.stringify(value) ?? '').replaceAll(source.url, 'http://source'),
    }),
    (error: unknown) => ({ outcome: 'failure' as const, text: String(error) }),
  )
  const ended = await Promise.race([reading, late])
  clearTimeout(timer)
  await untilClosed(source.requests)
  const requests = source.requests.map((request) => ({ ...request }))
  interruption.abort()
  await source.close()
  return { ...ended, requests }
}

/** A connection that was let go of is seen a moment later. */
async function untilClosed(requests: readonly SourceRequest[]): Promise<void> {
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
    ...(sent > mostBytes ? [`read ${sent} bytes of a body without an end`] : []),
    ...(requests.some(({ isClosed }) => !isClosed) ? ['left the connection open'] : []),
    ...(fault.replies.includes(busy) && isImpatient(requests)
      ? [`asked again before ${retryAfterSeconds} s were over`]
      : []),
  ]
}

/** Whether one request came sooner after another than `retry-after` allows; two clocks may be a little apart. */
function isImpatient(requests: readonly SourceRequest[]): boolean {
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
