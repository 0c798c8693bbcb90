import type { Clock } from '../../kernel/run/clock.ts'
import type { FetchFailure } from './fetch-failure.ts'

/** How long sources cool down. */
export interface CoolDownSettings {
  readonly clock: Clock
  /** Consecutive failures that start a cool-down. Default 3. */
  readonly failuresInARow?: number | undefined
  /** The first cool-down in milliseconds if the source does not name one; doubled each time. Default 30,000. */
  readonly restMs?: number | undefined
}

/** A source's cool-down. */
export interface CoolDown {
  /** Remaining time in milliseconds, above 0. */
  readonly leftMs: number
  /** The failure that caused it, as a sentence. */
  readonly because: string
}

/**
 * The cool-downs of sources, shared by all agents of a process. A source is a host or a named service. They are not part
 * of a run; what a step was told is in the run's log.
 */
export interface CoolDowns {
  /** A source's remaining cool-down; `undefined` if it may be requested. */
  restOf(source: string): CoolDown | undefined
  /** Records a source's response; without a failure it was fine. */
  note(source: string, failure?: FetchFailure): void
}

interface Health {
  failures: number
  rests: number
  restsUntil: number
  because: string
}

/** Maximum cool-down that the source did not ask for. */
const maxRestMs = 15 * 60_000
/** Maximum number of sources remembered; the oldest are dropped. */
const maxSources = 10_000
/** Creates cool-downs with no source cooling down. */
export function createCoolDowns(settings: CoolDownSettings): CoolDowns {
  const { clock, failuresInARow = 3, restMs = 30_000 } = settings
  const sources = new Map<string, Health>()

  const rest = (health: Health, { retryAfterMs, detail }: FetchFailure): void => {
    const ownMs = Math.min(restMs * 2 ** health.rests, maxRestMs)
    const until = clock.now() + (retryAfterMs ?? ownMs)
    health.rests++
    if (until <= health.restsUntil) return
    health.restsUntil = until
    health.because = detail
  }

  return {
    restOf(source) {
      const { restsUntil = 0, because = '' } = sources.get(source) ?? {}
      const leftMs = restsUntil - clock.now()
      return leftMs > 0 ? { leftMs, because } : undefined
    },
    note(source, failure) {
      const known = sources.get(source)
      if (failure === undefined || hasAnswered(failure)) {
        if (known === undefined) return
        // A response to an earlier request does not end the cool-down.
        if (known.restsUntil <= clock.now()) sources.delete(source)
        else known.failures = 0
      } else if (isOwnFault(failure)) {
        const health = known ?? { failures: 0, rests: 0, restsUntil: 0, because: '' }
        rememberHealth(sources, source, health)
        health.failures++
        const asksForRest = failure.status === 429 || failure.retryAfterMs !== undefined
        if (asksForRest || health.failures >= failuresInARow) rest(health, failure)
      }
    },
  }
}

/** Failures that show a working source: the page is missing or unsupported. */
function hasAnswered({ reason, status = 0 }: FetchFailure): boolean {
  return (
    reason === 'too_large' ||
    reason === 'unsupported_type' ||
    (reason === 'http_status' && status < 500 && status !== 429)
  )
}

/** Failures that may pass if the source is left alone. Others say nothing about it. */
function isOwnFault({ reason, status = 0, code }: FetchFailure): boolean {
  if (reason === 'http_status') return status === 429 || status >= 500
  if (reason === 'dns') return code === 'EAI_AGAIN'
  return reason === 'refused' || reason === 'reset' || reason === 'timeout'
}

function rememberHealth(sources: Map<string, Health>, source: string, health: Health): void {
  sources.delete(source)
  sources.set(source, health)
  const [oldest] = sources.keys()
  if (sources.size > maxSources && oldest !== undefined) sources.delete(oldest)
}
