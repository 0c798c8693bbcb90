import { saysNothing } from '../../citations/role-input.ts'
import { inertMarkdown } from '../../citations/verify-claims/inert-markdown.ts'
import type { Patch } from '../../graph/graph.ts'
import { calculates, numbersStated } from './calculated.ts'
import { citedNumbers } from './evidence.ts'
import type { AskState } from './state.ts'

/**
 * Of a short answer that cites nothing the text from which it was made: its sentences are the claims that stand behind the answer,
 * since a bare number or name says nothing that could be looked up.
 */
export function basisPatch(
  { answerFormat, expertAnswer }: AskState,
  finalAnswer: string,
): Patch<AskState> {
  const isBare = citedNumbers(finalAnswer).length === 0 && !saysNothing(finalAnswer)
  return answerFormat === 'short' && isBare ? { answerBasis: inertMarkdown(expertAnswer) } : {}
}

/** A state whose final answer is the text that is checked: of a short answer what it was made from, else the answer itself. */
export function withBasis(state: AskState): AskState {
  return state.answerBasis === '' ? state : { ...state, finalAnswer: state.answerBasis }
}

/**
 * Whether a short answer stands in the text from which it was made: each number of it is stated there or was calculated, and one
 * of its words is there. `Yes` and `no` need not be.
 */
export function standsInBasis({ finalAnswer, answerBasis, calculations }: AskState): boolean {
  if (answerBasis === '') return true
  const results = calculations.filter(calculates).map(({ result }) => result)
  if (!numbersStated(finalAnswer, [answerBasis, ...results].join(' ; '))) return false
  const words = wordsOf(finalAnswer).filter((word) => !/^\d/.test(word))
  const there = new Set(wordsOf(answerBasis))
  return words.length === 0 || words.some((word) => there.has(word) || plainWords.has(word))
}

const plainWords: ReadonlySet<string> = new Set(['yes', 'no', 'true', 'false', 'none'])

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
