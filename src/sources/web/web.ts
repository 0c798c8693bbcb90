import type { Clock } from '../../kernel/run/clock.ts'
import { findBlockedTarget, parseWebUrl } from './check-target.ts'
import { type CoolDown, type CoolDowns, createCoolDowns } from './cool-downs.ts'
import { type FetchFailure, type FetchOutcome, fetchFailed, shownUrl } from './fetch-failure.ts'
import { type GuardedFetchOptions, guardedFetch } from './guarded-fetch.ts'
import { createPacer, type Pace } from './pace.ts'

/** The settings of a process's web access. */
export interface WebSettings extends Pick<GuardedFetchOptions, 'allowedOrigins' | 'resolve'> {
  readonly clock: Clock
  /** 0 to 1, for the length of waits. */
  readonly random: () => number
  /** The client's name as servers see it; some refuse clients without one. */
  readonly userAgent: string
  /** For sources without an entry in `paces`. Default: 2 at once, 200 ms between starts. */
  readonly pace?: Pace | undefined
  /** Paces that services ask for, by service name. */
  readonly paces?: Readonly<Record<string, Pace>> | undefined
  /** Default: {@link createCoolDowns} with the same clock. */
  readonly coolDowns?: CoolDowns | undefined
}

/** A request to a source. */
export interface WebFetchOptions extends Omit<GuardedFetchOptions, 'allowedOrigins' | 'resolve'> {
  /** A service's name, for its pace and cool-down; by default the address's host. */
  readonly source?: string | undefined
  /** Additional headers computed for each attempt: the partial file may have grown. */
  readonly headersOfAttempt?: (() => Promise<Readonly<Record<string, string>>>) | undefined
}

/** A process's access to the web: guarded and paced, with retries and cool-downs. */
export interface Web {
  /** Like {@link guardedFetch}; returns `cooling_down` immediately during a cool-down. */
  fetch(address: string, options?: WebFetchOptions): Promise<FetchOutcome>
  /** Why an address is never requested, as far as known before resolving its name. */
  refusalOf(address: string): FetchFailure | undefined
}

/** After the first attempt. */
const maxRetries = 2
const firstWaitMs = 500
/** Longer waits requested by a source are not honoured. */
const maxWaitMs = 10_000
const usualPace: Pace = { atOnce: 2, gapMs: 200 }

/** A fetch with all its attempts. */
interface Call {
  readonly address: string
  readonly source: string
  readonly options: WebFetchOptions
  readonly signal: AbortSignal
}

/** Creates web access with no source cooling down. */
export function createWeb(settings: WebSettings): Web {
  const { clock, userAgent, allowedOrigins, resolve, pace = usualPace, paces = {} } = settings
  const { coolDowns = createCoolDowns({ clock }) } = settings
  const pacer = createPacer(clock, (source) => {
    const own = paces[source] ?? pace
    // Requests waiting while a source cools down are told immediately.
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

/** Retries until success, a permanent failure, or a requested wait that is too long. */
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
    await clock.sleep(Math.ceil(waitMs) + 1, signal) // Timers may fire a millisecond early.
  }
}

/** A host that only redirected has answered; the target is noted under its own host. */
function noteOutcome(coolDowns: CoolDowns, { source, options }: Call, outcome: FetchOutcome): void {
  const failure = outcome.ok ? undefined : outcome.failure
  const { url = '' } = failure ?? {}
  const host = URL.canParse(url) ? new URL(url).host : source
  const isElsewhere = options.source === undefined && host !== source
  coolDowns.note(source, isElsewhere ? undefined : failure)
  if (isElsewhere) coolDowns.note(host, failure)
}

/**
 * Whether the same request may succeed soon. A request that is not a read is repeated only if it certainly was not
 * received.
 */
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
