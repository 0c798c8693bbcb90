import { ScholiumError } from '../../kernel/errors.ts'

/** How much one run of foreign code may use. */
export interface SandboxLimits {
  /** Wall time of the code itself, without the start of its process. Default 10,000. */
  readonly wallMs: number
  /** Resident memory of the whole process, the interpreter with it (Python about 190 MB, the others 60 to 110). Default 512, at least 320. */
  readonly memoryMb: number
  /** What is kept of the output; more is cut in the middle. Default 65,536. */
  readonly outputBytes: number
  /** What is kept of the value as text; more is cut in the middle. Default 16,384. */
  readonly valueCharacters: number
}

/** What a run may use unless somebody says otherwise. */
export const defaultSandboxLimits: SandboxLimits = {
  wallMs: 10_000,
  memoryMb: 512,
  outputBytes: 65_536,
  valueCharacters: 16_384,
}

const minMemoryMb = 320

/**
 * The default limits with some of them changed.
 * @throws {@link ScholiumError} `invalid_configuration` for one that no run could keep
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

/** Processes that run code at the same time; others wait. */
export const maxSandboxProcesses = 2
/** How many times the limit of time a process of a session may use in all; then another one takes its place. */
export const sessionRunLimits = 5
/** How many runs a process of a session takes. */
export const maxSessionRuns = 200
/** The part of its memory that a process of a session may still hold after a run; with more, another takes its place. */
export const sessionMemoryShare = 0.75
/** How long a spare process that has run nothing is kept. */
export const spareIdleMs = 30_000
/** Time that a process may take to start and to load its language: about 1.5 s as a rule. */
export const maxStartMs = 60_000
/** How often the memory of a process is looked at. */
export const memoryCheckIntervalMs = 50
/** The longest line a child may send: a result with its figures. */
export const maxLineCharacters = 2_000_000
