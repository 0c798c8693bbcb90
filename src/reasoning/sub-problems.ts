import type { Json, JsonObject } from '../kernel/json.ts'
import { findJson, parseJsonObject } from '../kernel/text/json-from-text.ts'
import type { Reading } from './ask-structured.ts'
import { malformedText, toText } from './structured.ts'

/** A part of a problem. */
export type SubProblem = {
  /** Unique among the parts of one problem. */
  readonly id: string
  readonly description: string
  /** The ids of the parts whose answers this one needs. */
  readonly dependsOn: readonly string[]
}

/** The order in which parts can be solved, or the ids of a dependency cycle. */
export type Order =
  | { readonly ok: true; readonly indexes: readonly number[] }
  | { readonly ok: false; readonly cycle: readonly string[] }

/** Maximum number of parts of one problem. */
export const maxSubProblems = 10

/**
 * Parses the parts into which a model split a problem: `{"sub_problems": [{"id", "description", "depends_on"}]}`, or the bare
 * list; a part may be only its description. The error names unknown ids and dependency cycles; `details.cycle` then contains the
 * cycle, with its first id repeated at the end.
 */
export function parseDecomposition(text: string): Reading<readonly SubProblem[]> {
  const written = text.toWellFormed()
  const found = listIn(written)
  const refuse = (reason: string, details: JsonObject = {}) =>
    ({ ok: false, error: malformedText(reason, written, details) }) as const
  if (found === undefined) return refuse('There is no list of sub-problems in it.')
  const parts = found.list.map(parseSubProblem)
  const problem = findFault(parts)
  if (problem !== undefined) return refuse(problem)
  const order = orderByNeeds(parts)
  if (!order.ok) {
    const circle = order.cycle.join(' → ')
    const reason = `The sub-problems ${circle} need each other, so that none of them can be solved first.`
    return refuse(reason, { cycle: order.cycle })
  }
  return { ok: true, value: parts, truncated: found.truncated }
}

interface FoundList {
  readonly list: readonly Json[]
  readonly truncated: boolean
}

function listIn(text: string): FoundList | undefined {
  const object = parseJsonObject(text, ['sub_problems'])
  if (object.ok) {
    const list = object.value.sub_problems
    return Array.isArray(list) ? { list, truncated: object.truncated } : undefined
  }
  const bare = findJson(text).find(({ value }) => Array.isArray(value))
  return bare && { list: bare.value as readonly Json[], truncated: bare.truncated }
}

function parseSubProblem(item: Json, index: number): SubProblem {
  const own = String(index + 1)
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    return { id: own, description: toText(item).trim(), dependsOn: [] }
  const { id = null, description = null, problem = null, depends_on: needs } = item as JsonObject
  return {
    id: toTrimmedText(id) || own,
    description: toText(description ?? problem).trim(),
    dependsOn: Array.isArray(needs) ? [...new Set((needs as Json[]).map(toTrimmedText))] : [],
  }
}

function toTrimmedText(value: Json): string {
  return toText(value).trim()
}

function findFault(parts: readonly SubProblem[]): string | undefined {
  if (parts.length === 0) return 'The list of sub-problems is empty.'
  if (parts.length > maxSubProblems)
    return `There are ${parts.length} sub-problems; ${maxSubProblems} are allowed.`
  if (parts.some(({ description }) => description === ''))
    return 'A sub-problem has no description.'
  const ids = parts.map(({ id }) => id)
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (twice !== undefined) return `Two sub-problems have the id "${twice}".`
  const unknown = parts.flatMap(({ dependsOn }) => dependsOn).find((id) => !ids.includes(id))
  return unknown === undefined
    ? undefined
    : `A sub-problem depends on "${unknown}", which is the id of none.`
}

/** A stable topological order of the parts. */
export function orderByNeeds(parts: readonly SubProblem[]): Order {
  const placed = new Set<string>()
  const indexes: number[] = []
  while (indexes.length < parts.length) {
    const next = parts.findIndex(
      ({ id, dependsOn }) => !placed.has(id) && dependsOn.every((needed) => placed.has(needed)),
    )
    if (next < 0) return { ok: false, cycle: cycleIn(parts.filter(({ id }) => !placed.has(id))) }
    placed.add((parts[next] as SubProblem).id)
    indexes.push(next)
  }
  return { ok: true, indexes }
}

/** A cycle among parts that each depend on another of them: following the dependencies must come back. */
function cycleIn(stuck: readonly SubProblem[]): readonly string[] {
  const path: string[] = []
  let current = stuck[0] as SubProblem
  while (!path.includes(current.id)) {
    path.push(current.id)
    const { dependsOn } = current
    current = stuck.find(({ id }) => dependsOn.includes(id)) as SubProblem
  }
  return [...path.slice(path.indexOf(current.id)), current.id]
}
