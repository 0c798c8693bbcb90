import type { SetSummary } from '../summary.ts'
import { costText, percent, rateText, secondsText } from './figures.ts'

/** The columns of the table of scores: the head of each and what it says of a set. */
export const scoreColumns: readonly {
  readonly head: string
  text(summary: SetSummary): string
}[] = [
  { head: 'set', text: ({ set }) => set },
  { head: 'n', text: ({ questions }) => String(questions) },
  { head: 'answered', text: ({ answered }) => rateText(answered) },
  { head: 'EM', text: ({ exactMatch }) => rateText(exactMatch) },
  { head: 'GAIA', text: ({ gaia }) => rateText(gaia) },
  { head: 'label', text: ({ label }) => rateText(label) },
  { head: 'F1', text: ({ f1 }) => percent(f1) },
  { head: 'supported', text: ({ support }) => rateText(support) },
  { head: 'checked', text: ({ coverage }) => rateText(coverage) },
  { head: 'cost', text: ({ cost }) => costText(cost) },
  { head: 'p50', text: ({ seconds }) => secondsText(seconds.p50) },
  { head: 'p95', text: ({ seconds }) => secondsText(seconds.p95) },
]

/** The names of the models that were at work, each once. */
export function engineNames(models: Readonly<Record<string, string>>): readonly string[] {
  return [...new Set(Object.values(models))]
}

/** What is said where the built-in engine has answered; nothing elsewhere. */
export function engineNotes(models: Readonly<Record<string, string>>): readonly string[] {
  return engineNames(models).includes('extractive')
    ? ['The built-in extractive engine is not a language model: it selects and quotes sentences.']
    : []
}
