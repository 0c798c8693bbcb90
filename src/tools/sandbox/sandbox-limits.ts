import { ScholiumError } from '../../kernel/errors.ts'

/** Limits of one run of untrusted code. */
export interface SandboxLimits {
  /** Wall time of the code in milliseconds, without starting its process. Default 10,000. */
  readonly wallMs: number
  /**
   * Resident memory of the process including the interpreter (Python about 190 MB, others 60 to 110). Default 512, at
   * least 320.
   */
  readonly memoryMb: number
  /** Output kept, in bytes; more is cut in the middle. Default 65,536. */
  readonly outputBytes: number
  /** Length of the value as text; more is cut in the middle. Default 16,384. */
  readonly valueCharacters: number
}

/** The default limits. */
export const defaultSandboxLimits: SandboxLimits = {
  wallMs: 10_000,
  memoryMb: 512,
  outputBytes: 65_536,
  valueCharacters: 16_384,
}

const minMemoryMb = 320

/**
 * The default limits with changes.
 * @throws {@link ScholiumError} `invalid_configuration` for an impossible limit
 */
export function sandboxLimits(changed: Partial<SandboxLimits>): SandboxLimits {
  const limits = { ...defaultSandboxLimits, ...changed }
  for (const [name, amount] of Object.entries(limits)) {
    const least = name === 'memoryMb' ? minMemoryMb : 1
    if (Number.isInteger(amount) && amount >= least) continue
    throw new ScholiumError(
      'invalid_configuration',
      `The sandbox's ${name} cannot be ${amount}: it must be a whole number of ${least} or more.`,
    )
  }
  return limits
}

/** Maximum processes that run code at once; others wait. */
export const maxSandboxProcesses = 2
/** A session's process may use this many times the time limit in total; then it is replaced. */
export const sessionRunLimits = 5
/** Maximum runs per session process. */
export const maxSessionRuns = 200
/** A session's process that still holds more than this share of its memory after a run is replaced. */
export const sessionMemoryShare = 0.75
/** How long an unused spare process is kept. */
export const spareIdleMs = 30_000
/** Time to start a process and load its language; usually about 1.5 s. */
export const maxStartMs = 60_000
/** Interval of memory checks. */
export const memoryCheckIntervalMs = 50
/** Maximum length of a child's line: a result with its figures. */
export const maxLineCharacters = 2_000_000
