import { posix } from 'node:path'
import type { JsonObject } from '../../kernel/json.ts'
import {
  type AgentStep,
  type CacheRule,
  type Common,
  type Condition,
  codeLanguage,
  dottedName,
  type EachWork,
  type ErrorRule,
  type NodeWork,
  type Output,
  type Task,
} from './agent-document.ts'
import type { Place } from './problem.ts'
import { isMembers } from './prune.ts'
import type { ShapedNode, ShapedStep } from './shape-node.ts'

/** Where the part of a document at a path stands. */
export type PlaceAt = (path: readonly string[]) => Place

/** A condition as it is written; `undefined` for one that always holds. */
export function conditionOf(
  written: unknown,
  wanted: unknown = true,
  path?: readonly string[],
): Condition | undefined {
  const value = isMembers(written) ? written.value : written
  const isNegated = wanted === false
  if (value === undefined || value === !isNegated) return undefined
  const place = path === undefined ? {} : { path }
  if (typeof value === 'boolean') return { text: 'False', isNegated: false, ...place }
  return { text: String(value), isNegated, ...place }
}

/** What a node does, in the one form. */
export function nodeWork(node: ShapedNode, placeAt: PlaceAt): NodeWork {
  const steps = () => node.steps.map((step, index) => stepOf(step, index, placeAt(step.path)))
  switch (node.kind) {
    case 'steps':
      return { kind: 'steps', steps: steps() }
    case 'empty':
      return { kind: 'steps', steps: [] }
    case 'while': {
      const { condition, max_iterations: maxIterations } = node.value
      return { kind: 'while', loopCondition: conditionOf(condition), maxIterations, body: steps() }
    }
    case 'eachAction':
    case 'eachSteps':
    case 'eachSubgraph':
      return eachWork(node, steps, placeAt)
    default:
      return taskOf(node)
  }
}

type EachNode = Extract<ShapedNode, { readonly kind: 'eachAction' | 'eachSteps' | 'eachSubgraph' }>

function eachWork(node: EachNode, steps: () => readonly AgentStep[], placeAt: PlaceAt): EachWork {
  const { value } = node
  const most = value.max_concurrency ?? value.parallel_config?.max_concurrency
  return {
    kind: 'each',
    items: value.items,
    itemVar: value.item_var ?? 'item',
    indexVar: value.index_var ?? 'index',
    ...(most === undefined ? {} : { maxConcurrency: most }),
    isFailFast: value.fail_fast ?? value.parallel_config?.fail_fast ?? false,
    branch: branchOf(node, steps, placeAt),
    ...(value.output === undefined ? {} : { output: value.output }),
  }
}

function branchOf(
  node: EachNode,
  steps: () => readonly AgentStep[],
  placeAt: PlaceAt,
): EachWork['branch'] {
  if (node.kind === 'eachSteps') return { kind: 'steps', steps: steps() }
  if (node.kind === 'eachSubgraph') {
    const { subgraph, input } = node.value
    const place = placeAt([...node.path, 'subgraph'])
    const path = besideFile(place.file, subgraph)
    return { kind: 'subgraph', path, input: (input ?? {}) as JsonObject }
  }
  const { action } = node.value
  const kind = 'uses' in action ? 'uses' : 'action'
  const step = { kind, path: [...node.path, 'action'], value: action } as ShapedStep
  return { kind: 'steps', steps: [stepOf(step, 0, placeAt(step.path))] }
}

/** A path that counts from a file, counted from where the file's own path does. */
export function besideFile(file: string, path: string): string {
  return posix.isAbsolute(path) ? path : posix.join(posix.dirname(file), path)
}

function stepOf(step: ShapedStep, index: number, place: Place): AgentStep {
  const name = step.value.name ?? `step_${index + 1}`
  return { ...taskOf(step), ...commonOf(step, name, place) }
}

type ShapedTask = ShapedStep | Extract<ShapedNode, { readonly kind: ShapedStep['kind'] }>

