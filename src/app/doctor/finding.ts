import type { ErrorCode } from '../../kernel/errors.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import { withoutRunAdvice } from '../runs/without-run-advice.ts'

/** The areas of a setup, in the order of display. */
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

/** The status of a finding: `warning` still works, `problem` does not. */
export type Health = 'ok' | 'warning' | 'problem'

/** The result of checking one thing. */
export type Finding = {
  readonly area: (typeof areas)[number]
  readonly status: Health
  /** What it is about, if an area has several: a model with its roles. */
  readonly subject?: string
  /** What was found, as a sentence without a full stop. */
  readonly text: string
  /** What the person can do about it. */
  readonly hint?: string
  /** Whether it is about something optional that is missing. */
  readonly isAbsent?: true
  /** The code of a failure. */
  readonly code?: ErrorCode
}

/** Checks one area; `signal` aborts when its time is up. Failures are findings, too. */
export interface Check {
  /** Shown in progress, and if the check takes too long. */
  readonly name: string
  readonly area: Finding['area']
  run(signal: AbortSignal, tell: (finding: Finding) => void): Promise<void>
}

/** A finding for an exception. */
export function failure(area: Finding['area'], subject: string, thrown: unknown): Finding {
  const error = withoutRunAdvice(thrown)
  const message = error instanceof Error ? error.message : String(error)
  const text = `${subject === '' ? '' : `${subject}: `}${message.replace(/\.$/, '')}`
  if (!(error instanceof ScholiumError)) return { area, status: 'problem', text }
  const hint = error.hint === undefined ? {} : { hint: error.hint }
  return { area, status: 'problem', text, code: error.code, ...hint }
}
