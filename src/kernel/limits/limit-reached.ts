import { type Failure, ScholiumError } from '../errors.ts'

/** A limit, by its name in {@link Limits}. */
export type LimitName = 'maxSteps' | 'maxTokens' | 'maxCostUsd' | 'maxWallMs' | 'maxLogBytes'

/** An upper bound of what one attempt can use. */
export interface Reservation {
  readonly steps: number
  readonly tokens: number
  /** null: unknown; dollar limits then do not apply to it. */
  readonly costUsd: number | null
  /** Possible lengths of the reserved answer, if a limit may extend or shorten it. */
  readonly output?: OutputRange
}

/** Possible lengths of an answer in tokens; `usual` is what its reservation contains. */
export interface OutputRange {
  readonly least: number
  readonly usual: number
  /** `Infinity` if no maximum is known. */
  readonly most: number
  /** null: unknown. */
  readonly usdPerToken: number | null
}

/** What remains of each limit; `Infinity` if there is none. */
export interface Remaining {
  readonly steps: number
  readonly tokens: number
  readonly costUsd: number
}

/** The balance of an account for one of its limits. */
export interface LimitBalance {
  readonly allowed: number
  readonly used: number
  /** Reserved by calls in progress. */
  readonly held: number
  /** Set aside for other purposes, by name. */
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

/** Whether nothing is set aside for the end of the run, or there is no time for it, so that code alone ends it. */
export function leavesNoShare({ details = {} }: Pick<Failure, 'details'>): boolean {
  const { limit } = details
  return limit === 'maxWallMs' || limit === 'maxLogBytes' || wasEndedEarly({ details })
}

/** Whether a person, not a limit, ended the work. */
export function wasEndedEarly({ details }: Pick<Failure, 'details'>): boolean {
  return details?.limit === 'finish'
}

/**
 * The error of work that a person ended early, to have the answer so far.
 * @param reason of the signal; if it is a `ScholiumError`, its details are recorded, such as who it was
 */
export function finishRequested(reason?: unknown): ScholiumError {
  const told = reason instanceof ScholiumError ? reason.details : {}
  return new ScholiumError('limit_reached', 'The answer was requested before the work was done.', {
    hint: 'To have the rest worked out, ask again.',
    details: { ...told, limit: 'finish' },
  })
}

/**
 * The error that says which limit was reached, and why.
 * @param part the path of the part of the run that has the limit; empty for the run itself
 * @param standing the balance of the account with the limit; absent for time
 */
export function limitReached(
  limit: LimitName,
  reservation: Reservation,
  remaining: Remaining,
  part: string,
  standing?: LimitBalance,
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

/** The calculation: used, reserved, set aside and remaining, and what was requested. */
function describe(
  limit: LimitName,
  asked: number,
  left: number,
  { allowed, used, held, kept }: LimitBalance,
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
 * Adds to a limit's error what the user can do: the command that resumes this run with a higher limit, twice as high or slightly
 * more than the next call needs. The limit of a part is set in code and stays unchanged.
 * @param allowedMs the allowed time, for a time limit
 */
export function toResumable(
  error: ScholiumError,
  runId: string,
  allowedMs: number | undefined,
): ScholiumError {
  const { limit, part, asked, left, allowed = allowedMs ?? null } = error.details
  if (limit === 'finish' || typeof limit !== 'string' || typeof allowed !== 'number') return error
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

/** The suggested growth, unless the next call needs more. */
function growthFactor(limit: LimitName): number {
  return limit === 'maxTokens' || limit === 'maxCostUsd' ? 1.2 : 1
}

/** An amount as an option value, with two significant digits if it is not an integer. */
function roundUp(limit: LimitName, amount: number): string {
  const { scale: unit = 1 } = limitNames[limit]
  if (limit !== 'maxCostUsd') return String(Math.max(1, Math.ceil(amount / unit)))
  const digits = amount > 0 ? 1 - Math.floor(Math.log10(amount)) : 2
  const scale = 10 ** Math.max(0, digits)
  return plain(Math.max(1, Math.ceil(amount * scale)) / scale)
}

/** A number without floating-point noise. */
function plain(value: number): string {
  return String(Number(value.toPrecision(6)))
}

/** A message about exceeded limits, or `undefined` if there are none. */
export function describeOvershoot(over: Partial<Record<LimitName, number>>): string | undefined {
  const passed = Object.entries(over).map(
    ([name, amount]) => `${limitNames[name as LimitName].unit} by ${plain(amount)}`,
  )
  return passed.length === 0
    ? undefined
    : `The limits were exceeded: ${passed.join(', ')}. A service used more than the estimated maximum of a call.`
}
