import { ScholiumError } from '../../../kernel/errors.ts'
import type { TraceFilter } from '../../../observe/trace-reader.ts'
import type { GivenOptions } from '../../arguments/option.ts'

/** The runs that a command's options select. @throws `invalid_input` for an invalid time */
export function readFilter(options: GivenOptions, nowMs: number): TraceFilter {
  const session = options.filled('session')
  const user = options.filled('user')
  const agent = options.filled('agent')
  const limit = options.whole('limit', 1)
  const since = options.filled('since')
  const until = options.filled('until')
  return {
    ...(session === undefined ? {} : { session }),
    ...(user === undefined ? {} : { user }),
    ...(agent === undefined ? {} : { agent }),
    ...(limit === undefined ? {} : { limit }),
    ...(since === undefined ? {} : { sinceMs: parseTime('since', since, nowMs) }),
    ...(until === undefined ? {} : { untilMs: parseTime('until', until, nowMs) }),
  }
}

const unitsMs: Readonly<Record<string, number>> = {
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/**
 * Milliseconds of an age such as `30d`; `undefined` if invalid. `m` is not accepted: it could mean minutes or months.
 */
export function ageMs(text: string): number | undefined {
  const [, number, unit = ''] = /^(\d+)([hdw])$/.exec(text) ?? []
  const unitMs = unitsMs[unit]
  return unitMs === undefined ? undefined : Number(number) * unitMs
}

/** The hint for an invalid age. @param usual the hint for any other */
export function ageHint(text: string, usual: string): string {
  const [, number] = /^(\d+)\s*m/i.exec(text) ?? []
  if (number === undefined) return usual
  const hours = Math.max(1, Math.ceil(Number(number) / 60))
  return `"m" is ambiguous (minutes or months). Give hours, days or weeks: ${hours}h, or ${30 * Number(number)}d.`
}

/** A day begins at midnight in the person's time zone. */
function parseTime(name: string, text: string, nowMs: number): number {
  const age = ageMs(text)
  if (age !== undefined) return nowMs - age
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text)
  const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text)
  const timeMs = isDay || isTime ? new Date(isDay ? `${text}T00:00` : text).getTime() : Number.NaN
  if (!Number.isNaN(timeMs)) return timeMs
  throw new ScholiumError('invalid_input', `Invalid value for --${name}: "${text}".`, {
    hint: ageHint(text, 'Give an age such as 12h, 7d or 4w, or a date such as 2026-11-20.'),
  })
}
