import type { ResearcherInput, ResearchResult } from '../../citations/role-requests.ts'
import type { Calculation } from '../question/calculation.ts'
import type { ToolOutcome, ToolOutcomes } from '../role-request.ts'
import { answerAsExpert } from './expert.ts'
import { plan } from './planner.ts'
import { type ResearchMove, research } from './researcher.ts'

/** The next move of one agent: calculations, a search, more to read, or the answer. */
export type QuickMove = ResearchMove | { readonly calls: readonly Calculation[] }

/** Chooses the next move of one agent that does what planner, researcher and expert would do: at most one research step. */
export function answerQuickly(
  input: ResearcherInput,
  outcomes: ToolOutcomes,
  offered: ReadonlySet<string>,
): QuickMove {
  const { question, feedback } = input
  const { research_steps: steps, expert_steps } = plan({ question, feedback: null }, 0)
  const calculated = {
    earlier: outcomes.earlier.filter(isCalculation),
    now: outcomes.now.filter(isCalculation),
  }
  const answer = (found: readonly ResearchResult[]): QuickMove => {
    const asked = { question, expert_steps, research: found, feedback }
    const move = answerAsExpert(asked, calculated, offered)
    return 'calls' in move ? move : { answer: { result: move.answer.expert_answer } }
  }
  const first = answer([])
  const [step, ...others] = steps
  if ('calls' in first || step === undefined) return first
  const request = others.length === 0 ? step : input.request
  const found = research({ ...input, request }, outcomes, offered)
  return 'answer' in found ? answer([{ request, result: found.answer.result }]) : found
}

function isCalculation({ tool }: ToolOutcome): boolean {
  return tool === 'calculate' || tool === 'convert_units'
}
