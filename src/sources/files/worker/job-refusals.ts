import { maxTextUnits, type Unreadable } from '../../document.ts'
import type { ProcessKind } from './readers.ts'
import { heapMb } from './worker-limits.ts'

/** The refusal of a file that took too long. */
export function refuseTimeout(kind: ProcessKind, limitMs: number): Unreadable {
  const detail = `Reading it took longer than ${Math.round(limitMs / 100) / 10} s.`
  const hint =
    kind === 'pdf'
      ? 'Print it to a new PDF, or split it, and add the result.'
      : 'Save it again, or split it, and add the result.'
  return { reason: 'timed_out', detail, hint }
}

/** The refusal of a file that took too much memory. */
export function refuseMemory(kind: ProcessKind): Unreadable {
  const detail = `Reading it takes more than ${heapMb} MB of memory.`
  const hint =
    kind === 'xlsx'
      ? 'Save its sheets as CSV files and add those.'
      : 'Split it into smaller files and add those.'
  return { reason: 'too_large', detail, hint }
}

/** The refusal of a file with far too much text. */
export function refuseTextSize(): Unreadable {
  const detail = `Its text is far longer than ${maxTextUnits} characters.`
  return { reason: 'too_large', detail, hint: 'Split it into smaller files and add those.' }
}

/** Error messages about endless nesting, from XML readers and their callers. */
const tooDeep = /maximum (?:call stack size|nested tags) exceeded/i
const maxReasonUnits = 200

/** What V8 writes, and engines say, when they run out of memory. */
const outOfMemory = /out of memory|allocation failed/i

/** The refusal of a file on which its reader failed. */
export function refuseCrash(kind: ProcessKind, failure: string): Unreadable {
  if (outOfMemory.test(failure)) return refuseMemory(kind)
  if (tooDeep.test(failure)) {
    const hint = 'Save only its text, or save it as a PDF, and add that.'
    return { reason: 'too_large', detail: 'Its parts are nested too deeply.', hint }
  }
  const reason = failure.replace(/\s+/g, ' ').trim().slice(0, maxReasonUnits).toWellFormed()
  const detail = `Its reader failed: ${reason.replace(/\.$/, '')}.`
  return { reason: 'broken', detail, hint: describeOpening(kind) }
}

/** How a process ended, and the last lines of its standard error. */
export interface ProcessEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly complaint: string
}

/** The refusal of a file that ended its reading process. */
export function refuseEnd(kind: ProcessKind, { code, signal, complaint }: ProcessEnd): Unreadable {
  if (outOfMemory.test(complaint)) return refuseMemory(kind)
  const how = signal === null ? `ended with code ${code}` : `was ended by ${signal}`
  const why = signal === 'SIGKILL' ? ', possibly because the machine ran out of memory' : ''
  const detail = `The process that read it ${how}${why}.`
  return { reason: 'reader_died', detail, hint: describeOpening(kind) }
}

function describeOpening(kind: ProcessKind): string {
  return kind === 'pdf'
    ? 'Open it in a PDF viewer; if that works, print it to a new PDF and add that.'
    : 'Open it in its own program; if that works, save it again or as a PDF and add that.'
}
