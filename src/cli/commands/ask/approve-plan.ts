import type { Json, JsonObject } from '../../../kernel/json.ts'
import { asObject } from '../../render/as-object.ts'
import { withAddresses } from '../../render/format-gaps.ts'
import { oneLine, visibleOnOneLine, wrap } from '../../render/text.ts'
import type { Terminal } from '../../terminal.ts'
import { askPerson } from './ask-person.ts'

/** A plan that awaits a person's approval. */
export interface AskedPlan {
  readonly kind: 'plan'
  readonly question?: string
  readonly research_steps: readonly string[]
  readonly expert_steps: readonly string[]
  readonly needs?: readonly (readonly number[])[]
  /** Why the last answer was invalid. */
  readonly problem?: string
}

/** A plan as numbered lines; each research step with the steps it needs. */
export function planLines(plan: AskedPlan): readonly string[] {
  const shown = (step: string) => visibleOnOneLine(withAddresses(step, plan.question ?? ''))
  const research = plan.research_steps.map((step, index) => {
    const needed = plan.needs?.[index] ?? []
    const after = needed.length === 0 ? '' : ` (needs ${needed.join(', ')})`
    return `  ${index + 1}. ${shown(step)}${after}`
  })
  return [
    research.length === 0 ? 'Plan: no research needed.' : 'Plan: research',
    ...research,
    'Then',
    ...plan.expert_steps.map((step) => `  - ${shown(step)}`),
  ]
}

/**
 * Tells the plan and how to continue, when nobody can be asked.
 * @param command the command that resumes the run
 */
export function tellWaitingPlan(terminal: Terminal, plan: AskedPlan, command: string): void {
  tellPlan(terminal, plan)
  const resume = `${command} --answer`
  const ways = [
    'The run is waiting for you. To continue:',
    `  ${resume} approve`,
    `  ${resume} refuse`,
    `  ${resume} 'feedback for the planner'`,
    `  ${resume} '{"research_steps": ["…"]}'`,
  ]
  for (const line of ways) terminal.tell(terminal.asTyped(line))
}

/** The hint in JSON output for a plan that awaits approval. @param command the command that resumes the run */
export function planHint(command: string): string {
  return `${command} --answer approve. Or: refuse; feedback for the planner; or another plan as JSON: {"research_steps": ["…"], "expert_steps": ["…"], "needs": [[], [1]]}, where "needs" lists for each research step the numbers (from 1) of the steps it depends on.`
}

function tellPlan(terminal: Terminal, plan: AskedPlan): void {
  const { columns = Infinity } = terminal.stderr
  if (plan.problem !== undefined) terminal.tell(`Invalid answer: ${oneLine(plan.problem)}`)
  for (const line of planLines(plan))
    for (const part of wrap(line, columns, '     ')) terminal.tell(part)
}

/** Whether a person at a terminal can be asked. */
export function canBeAsked({ host }: Terminal): boolean {
  return host.stdin.isTTY === true && host.stderr.isTTY === true
}

/**
 * Asks the person at the terminal about a plan; `undefined` if the input ends without an answer.
 * @param interrupt aborts the question, and is called on Ctrl-C
 * @throws `cancelled`
 */
export async function askAboutPlan(
  terminal: Terminal,
  plan: AskedPlan,
  interrupt: AbortController,
): Promise<Json | undefined> {
  tellPlan(terminal, plan)
  return askPerson(terminal, interrupt, async (ask) => {
    for (;;) {
      const said = (await ask('Approve this plan? (y)es, (n)o, (e)dit: ')).trim()
      if (/^(?:y|yes)$/i.test(said)) return 'approve'
      if (/^(?:n|no)$/i.test(said)) return 'refuse'
      if (/^(?:e|edit)$/i.test(said))
        return await ask('What should change? Feedback for the planner, or a plan as JSON: ')
      if (said !== '') return said
    }
  })
}

/** Describes the person's decision on a plan, from the patch of the node that asked. */
export function describeApproval(patch: JsonObject): string {
  const { decision, feedback, researchSteps, expertSteps } = asObject(patch.plan)
  if (asObject(patch.answer).text !== undefined) return 'The user refused the plan.'
  if (decision === 'reject') return `The user asked for another plan: ${feedback}`
  const isChanged = researchSteps !== undefined || expertSteps !== undefined
  return isChanged ? 'The user changed the plan.' : 'The user approved the plan.'
}
