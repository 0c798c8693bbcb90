import { posix } from 'node:path'
import type { JsonObject } from '../../kernel/json.ts'
import {
  type AgentStep,
  type CacheRule,
  type Common,
  type Condition,
  detectCodeLanguage,
  type EachWork,
  type ErrorRule,
  type NodeWork,
  type Output,
  type Task,
  toDottedName,
} from './agent-document.ts'
import type { FilePosition } from './problem.ts'
import { isMap } from './prune.ts'
import type { ShapedNode, ShapedStep } from './shape-node.ts'

/** The position of a part of a document. */
export type PlaceAt = (path: readonly string[]) => FilePosition

/** Normalizes a condition; `undefined` if it always holds. */
export function normalizeCondition(
  written: unknown,
  wanted: unknown = true,
  path?: readonly string[],
): Condition | undefined {
  const value = isMap(written) ? written.value : written
  const isNegated = wanted === false
  if (value === undefined || value === !isNegated) return undefined
  const place = path === undefined ? {} : { path }
  if (typeof value === 'boolean') return { text: 'False', isNegated: false, ...place }
  return { text: String(value), isNegated, ...place }
}

/** Normalizes what a node does. */
export function normalizeNodeWork(node: ShapedNode, placeAt: PlaceAt): NodeWork {
  const steps = () =>
    node.steps.map((step, index) => normalizeStep(step, index, placeAt(step.path)))
  switch (node.kind) {
    case 'steps':
      return { kind: 'steps', steps: steps() }
    case 'empty':
      return { kind: 'steps', steps: [] }
    case 'while': {
      const { condition, max_iterations: maxIterations } = node.value
      return {
        kind: 'while',
        loopCondition: normalizeCondition(condition),
        maxIterations,
        body: steps(),
      }
    }
    case 'eachAction':
    case 'eachSteps':
    case 'eachSubgraph':
      return normalizeEach(node, steps, placeAt)
    default:
      return normalizeTask(node)
  }
}

type EachNode = Extract<ShapedNode, { readonly kind: 'eachAction' | 'eachSteps' | 'eachSubgraph' }>

function normalizeEach(
  node: EachNode,
  steps: () => readonly AgentStep[],
  placeAt: PlaceAt,
): EachWork {
  const { value } = node
  const most = value.max_concurrency ?? value.parallel_config?.max_concurrency
  return {
    kind: 'each',
    items: value.items,
    itemVar: value.item_var ?? 'item',
    indexVar: value.index_var ?? 'index',
    ...(most === undefined ? {} : { maxConcurrency: most }),
    isFailFast: value.fail_fast ?? value.parallel_config?.fail_fast ?? false,
    branch: normalizeBranch(node, steps, placeAt),
    ...(value.output === undefined ? {} : { output: value.output }),
  }
}

function normalizeBranch(
  node: EachNode,
  steps: () => readonly AgentStep[],
  placeAt: PlaceAt,
): EachWork['branch'] {
  if (node.kind === 'eachSteps') return { kind: 'steps', steps: steps() }
  if (node.kind === 'eachSubgraph') {
    const { subgraph, input } = node.value
    const place = placeAt([...node.path, 'subgraph'])
    const path = resolveNextToFile(place.file, subgraph)
    return { kind: 'subgraph', path, input: (input ?? {}) as JsonObject }
  }
  const { action } = node.value
  const kind = 'uses' in action ? 'uses' : 'action'
  const step = { kind, path: [...node.path, 'action'], value: action } as ShapedStep
  return { kind: 'steps', steps: [normalizeStep(step, 0, placeAt(step.path))] }
}

/** Resolves a path relative to a file. */
export function resolveNextToFile(file: string, path: string): string {
  return posix.isAbsolute(path) ? path : posix.join(posix.dirname(file), path)
}

function normalizeStep(step: ShapedStep, index: number, place: FilePosition): AgentStep {
  const name = step.value.name ?? `step_${index + 1}`
  return { ...normalizeTask(step), ...normalizeCommon(step, name, place) }
}

