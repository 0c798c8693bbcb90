import { normalizeAnswer } from './squad.ts'

/**
 * The label with which an answer begins, normalised as for exact match; `undefined` where it begins with none. Of two that both
 * fit, the longer one.
 */
export function labelOf(answer: string, labels: readonly string[]): string | undefined {
  const given = `${normalizeAnswer(answer)} `
  return labels
    .filter((label) => given.startsWith(`${normalizeAnswer(label)} `))
    .toSorted((one, other) => other.length - one.length)[0]
}