function taskOf(task: ShapedTask): Task {
  switch (task.kind) {
    case 'uses':
      return actionTask(task.value.uses, task.value, task.path)
    case 'action':
      return actionTask(task.value.action, task.value, task.path)
    case 'script': {
      const { script, language } = task.value
      return codeTask(script, language, task.value)
    }
    case 'run': {
      const { run, language } = task.value
      if (typeof run === 'string') return codeTask(run, language, task.value)
      if ('code' in run) return codeTask(run.code, run.type, task.value)
      const output = task.value.output ?? task.value.outputs
      const key =
        run.output_key ?? task.value.output_key ?? (typeof output === 'string' ? output : 'result')
      return { kind: 'expression', expression: String(run.value), outputKey: key }
    }
  }
}

interface Outputs {
  readonly output?: string | Readonly<Record<string, unknown>> | undefined
  readonly outputs?: string | Readonly<Record<string, unknown>> | undefined
  readonly output_key?: string | undefined
}

interface Params extends Outputs {
  readonly with?: Readonly<Record<string, unknown>> | undefined
  readonly params?: Readonly<Record<string, unknown>> | undefined
  readonly inputs?: Readonly<Record<string, unknown>> | undefined
}

function actionTask(written: string, value: Params, path: readonly string[]): Task {
  const key = (['params', 'inputs'] as const).find((name) => value[name] !== undefined) ?? 'with'
  const params = (value[key] ?? {}) as JsonObject
  const action = dottedName(written)
  return { kind: 'action', action, params, paramsPath: [...path, key], output: outputOf(value) }
}

function codeTask(code: string, named: string | undefined, value: Outputs): Task {
  return { kind: 'code', language: codeLanguage(code, named), code, output: outputOf(value) }
}

function outputOf({ output, outputs, output_key: outputKey }: Outputs): Output {
  const written = output ?? outputs ?? outputKey
  if (written === undefined) return { kind: 'merge' }
  if (typeof written === 'string') return { kind: 'key', key: written }
  const values = Object.entries(written).map(([key, value]) => [key, resultTemplate(value)])
  return { kind: 'map', values: Object.fromEntries(values) as JsonObject }
}

/** In a map of outputs a bare name is a member of the result: `draft` is `{{ result.draft }}`. */
function resultTemplate(value: unknown): unknown {
  if (typeof value !== 'string' || !/^[A-Za-z_]\w*(\.\w+)*$/.test(value)) return value
  const isFromResult = /^(result|action_result)(\.|$)/.test(value)
  return isFromResult ? `{{ ${value} }}` : `{{ result.${value} }}`
}

/** What a node or step has beside its work. */
export function commonOf(part: ShapedNode | ShapedStep, name: string, place: Place): Common {
  const { description = '', condition, cache } = part.value
  const skip = part.kind === 'while' ? undefined : conditionOf(condition)
  const kept = cacheRule(cache)
  return {
    name,
    description,
    ...(skip === undefined ? {} : { condition: skip }),
    onError: errorRule(part.value),
    ...(kept === undefined ? {} : { cache: kept }),
    place,
    path: part.path,
  }
}

function cacheRule(cache: ShapedStep['value']['cache']): CacheRule | undefined {
  if (cache === undefined || cache === false) return undefined
  if (cache === true) return {}
  const { key, ttl } = cache
  return {
    ...(key === undefined ? {} : { key }),
    ...(ttl === undefined ? {} : { ttlSeconds: ttl }),
  }
}

/** How often `mode: retry` tries again when it does not say. */
const usualRetries = 3

function errorRule(value: ShapedNode['value'] | ShapedStep['value']): ErrorRule {
  const { on_error: rule = {}, retry } = value
  const own = typeof retry === 'number' ? { max_retries: retry } : retry
  const delay = own?.retry_delay ?? rule.retry_delay ?? 1
  const fallback = rule.fallback ?? ('fallback' in value ? value.fallback : undefined)
  return {
    retries: own?.max_retries ?? rule.max_retries ?? (rule.mode === 'retry' ? usualRetries : 0),
    delayMs: Math.round(delay * 1_000),
    backoff: own?.backoff_multiplier ?? rule.backoff_multiplier ?? 2,
    isGraceful: rule.mode === 'graceful',
    ...(fallback === undefined ? {} : { fallback }),
  }
}
