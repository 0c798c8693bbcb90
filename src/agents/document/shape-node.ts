import type { z } from 'zod'
import { findItems, findPlace, type Located } from './located.ts'
import type { DocumentProblem, ProblemCode } from './problem.ts'
import { isMap, omitNull, type PlainMap, removeUnsupported } from './prune.ts'
import {
  type NodeKind,
  outerNodeSchemas,
  type StepKind,
  stepSchemas,
} from './schema/node-schema.ts'
import { knownKeys } from './schema/parts.ts'
import { type PartInfo, toShapeProblems } from './shape-issues.ts'
import { unsupportedInEach, unsupportedInErrorRule, unsupportedInNode } from './unsupported.ts'

/** A node as written, by kind. */
export type ShapedNode = {
  [K in NodeKind]: {
    readonly kind: K
    readonly path: readonly string[]
    readonly value: z.infer<(typeof outerNodeSchemas)[K]>
    readonly steps: readonly ShapedStep[]
    /** The name under which it was imported. */
    readonly part: string | undefined
  }
}[NodeKind]

/** A step as written, by kind. */
export type ShapedStep = {
  [K in StepKind]: {
    readonly kind: K
    readonly path: readonly string[]
    readonly value: z.infer<(typeof stepSchemas)[K]>
  }
}[StepKind]

interface Checked<T> {
  readonly node?: T
  readonly problems: readonly DocumentProblem[]
}

/** A kind, or why there is none. */
type Decision<K> =
  | K
  | {
      readonly code: ProblemCode
      readonly key?: string
      readonly says: string
      readonly hint?: string
    }

const loopCodes: Readonly<Record<string, ProblemCode>> = {
  condition: 'WHILE_LOOP_MISSING_CONDITION',
  max_iterations: 'WHILE_LOOP_MAX_ITERATIONS',
  body: 'WHILE_LOOP_MISSING_BODY',
}
const eachCodes: Readonly<Record<string, ProblemCode>> = {
  items: 'DYN_PARALLEL_MISSING_ITEMS',
  fan_in: 'DYN_PARALLEL_MISSING_FAN_IN',
}

/** Checks the form of a node and of its steps. */
export function shapeNode(root: Located, written: unknown, index: number): Checked<ShapedNode> {
  const path = ['nodes', String(index)]
  const named = isMap(written) && typeof written.name === 'string'
  const called = named ? `node "${written.name}"` : `node ${index + 1}`
  const { value: whole, problems } = removeUnsupportedInNode(root, path, written)
  const value = isMap(whole) ? actionThenCode(whole) : whole
  const kind = isMap(value) ? findNodeKind(value) : 'empty'
  const part = { root, path, called }
  if (typeof kind === 'object') return { problems: [...problems, decide(kind, part)] }
  const schema: z.ZodType = outerNodeSchemas[kind]
  const parsed = schema.safeParse(value, { reportInput: true })
  const steps = readSteps(kind, value, part)
  const found = [...problems, ...steps.problems]
  if (parsed.success) {
    const value = parsed.data
    const node = {
      kind,
      path,
      value,
      steps: steps.steps,
      part: partName(root, index),
    } as ShapedNode
    return steps.problems.length > 0 ? { problems: found } : { node, problems: found }
  }
  const info: PartInfo = {
    ...part,
    knownKeys: (inside) => {
      const known = knownKeys(schema, inside)
      // A node without work has a mistyped key.
      return kind === 'empty' && inside.length === 0 ? [...known, ...firstKeys] : known
    },
    codes: kind === 'while' ? loopCodes : kind.startsWith('each') ? eachCodes : {},
  }
  return { problems: [...found, ...toShapeProblems(parsed.error.issues, info)] }
}

function partName(root: Located, index: number): string | undefined {
  const node = findItems(root, 'nodes')[index]
  return node?.kind === 'map' ? node.part : undefined
}

function removeUnsupportedInNode(root: Located, path: readonly string[], written: unknown) {
  const problems: DocumentProblem[] = []
  if (!isMap(written)) return { value: written, problems }
  let value = removeUnsupported(root, path, omitNull(written), unsupportedInNode, problems)
  if (value.type === 'dynamic_parallel') {
    value = removeUnsupported(root, path, value, unsupportedInEach, problems)
  }
  if (isMap(value.on_error)) {
    const inside = [...path, 'on_error']
    const rule = removeUnsupported(root, inside, value.on_error, unsupportedInErrorRule, problems)
    value = { ...value, on_error: rule }
  }
  return { value, problems }
}

const workKeys = ['uses', 'action', 'run', 'script', 'steps'] as const

const firstKeys = [...workKeys, 'type', 'with', 'output']

/** Keys with the same meaning. */
const twins = [
  ['with', 'params', 'inputs'],
  ['output', 'outputs', 'output_key'],
] as const

function findTwins(value: PlainMap): Decision<never> | undefined {
  const given = twins.map((keys) => keys.filter((key) => value[key] !== undefined))
  const [one, other] = given.find(({ length }) => length > 1) ?? []
  if (other === undefined) return undefined
  const says = `has both ${one} and ${other}, which mean the same`
  return { code: 'CONFLICTING_KEYS', key: other, says, hint: 'Remove one of them.' }
}

