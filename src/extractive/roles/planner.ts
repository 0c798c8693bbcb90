import type { PlannerInput, PlannerOutput } from '../../citations/role-requests.ts'
import { describeCalculation, readCalculation } from '../question/calculation.ts'
import { readComparison } from '../question/comparison.ts'
import { readQuestion } from '../question/question.ts'
import { splitQuestion, toReadable } from '../question/split-question.ts'

const maxSteps = 6

/**
 * Plans any text: calculations for the expert and one research step for each other question, at most 6 steps.
 * After a rejection the plan differs from the one before.
 *
 * @param attempt how many plans came before
 */
export function plan({ question, feedback }: PlannerInput, attempt: number): PlannerOutput {
  const first = makeFirstPlan(question)
  const isFirst = feedback === null && attempt === 0
  if (isFirst || first.research_steps.length === 0) return first
  const others = listAlternatives(question, first.research_steps)
  const steps = others[Math.max(0, attempt - 1) % others.length] ?? first.research_steps
  return { ...first, research_steps: steps }
}

function makeFirstPlan(question: string): PlannerOutput {
  const research: string[] = []
  const expert: string[] = []
  const parts = readCalculation(question) === undefined ? splitQuestion(question) : [question]
  for (const part of parts) {
    const calculation = readCalculation(part)
    if (calculation !== undefined) {
      const tool = calculation.tool === 'calculate' ? 'calculator' : 'unit converter'
      expert.push(`Calculate ${describeCalculation(calculation)} with the ${tool}.`)
      continue
    }
    const comparison = readComparison(part)
    research.push(...(comparison?.steps ?? [part]))
    if (comparison?.order === 'span')
      expert.push('Calculate the years between with the calculator.')
    else if (comparison) expert.push(`Set ${comparison.things.join(' and ')} side by side.`)
  }
  if (research.length === 0 && expert.length === 0) research.push('Find what is asked.')
  if (research.length > 0) expert.push('Answer from what was found, with its citations.')
  return {
    research_steps: [...new Set(research)].slice(0, maxSteps),
    expert_steps: [...new Set(expert)].slice(0, maxSteps),
  }
}

/** Alternative plans: the whole question, its key words alone, or the first plan plus the key words. */
function listAlternatives(
  question: string,
  first: readonly string[],
): readonly (readonly string[])[] {
  const whole = toReadable(question).slice(0, 400)
  const keywords = readQuestion(whole)
    .terms.filter(({ isWeak }) => !isWeak)
    .map(({ text }) => text)
  const broader = `Find passages about ${keywords.length > 0 ? keywords.join(' ') : whole}.`
  const plans = [[whole], [broader], [...first.slice(0, maxSteps - 1), broader]]
  return plans.filter((steps) => steps.join('\n') !== first.join('\n') && steps[0]?.trim() !== '')
}
