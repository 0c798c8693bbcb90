import { isRecord, lineOf, recordsOf } from '../values.ts'

/** A label of YouTube's: one text, or runs of it. */
export function labelOf(label: unknown): string | undefined {
  if (!isRecord(label)) return undefined
  const runs = recordsOf(label.runs, 20).map(({ text }) => (typeof text === 'string' ? text : ''))
  return lineOf(label.simpleText) ?? lineOf(runs.join(''))
}
