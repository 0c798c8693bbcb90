import type { ErrorCode } from '../../kernel/errors.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import { withoutRunAdvice } from '../runs/without-run-advice.ts'

/** The parts of a set-up, in the order in which they are told. */
export const areas = [
  'program',
  'home',
  'configuration',
  'sources',
  'web',
  'mcp',
  'models',
  'python',
  'readers',
] as const

/** How something stands: `warning` still works, `problem` does not. */
export type Health = 'ok' | 'warning' | 'problem'

/** One thing that was looked at. */
export type Finding = {
  readonly area: (typeof areas)[number]
  readonly status: Health
  /** Of what it was found, where an area has several: a model with its roles. */
  readonly subject?: string
  /** What was found, one sentence without its full stop. */
  readonly text: string
  /** What the person can do about it. */
  readonly hint?: string
  /** Whether it is of something that is not there, and need not be. */
  readonly isAbsent?: true
  /** Of a failure. */
  readonly code?: ErrorCode
}

/** Looks at one part; `signal` is aborted when its time is up. Everything is a finding, a failure too. */
export interface Check {
  /** For progress, and where it takes too long. */
  readonly name: string
  readonly area: Finding['area']
  run(signal: AbortSignal, tell: (finding: Finding) => void): Promise<void>
}

/** A thrown failure as a finding. */
export function failure(area: Finding['area'], subject: string, thrown: unknown): Finding {
  const error = withoutRunAdvice(thrown)
  const message = error instanceof Error ? error.message : String(error)
  const text = `${subject === '' ? '' : `${subject}: `}${message.replace(/\.$/, '')}`
  if (!(error instanceof ScholiumError)) return { area, status: 'problem', text }
  const hint = error.hint === undefined ? {} : { hint: error.hint }
  return { area, status: 'problem', text, code: error.code, ...hint }
}
