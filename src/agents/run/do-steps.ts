import type { AgentStep, Condition } from '../document/agent-document.ts'
import { type AgentRun, holdsAt, type Site } from './agent-run.ts'
import { changedState } from './branch-state.ts'
import { doStep, nothingDone } from './do-task.ts'
import { segment } from './names.ts'
import type { Done } from './output.ts'
import { hidden } from './state.ts'

/** Steps one after the other, each with what those before it have changed. One that hands over to a fallback is the last. */
export async function doSteps(
  run: AgentRun,
  steps: readonly AgentStep[],
  site: Site,
): Promise<Done> {
  let done = nothingDone
  let { state } = site
  for (const [index, step] of steps.entries()) {
    const context = site.context.child(`step[${index + 1}]:${segment(step.name)}`)
    const { patch, result } = await doStep(run, step, { ...site, context, state })
    state = changedState(state, patch)
    done = { patch: { ...done.patch, ...patch }, result }
    if (patch[hidden.fallback] !== undefined) break
  }
  return done
}

/** A loop of steps. */
export interface Loop {
  readonly loopCondition: Condition | undefined
  readonly maxIterations: number
  readonly body: readonly AgentStep[]
}

/** A body of steps again and again while its condition holds, so many times at most. */
export async function doWhile(
  run: AgentRun,
  { loopCondition, maxIterations, body }: Loop,
  site: Site,
): Promise<Done> {
  let done = nothingDone
  const isOn = () => {
    const inside = { ...site, state: { ...site.state, ...done.patch } }
    return loopCondition === undefined || holdsAt(run, loopCondition, inside, 'condition')
  }
  for (let iteration = 1; isOn(); iteration++) {
    if (iteration > maxIterations) {
      const text = `The loop was stopped after ${maxIterations} iterations while its condition was still true.`
      if (loopCondition !== undefined) await site.context.notice('max_iterations', 'warning', text)
      break
    }
    const context = site.context.child(`loop[${iteration}]`)
    const state = { ...site.state, ...done.patch }
    const { patch, result } = await doSteps(run, body, { ...site, context, state })
    done = { patch: { ...done.patch, ...patch }, result }
    if (patch[hidden.fallback] !== undefined) break
  }
  return done
}