const actionKeys = ['uses', 'action', ...twins.flat()]
const codeKeys = ['run', 'script', 'language']

/** Turns a node with an action and code into two steps: the code finds the action's result in the state. */
function actionThenCode(value: PlainMap): PlainMap {
  const given = workKeys.filter((key) => value[key] !== undefined)
  const [action, code] = given
  const isBoth = actionKeys.includes(action ?? '') && codeKeys.includes(code ?? '')
  if (!isBoth || given.length > 2 || value.type !== undefined) return value
  const those = (keys: readonly string[]) =>
    Object.fromEntries(Object.entries(value).filter(([key]) => keys.includes(key)))
  const own = [...actionKeys, ...codeKeys]
  const rest = Object.entries(value).filter(([key]) => !own.includes(key))
  return { ...Object.fromEntries(rest), steps: [those(actionKeys), those(codeKeys)] }
}

function findNodeKind(value: PlainMap): Decision<NodeKind> {
  const doubled = findTwins(value)
  if (doubled !== undefined) return doubled
  if (value.type === 'while_loop') return 'while'
  if (value.type === 'dynamic_parallel') return findEachKind(value)
  if (value.type !== undefined) {
    const says = 'has an unknown type'
    return { code: 'INVALID_TYPE', key: 'type', says, hint: 'Types: while_loop, dynamic_parallel.' }
  }
  const given = workKeys.filter((key) => value[key] !== undefined)
  if (given.length < 2) return given[0] ?? 'empty'
  return conflict(given)
}

function conflict(given: readonly string[]): Decision<never> {
  const says = `has ${given.join(' and ')}, but can do only one thing`
  return { code: 'CONFLICTING_KEYS', key: given[1] as string, says, hint: 'Use steps for several.' }
}

function findEachKind(value: PlainMap): Decision<NodeKind> {
  const given = ['action', 'steps', 'subgraph'].filter((key) => value[key] !== undefined)
  const says =
    given.length === 0
      ? 'does not define what its branches do'
      : `has ${given.join(' and ')} for its branches`
  if (given.length !== 1) {
    return { code: 'DYN_PARALLEL_MODE', says, hint: 'Give one of action, steps or subgraph.' }
  }
  if (given[0] === 'action') return 'eachAction'
  return given[0] === 'steps' ? 'eachSteps' : 'eachSubgraph'
}

function readSteps(
  kind: NodeKind,
  value: unknown,
  part: Omit<PartInfo, 'knownKeys'>,
): { readonly steps: readonly ShapedStep[]; readonly problems: readonly DocumentProblem[] } {
  const key = kind === 'while' ? 'body' : 'steps'
  const list = isMap(value) ? value[key] : undefined
  if (!Array.isArray(list)) return { steps: [], problems: [] }
  const checked = list.map((step: unknown, index) => shapeStep(step, index, key, part))
  return {
    steps: checked.flatMap(({ node }) => node ?? []),
    problems: checked.flatMap(({ problems }) => problems),
  }
}

function shapeStep(
  written: unknown,
  index: number,
  key: 'body' | 'steps',
  outer: Omit<PartInfo, 'knownKeys'>,
): Checked<ShapedStep> {
  const path = [...outer.path, key, String(index)]
  const part = { root: outer.root, path, called: `step ${index + 1} of ${outer.called}` }
  const { value, problems } = removeUnsupportedInNode(outer.root, path, written)
  const kind = isMap(value) ? findStepKind(value, key) : 'run'
  if (typeof kind === 'object') return { problems: [...problems, decide(kind, part)] }
  const schema: z.ZodType = stepSchemas[kind]
  const parsed = schema.safeParse(value, { reportInput: true })
  if (parsed.success) return { node: { kind, path, value: parsed.data } as ShapedStep, problems }
  const info = { ...part, knownKeys: (inside: readonly string[]) => knownKeys(schema, inside) }
  return { problems: [...problems, ...toShapeProblems(parsed.error.issues, info)] }
}

function findStepKind(value: PlainMap, key: 'body' | 'steps'): Decision<StepKind> {
  const doubled = findTwins(value)
  if (doubled !== undefined) return doubled
  if (value.type === 'while_loop' && key === 'body') {
    return { code: 'WHILE_LOOP_NESTED', says: 'is a loop inside a loop' }
  }
  if (value.type !== undefined || value.steps !== undefined) {
    const says = 'cannot contain a loop, branches or nested steps'
    return { code: 'NOT_SUPPORTED', says, hint: 'Make it a separate node.' }
  }
  const given = (['uses', 'action', 'run', 'script'] as const).filter(
    (name) => value[name] !== undefined,
  )
  if (given.length > 1) return conflict(given)
  if (given[0] !== undefined) return given[0]
  return { code: 'MISSING_FIELD', says: 'does nothing', hint: 'Give it uses, action or run.' }
}

function decide(
  { code, key, says, hint }: Exclude<Decision<never>, string>,
  { root, path, called }: Omit<PartInfo, 'knownKeys'>,
): DocumentProblem {
  const at = key === undefined ? path : [...path, key]
  const advice = hint === undefined ? {} : { hint }
  const message = `${called} ${says}`
  return { code, severity: 'error', message, ...advice, path: at, ...findPlace(root, at) }
}
