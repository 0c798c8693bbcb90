import type { Clock } from '../../kernel/run/clock.ts'
import type { FetchFailure } from './fetch-failure.ts'

/** How long sources rest. */
export interface CoolDownSettings {
  readonly clock: Clock
  /** So many failures in a row send a source to rest. Default 3. */
  readonly failuresInARow?: number | undefined
  /** The first rest where the source does not say how long; doubled with each rest after it. Default 30,000. */
  readonly restMs?: number | undefined
}

/** A source's rest. */
export interface CoolDown {
  /** Above 0, in milliseconds. */
  readonly leftMs: number
  /** The failure that it rests for, a sentence. */
  readonly because: string
}

/**
 * Which sources rest: one for all agents of a process. A source is a host or a service by its name. It lives outside of runs:
 * what a step was told stands in the run's log.
 */
export interface CoolDowns {
  /** How long a source still rests and what for; `undefined` when it may be asked. */
  restOf(source: string): CoolDown | undefined
  /** Takes note of how a source answered; without a failure it did. */
  note(source: string, failure?: FetchFailure): void
}

interface Health {
  failures: number
  rests: number
  restsUntil: number
  because: string
}

/** No rest that is not asked for is longer. */
const maxRestMs = 15 * 60_000
/** Sources that are remembered; the oldest go first. */
const maxSources = 10_000
/** Cool-downs with none resting. */
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
        // An answer to a question of before the rest does not end it.
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

/** Failures that tell that the source is well: it has no such page, or one that is not read. */
function hasAnswered({ reason, status = 0 }: FetchFailure): boolean {
  return (
    reason === 'too_large' ||
    reason === 'unsupported_type' ||
    (reason === 'http_status' && status < 500 && status !== 429)
  )
}

/** Failures that may pass when the source is left alone. The others tell nothing of it. */
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
