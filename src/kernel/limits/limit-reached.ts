import { type Failure, ScholiumError } from '../errors.ts'

/** A limit, by the name it has in {@link Limits}. */
export type LimitName = 'maxSteps' | 'maxTokens' | 'maxCostUsd' | 'maxWallMs' | 'maxLogBytes'

/** An upper bound of what one attempt can use. */
export interface Reservation {
  readonly steps: number
  readonly tokens: number
  /** null: unknown; then a dollar limit does not bind it. */
  readonly costUsd: number | null
  /** How long the answer may be that is reserved for, where a limit may stretch or shrink it. */
  readonly output?: OutputRange
}

/** How long an answer may be, in tokens: `usual` is what its reservation holds. */
export interface OutputRange {
  readonly least: number
  readonly usual: number
  /** `Infinity` where no maximum is known. */
  readonly most: number
  /** null: unknown. */
  readonly usdPerToken: number | null
}

/** What is left of each bound; `Infinity` where nothing binds. */
export interface Remaining {
  readonly steps: number
  readonly tokens: number
  readonly costUsd: number
}

/** How an account stands with one of its limits. */
export interface Standing {
  readonly allowed: number
  readonly used: number
  /** Reserved by calls that are under way. */
  readonly held: number
  /** Kept back for other purposes, by name. */
  readonly kept: Readonly<Record<string, number>>
}

const limitNames: Record<
  LimitName,
  {
    readonly option: string
    readonly unit: string
    readonly sign?: string
    readonly scale?: number
  }
> = {
  maxSteps: { option: '--max-steps', unit: 'model and tool calls' },
  maxTokens: { option: '--max-tokens', unit: 'tokens' },
  maxCostUsd: { option: '--max-cost-usd', unit: 'dollars', sign: '$' },
  maxWallMs: { option: '--max-seconds', unit: 'time', scale: 1_000 },
  maxLogBytes: { option: '--max-log-mb', unit: 'megabytes of the log', scale: 1_000_000 },
}

/** Whether nothing can be kept back of what was used up, so that code alone brings the run to its end. */
export function leavesNoShare({ details }: Pick<Failure, 'details'>): boolean {
  return details?.limit === 'maxWallMs' || details?.limit === 'maxLogBytes'
}

/**
 * The error that says which limit was reached, and by what.
 * @param part the path of the part of the run whose limit it is; empty for the run's own
 * @param standing how the account stands whose limit it is; of time nothing is told
 */
export function limitReached(
  limit: LimitName,
  reservation: Reservation,
  remaining: Remaining,
  part: string,
  standing?: Standing,
): ScholiumError {
  const { option, unit } = limitNames[limit]
  const amounts = {
    maxSteps: [reservation.steps, remaining.steps],
    maxTokens: [reservation.tokens, remaining.tokens],
    maxCostUsd: [reservation.costUsd, remaining.costUsd],
    maxWallMs: [null, 0],
    maxLogBytes: [0, (standing?.allowed ?? 0) - (standing?.used ?? 0)],
  } as const
  const [asked, left] = amounts[limit]
  const sums =
    standing === undefined || asked === null ? '' : ` ${describe(limit, asked, left, standing)}`
  const whose = part === '' ? '' : ` of ${part}`
  return new ScholiumError('limit_reached', `The limit on ${unit}${whose} was reached.${sums}`, {
    hint: part === '' ? `Allow more with ${option}.` : 'This part of the run has its own limit.',
    details: {
      limit,
      asked,
      left: Number.isFinite(left) ? left : null,
      ...(standing === undefined ? {} : { ...standing }),
      ...(part === '' ? {} : { part }),
    },
  })
}

/** The sum that does not come out: what is used, held, kept and left, and what was asked for. */
function describe(
  limit: LimitName,
  asked: number,
  left: number,
  { allowed, used, held, kept }: Standing,
): string {
  const { sign = '', scale = 1 } = limitNames[limit]
  const amount = (value: number) => `${sign}${plain(Math.max(0, value) / scale)}`
  const terms = [
    `Used: ${amount(used)} of ${amount(allowed)}`,
    ...(held > 0 ? [`reserved by calls in progress: ${amount(held)}`] : []),
    ...Object.entries(kept).map(([share, value]) => `reserved for the ${share}: ${amount(value)}`),
    `left: ${amount(left)}`,
  ]
  const next = limit === 'maxLogBytes' ? '' : `; the next call may need ${amount(asked)}`
  return `${terms.join(', ')}${next}.`
}

/**
 * The error of a limit with what a person can do about it in this run: the command that goes on under a higher limit, twice as
 * high or a little higher than the next call needs. The limit of a part is in the code that made it, and stays as it is.
 * @param allowedMs how much time was allowed, where that was the limit
 */
export function toResumable(
  error: ScholiumError,
  runId: string,
  allowedMs: number | undefined,
): ScholiumError {
  const { limit, part, asked, left, allowed = allowedMs ?? null } = error.details
  if (typeof limit !== 'string' || typeof allowed !== 'number') return error
  const name = limit as LimitName
  const isTime = name === 'maxWallMs'
  const message = isTime
    ? `${error.message} The limit is ${plain(allowed / 1000)} s of work.`
    : error.message
  const need = typeof asked === 'number' && typeof left === 'number' ? allowed - left + asked : 0
  const more = Math.max(2 * allowed, need * growthFactor(name))
  const command = `scholium resume ${runId} ${limitNames[name].option} ${roundUp(name, more)}`
  return new ScholiumError('limit_reached', message, {
    hint:
      part === undefined ? `To continue with a higher limit: ${command}` : (error.hint as string),
    details: isTime ? { ...error.details, allowed } : error.details,
    cause: error.cause,
  })
}

/** What is said before the next call makes it larger. */
function growthFactor(limit: LimitName): number {
  return limit === 'maxTokens' || limit === 'maxCostUsd' ? 1.2 : 1
}

/** An amount as an option takes it, two significant digits where it is no whole number. */
function roundUp(limit: LimitName, amount: number): string {
  const { scale: unit = 1 } = limitNames[limit]
  if (limit !== 'maxCostUsd') return String(Math.max(1, Math.ceil(amount / unit)))
  const digits = amount > 0 ? 1 - Math.floor(Math.log10(amount)) : 2
  const scale = 10 ** Math.max(0, digits)
  return plain(Math.max(1, Math.ceil(amount * scale)) / scale)
}

/** A number without what floating point adds to it. */
function plain(value: number): string {
  return String(Number(value.toPrecision(6)))
}

/** What is said of limits that were passed, or `undefined` for none. */
export function describeOvershoot(over: Partial<Record<LimitName, number>>): string | undefined {
  const passed = Object.entries(over).map(
    ([name, amount]) => `${limitNames[name as LimitName].unit} by ${plain(amount)}`,
  )
  return passed.length === 0
    ? undefined
    : `The limits were exceeded: ${passed.join(', ')}. A service used more than the estimated maximum of a call.`
}
