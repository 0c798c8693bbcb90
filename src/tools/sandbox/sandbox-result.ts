import type { Json } from '../../kernel/json.ts'
import { figureSvg } from './figure-svg.ts'
import type { SandboxLimits } from './sandbox-limits.ts'
import type { SandboxEnd } from './sandbox-process.ts'

/** The result of running untrusted code. */
export interface SandboxResult {
  /** Everything printed, including errors. */
  readonly output: string
  /** The value of its last expression if it is JSON, else its text in the language's notation; null if none. */
  readonly value: Json
  readonly error: SandboxError | null
  /** Drawings as SVG, made here from checked numbers: they contain no foreign markup. */
  readonly figures: readonly string[]
}

/** Why code failed: its own exception, or an exceeded limit. */
export interface SandboxError {
  /** An exception's name, or `TimeLimitExceeded`, `MemoryLimitExceeded`, `RecursionError`, `SandboxCrashed`. */
  readonly type: string
  readonly message: string
  /** The line of the code, 1-based, if known. */
  readonly line: number | null
  /** The call stack within the code; empty if there is none. */
  readonly traceback: string
}

/** A run's result for the caller. */
export function toSandboxResult(end: SandboxEnd, limits: SandboxLimits): SandboxResult {
  const { output } = end
  if (end.how === 'done') {
    const { value, error, figures } = end.result
    return { output, value, error, figures: figures.map(figureSvg) }
  }
  return { output, value: null, error: describeEnd(end, limits), figures: [] }
}

function describeEnd(
  end: Exclude<SandboxEnd, { how: 'done' }>,
  limits: SandboxLimits,
): SandboxError {
  const untraced = { line: null, traceback: '' }
  if (end.how === 'timed_out') {
    const message = `The code was stopped after ${limits.wallMs / 1_000} s.`
    return { type: 'TimeLimitExceeded', message, ...untraced }
  }
  if (end.how === 'out_of_memory') {
    const message = `The code was stopped because it used more than ${limits.memoryMb} MB.`
    return { type: 'MemoryLimitExceeded', message, ...untraced }
  }
  if (end.detail.includes('Maximum call stack size exceeded')) {
    const message = 'The code recurses or nests too deeply for the interpreter.'
    return { type: 'RecursionError', message, ...untraced }
  }
  const message = `The code crashed its interpreter. ${end.detail}`
  return { type: 'SandboxCrashed', message, ...untraced }
}
