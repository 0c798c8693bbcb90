import type { Clock } from '../../kernel/run/clock.ts'
import { findBlockedTarget, parseWebUrl } from './check-target.ts'
import { type CoolDown, type CoolDowns, createCoolDowns } from './cool-downs.ts'
import { type FetchFailure, type FetchOutcome, fetchFailed, shownUrl } from './fetch-failure.ts'
import { type GuardedFetchOptions, guardedFetch } from './guarded-fetch.ts'
import { createPacer, type Pace } from './pace.ts'

/** What the web of a process is made of. */
export interface WebSettings extends Pick<GuardedFetchOptions, 'allowedOrigins' | 'resolve'> {
  readonly clock: Clock
  /** 0 to 1, for the length of waits. */
  readonly random: () => number
  /** Who asks, as servers see it; some refuse those who do not say. */
  readonly userAgent: string
  /** For all sources but those of `paces`. Default: 2 at once, 200 ms from start to start. */
  readonly pace?: Pace | undefined
  /** Of services that ask for their own, by their name. */
  readonly paces?: Readonly<Record<string, Pace>> | undefined
  /** Default: {@link createCoolDowns} on the same clock. */
  readonly coolDowns?: CoolDowns | undefined
}

/** One request to a source. */
export interface WebFetchOptions extends Omit<GuardedFetchOptions, 'allowedOrigins' | 'resolve'> {
  /** A service's name, for its pace and rest; without one it is the address's host. */
  readonly source?: string | undefined
  /** Headers beside `headers` that each attempt has anew: how much of a file is there already changes between them. */
  readonly headersOfAttempt?: (() => Promise<Readonly<Record<string, string>>>) | undefined
}

/** The way of a whole process to the web: guarded, paced, with retries, and with sources that rest after failures. */
export interface Web {
  /** As {@link guardedFetch}, and `cooling_down` at once while the source rests. */
  fetch(address: string, options?: WebFetchOptions): Promise<FetchOutcome>
  /** Why an address is never asked, as far as that is known before any name is looked up. */
  refusalOf(address: string): FetchFailure | undefined
}

/** After the first attempt. */
const maxRetries = 2
const firstWaitMs = 500
/** A source that asks for more is not waited for. */
const maxWaitMs = 10_000
const usualPace: Pace = { atOnce: 2, gapMs: 200 }

/** One fetch on its way: all attempts of it. */
interface Call {
  readonly address: string
  readonly source: string
  readonly options: WebFetchOptions
  readonly signal: AbortSignal
}

/** The web, with no source resting. */
export function createWeb(settings: WebSettings): Web {
  const { clock, userAgent, allowedOrigins, resolve, pace = usualPace, paces = {} } = settings
  const { coolDowns = createCoolDowns({ clock }) } = settings
  const pacer = createPacer(clock, (source) => {
    const own = paces[source] ?? pace
    // Those who stand in line while a source rests are told so at once.
    return coolDowns.restOf(source) !== undefined ? { ...own, gapMs: 0 } : own
  })

  const attempt = async (call: Call): Promise<FetchOutcome> => {
    const { address, source, options, signal } = call
    const rest = coolDowns.restOf(source)
    if (rest !== undefined) return fetchFailed(refuseCoolingDown(address, source, rest))
    const own = await options.headersOfAttempt?.()
    const headers = { 'user-agent': userAgent, ...options.headers, ...own }
    const asked = { ...options, headers, signal, allowedOrigins, resolve }
    const outcome = await guardedFetch(address, asked)
    noteOutcome(coolDowns, call, outcome)
    return outcome
  }
  const inTurn = ({ source, signal }: Call, work: () => Promise<FetchOutcome>) =>
    pacer.inTurn(source, signal, work)

  return {
    refusalOf(address) {
      const url = parseWebUrl(address)
      return 'reason' in url ? url : findBlockedTarget(url, allowedOrigins)
    },
    async fetch(address, options = {}) {
      const { signal = new AbortController().signal } = options
      const url = parseWebUrl(address)
      if ('reason' in url) return fetchFailed(url)
      const source = options.source ?? url.host
      const rest = coolDowns.restOf(source)
      if (rest !== undefined) return fetchFailed(refuseCoolingDown(address, source, rest))
      const call = { address, source, options, signal }
      try {
        return await persist(call, settings, coolDowns, () => inTurn(call, () => attempt(call)))
      } catch (error) {
        if (!signal.aborted) throw error
        return fetchFailed(cancelledFailure(address))
      }
    },
  }
}

/** Attempts until one succeeds, fails for good, or asks to wait longer than anyone would. */
async function persist(
  { source, options, signal }: Call,
  { clock, random }: WebSettings,
  coolDowns: CoolDowns,
  attempt: () => Promise<FetchOutcome>,
): Promise<FetchOutcome> {
  for (let retries = 0; ; retries++) {
    const outcome = await attempt()
    if (outcome.ok || retries === maxRetries || !isPassing(outcome.failure, options)) return outcome
    const backoffMs = firstWaitMs * 2 ** retries * (0.5 + random())
    const restMs = coolDowns.restOf(source)?.leftMs ?? 0
    const waitMs = Math.max(backoffMs, restMs, outcome.failure.retryAfterMs ?? 0)
    if (waitMs > maxWaitMs) return outcome
    await clock.sleep(Math.ceil(waitMs) + 1, signal) // Timers may be a millisecond early.
  }
}

/** A host that only led elsewhere did answer; what it led to is noted under its own host. */
function noteOutcome(coolDowns: CoolDowns, { source, options }: Call, outcome: FetchOutcome): void {
  const failure = outcome.ok ? undefined : outcome.failure
  const { url = '' } = failure ?? {}
  const host = URL.canParse(url) ? new URL(url).host : source
  const isElsewhere = options.source === undefined && host !== source
  coolDowns.note(source, isElsewhere ? undefined : failure)
  if (isElsewhere) coolDowns.note(host, failure)
}

/** Whether the same request may succeed soon. One that is no mere reading is sent again only if it was surely not taken up. */
function isPassing(
  { reason, status = 0, code }: FetchFailure,
  { method }: WebFetchOptions,
): boolean {
  if (reason === 'http_status' && (status === 429 || status === 503)) return true
  if (method === 'POST') return false
  if (reason === 'http_status') return status === 502 || status === 504 || status === 408
  return reason === 'reset' || (reason === 'dns' && code === 'EAI_AGAIN')
}

function refuseCoolingDown(
  address: string,
  source: string,
  { leftMs, because }: CoolDown,
): FetchFailure {
  const seconds = Math.ceil(leftMs / 1_000)
  return {
    reason: 'cooling_down',
    url: shownUrl(address),
    detail: `${source} is paused for another ${seconds} s. ${because}`,
    hint: 'Use another source, or try again later.',
    retryAfterMs: leftMs,
  }
}

function cancelledFailure(address: string): FetchFailure {
  const hint = 'Ask again.'
  return { reason: 'cancelled', url: shownUrl(address), detail: 'It was cancelled.', hint }
}
