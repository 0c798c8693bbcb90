import type { AskState } from './state.ts'

/** For each research step the indexes of the earlier ones that it needs. */
export type Needs = readonly (readonly number[])[]

/** What a plan says of its steps' needs: usable, or why it is not. */
export type ReadNeeds = { readonly needs: Needs } | { readonly problem: string }

/**
 * The needs of a plan from the numbers, counting from 1, that a planner gave; empty where no step needs another.
 * @param count how many research steps there are
 */
export function readNeeds(given: Needs, count: number): ReadNeeds {
  if (given.every((numbers) => numbers.length === 0)) return { needs: [] }
  if (given.length !== count) {
    const lists = given.length === 1 ? '1 list' : `${given.length} lists`
    return { problem: `it has ${lists} for ${count} steps` }
  }
  for (const [index, numbers] of given.entries()) {
    const wrong = numbers.find(
      (number) => !(Number.isInteger(number) && number >= 1 && number <= index),
    )
    if (wrong !== undefined)
      return { problem: `step ${index + 1} cannot need ${wrong}, which is no earlier step` }
  }
  return { needs: given.map((numbers) => [...new Set(numbers)].map((number) => number - 1)) }
}

/** Each step needs all before it: the plan's order. */
export function inOrder(count: number): Needs {
  return Array.from({ length: count }, (_, index) => Array.from({ length: index }, (_, at) => at))
}

/** What each research step of a state needs. Needs that do not fit the steps, as after a fork's change, are the plan's order. */
export function needsOf({
  researchSteps,
  researchNeeds,
}: Pick<AskState, 'researchSteps' | 'researchNeeds'>): Needs {
  const count = researchSteps.length
  if (researchNeeds.length === 0) return researchSteps.map(() => [])
  const given: readonly unknown[] = researchNeeds
  const fits = given.length === count && given.every(isOfEarlier)
  return fits ? researchNeeds : inOrder(count)
}

/** Whether a step's needs, which a fork may have changed to anything, are indexes of earlier steps. */
function isOfEarlier(needed: unknown, index: number): boolean {
  return (
    Array.isArray(needed) && needed.every((one) => Number.isInteger(one) && one >= 0 && one < index)
  )
}

/** Needs as people and planners read them: with numbers from 1. */
export function numberedNeeds(needs: Needs): Needs {
  return needs.map((needed) => needed.map((index) => index + 1))
}
