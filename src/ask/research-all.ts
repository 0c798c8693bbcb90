import type { Patch } from '../graph/graph.ts'
import { runGraph } from '../graph/run-graph.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { settleByNeeds } from '../kernel/run/settle-by-needs.ts'
import { isApproved, mergeSteps, openStep } from './merge-steps.ts'
import { needsOf } from './plan-needs.ts'
import { researchStepGraph } from './research-step.ts'
import { Room } from './room.ts'
import type { AskState } from './state.ts'
import type { TeamParts } from './team.ts'

/** Researchers that work at once at most. */
export const researchersAtOnce = 4

/**
 * All research steps: each with a researcher and a critic of its own, those at once that do not need each other, and fewer of
 * them where a limit is near. What comes of them meets at the end, in the plan's order, so that nothing depends on which of them is faster.
 */
export function researchAllNode(team: TeamParts) {
  return async (state: AskState, context: RunContext): Promise<Patch<AskState>> => {
    const needs = needsOf(state)
    const graph = researchStepGraph(team, state.retryLimit)
    const branches = needs.map((_, index) => context.branch(`branch[${index + 1}]`))
    const room = new Room(context)
    const ended: (AskState | undefined)[] = []
    let isStopped = false
    const settled = await settleByNeeds(needs, researchersAtOnce, async (index) => {
      const needed = (needs[index] ?? []).map((one) => ended[one])
      // What a step rests on was not found: there is nothing that it could ask for.
      if (!needed.every(isApproved)) return
      const branch = branches[index] as RunContext
      branch.join((needs[index] ?? []).map((one) => branches[one] as RunContext))
      const inBranch = branch.child(`researcher[${index + 1}]`)
      await room.within(async () => {
        if (isStopped) return
        ended[index] = await runGraph(graph, inBranch, openStep(state, index, needed)).catch(
          (error: unknown) => {
            isStopped = true
            throw error
          },
        )
      })
    })
    for (const result of settled) if (result.status === 'rejected') throw result.reason
    return mergeSteps(
      state,
      needs.map((_, index) => ended[index]),
    )
  }
}
