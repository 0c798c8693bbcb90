import type { Json } from '../../kernel/json.ts'
import { figureSvg } from './figure-svg.ts'
import type { SandboxLimits } from './sandbox-limits.ts'
import type { SandboxEnd } from './sandbox-process.ts'

/** What came of a run of foreign code. */
export interface SandboxResult {
  /** What it printed, errors and all. */
  readonly output: string
  /** The value of its last expression where that is JSON, else its text in the language's own notation; null for none. */
  readonly value: Json
  readonly error: SandboxError | null
  /** Drawings as SVG, made here from checked numbers: nothing in them is foreign markup. */
  readonly figures: readonly string[]
}

/** Why code did not end well: its own exception, or the limit that it met. */
export interface SandboxError {
  /** An exception's name, or `TimeLimitExceeded`, `MemoryLimitExceeded`, `RecursionError`, `SandboxCrashed`. */
  readonly type: string
  readonly message: string
  /** The line of the code, from 1, where that is known. */
  readonly line: number | null
  /** The way to that line through the code's own functions; empty where there is none. */
  readonly traceback: string
}

/** What a run came to, for who asked for it. */
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