type ShapedTask = ShapedStep | Extract<ShapedNode, { readonly kind: ShapedStep['kind'] }>

function normalizeTask(task: ShapedTask): Task {
  switch (task.kind) {
    case 'uses':
      return normalizeActionTask(task.value.uses, task.value, task.path)
    case 'action':
      return normalizeActionTask(task.value.action, task.value, task.path)
    case 'script': {
      const { script, language } = task.value
      return normalizeCodeTask(script, language, task.value)
    }
    case 'run': {
      const { run, language } = task.value
      if (typeof run === 'string') return normalizeCodeTask(run, language, task.value)
      if ('code' in run) return normalizeCodeTask(run.code, run.type, task.value)
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

function normalizeActionTask(written: string, value: Params, path: readonly string[]): Task {
  const key = (['params', 'inputs'] as const).find((name) => value[name] !== undefined) ?? 'with'
  const params = (value[key] ?? {}) as JsonObject
  const action = toDottedName(written)
  return {
    kind: 'action',
    action,
    params,
    paramsPath: [...path, key],
    output: normalizeOutput(value),
  }
}

function normalizeCodeTask(code: string, named: string | undefined, value: Outputs): Task {
  return {
    kind: 'code',
    language: detectCodeLanguage(code, named),
    code,
    output: normalizeOutput(value),
  }
}

function normalizeOutput({ output, outputs, output_key: outputKey }: Outputs): Output {
  const written = output ?? outputs ?? outputKey
  if (written === undefined) return { kind: 'merge' }
  if (typeof written === 'string') return { kind: 'key', key: written }
  const values = Object.entries(written).map(([key, value]) => [key, resultTemplate(value)])
  return { kind: 'map', values: Object.fromEntries(values) as JsonObject }
}

/** In an object of outputs, a bare name is a member of the result: `draft` means `{{ result.draft }}`. */
function resultTemplate(value: unknown): unknown {
  if (typeof value !== 'string' || !/^[A-Za-z_]\w*(\.\w+)*$/.test(value)) return value
  const isFromResult = /^(result|action_result)(\.|$)/.test(value)
  return isFromResult ? `{{ ${value} }}` : `{{ result.${value} }}`
}

/** Normalizes what nodes and steps have in common. */
export function normalizeCommon(
  part: ShapedNode | ShapedStep,
  name: string,
  place: FilePosition,
): Common {
  const { description = '', condition, cache } = part.value
  const skip = part.kind === 'while' ? undefined : normalizeCondition(condition)
  const kept = normalizeCache(cache)
  return {
    name,
    description,
    ...(skip === undefined ? {} : { condition: skip }),
    onError: normalizeErrorRule(part.value),
    ...(kept === undefined ? {} : { cache: kept }),
    place,
    path: part.path,
  }
}

function normalizeCache(cache: ShapedStep['value']['cache']): CacheRule | undefined {
  if (cache === undefined || cache === false) return undefined
  if (cache === true) return {}
  const { key, ttl } = cache
  return {
    ...(key === undefined ? {} : { key }),
    ...(ttl === undefined ? {} : { ttlSeconds: ttl }),
  }
}

/** Number of retries of `mode: retry` by default. */
const defaultRetries = 3

function normalizeErrorRule(value: ShapedNode['value'] | ShapedStep['value']): ErrorRule {
  const { on_error: rule = {}, retry } = value
  const own = typeof retry === 'number' ? { max_retries: retry } : retry
  const delay = own?.retry_delay ?? rule.retry_delay ?? 1
  const fallback = rule.fallback ?? ('fallback' in value ? value.fallback : undefined)
  return {
    retries: own?.max_retries ?? rule.max_retries ?? (rule.mode === 'retry' ? defaultRetries : 0),
    delayMs: Math.round(delay * 1_000),
    backoff: own?.backoff_multiplier ?? rule.backoff_multiplier ?? 2,
    isGraceful: rule.mode === 'graceful',
    ...(fallback === undefined ? {} : { fallback }),
  }
}
