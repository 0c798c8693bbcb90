import type { z } from 'zod'
import { itemsUnder, type Located, placeOf } from './located.ts'
import type { DocumentProblem, ProblemCode } from './problem.ts'
import { isMembers, type Members, pruned, withoutNull } from './prune.ts'
import {
  type NodeKind,
  outerNodeSchemas,
  type StepKind,
  stepSchemas,
} from './schema/node-schema.ts'
import { knownKeys } from './schema/parts.ts'
import { type PartInfo, shapeProblems } from './shape-issues.ts'
import { unsupportedInEach, unsupportedInErrorRule, unsupportedInNode } from './unsupported.ts'

/** A node as it is written, by kind. */
export type ShapedNode = {
  [K in NodeKind]: {
    readonly kind: K
    readonly path: readonly string[]
    readonly value: z.infer<(typeof outerNodeSchemas)[K]>
    readonly steps: readonly ShapedStep[]
    /** The name it was imported under. */
    readonly part: string | undefined
  }
}[NodeKind]

/** A step as it is written, by kind. */
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

/** A kind, or what is wrong before there is one. */
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

/** Checks the form of one node and of the steps in it. */
export function shapeNode(root: Located, written: unknown, index: number): Checked<ShapedNode> {
  const path = ['nodes', String(index)]
  const named = isMembers(written) && typeof written.name === 'string'
  const called = named ? `node "${written.name}"` : `node ${index + 1}`
  const { value: whole, problems } = prunedNode(root, path, written)
  const value = isMembers(whole) ? actionThenCode(whole) : whole
  const kind = isMembers(value) ? nodeKind(value) : 'empty'
  const part = { root, path, called }
  if (typeof kind === 'object') return { problems: [...problems, decided(kind, part)] }
  const schema: z.ZodType = outerNodeSchemas[kind]
  const parsed = schema.safeParse(value, { reportInput: true })
  const steps = stepsOf(kind, value, part)
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
      // A node without work has none because its key is mistyped.
      return kind === 'empty' && inside.length === 0 ? [...known, ...firstKeys] : known
    },
    codes: kind === 'while' ? loopCodes : kind.startsWith('each') ? eachCodes : {},
  }
  return { problems: [...found, ...shapeProblems(parsed.error.issues, info)] }
}

function partName(root: Located, index: number): string | undefined {
  const node = itemsUnder(root, 'nodes')[index]
  return node?.kind === 'map' ? node.part : undefined
}

function prunedNode(root: Located, path: readonly string[], written: unknown) {
  const problems: DocumentProblem[] = []
  if (!isMembers(written)) return { value: written, problems }
  let value = pruned(root, path, withoutNull(written), unsupportedInNode, problems)
  if (value.type === 'dynamic_parallel') {
    value = pruned(root, path, value, unsupportedInEach, problems)
  }
  if (isMembers(value.on_error)) {
    const inside = [...path, 'on_error']
    const rule = pruned(root, inside, value.on_error, unsupportedInErrorRule, problems)
    value = { ...value, on_error: rule }
  }
  return { value, problems }
}

const workKeys = ['uses', 'action', 'run', 'script', 'steps'] as const

const firstKeys = [...workKeys, 'type', 'with', 'output']

/** Keys that say the same. */
const twins = [
  ['with', 'params', 'inputs'],
  ['output', 'outputs', 'output_key'],
] as const

function twinsIn(value: Members): Decision<never> | undefined {
  const given = twins.map((keys) => keys.filter((key) => value[key] !== undefined))
  const [one, other] = given.find(({ length }) => length > 1) ?? []
  if (other === undefined) return undefined
  const says = `has ${one} and ${other}, which say the same`
  return { code: 'CONFLICTING_KEYS', key: other, says, hint: 'Remove one of the two.' }
}

const actionKeys = ['uses', 'action', ...twins.flat()]
const codeKeys = ['run', 'script', 'language']

/** A node with an action and code as one with two steps: the code finds in the state what the action gave. */
function actionThenCode(value: Members): Members {
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

function nodeKind(value: Members): Decision<NodeKind> {
  const doubled = twinsIn(value)
  if (doubled !== undefined) return doubled
  if (value.type === 'while_loop') return 'while'
  if (value.type === 'dynamic_parallel') return eachKind(value)
  if (value.type !== undefined) {
    const says = 'has a type that there is not'
    return { code: 'INVALID_TYPE', key: 'type', says, hint: 'Types: while_loop, dynamic_parallel.' }
  }
  const given = workKeys.filter((key) => value[key] !== undefined)
  if (given.length < 2) return given[0] ?? 'empty'
  return conflict(given)
}

function conflict(given: readonly string[]): Decision<never> {
  const says = `has ${given.join(' and ')}, but does one thing only`
  return { code: 'CONFLICTING_KEYS', key: given[1] as string, says, hint: 'Use steps for several.' }
}

function eachKind(value: Members): Decision<NodeKind> {
  const given = ['action', 'steps', 'subgraph'].filter((key) => value[key] !== undefined)
  const says =
    given.length === 0
      ? 'does not say what its branches do'
      : `has ${given.join(' and ')} for its branches`
  if (given.length !== 1) {
    return { code: 'DYN_PARALLEL_MODE', says, hint: 'Give one of action, steps and subgraph.' }
  }
  if (given[0] === 'action') return 'eachAction'
  return given[0] === 'steps' ? 'eachSteps' : 'eachSubgraph'
}

function stepsOf(
  kind: NodeKind,
  value: unknown,
  part: Omit<PartInfo, 'knownKeys'>,
): { readonly steps: readonly ShapedStep[]; readonly problems: readonly DocumentProblem[] } {
  const key = kind === 'while' ? 'body' : 'steps'
  const list = isMembers(value) ? value[key] : undefined
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
  const { value, problems } = prunedNode(outer.root, path, written)
  const kind = isMembers(value) ? stepKind(value, key) : 'run'
  if (typeof kind === 'object') return { problems: [...problems, decided(kind, part)] }
  const schema: z.ZodType = stepSchemas[kind]
  const parsed = schema.safeParse(value, { reportInput: true })
  if (parsed.success) return { node: { kind, path, value: parsed.data } as ShapedStep, problems }
  const info = { ...part, knownKeys: (inside: readonly string[]) => knownKeys(schema, inside) }
  return { problems: [...problems, ...shapeProblems(parsed.error.issues, info)] }
}

function stepKind(value: Members, key: 'body' | 'steps'): Decision<StepKind> {
  const doubled = twinsIn(value)
  if (doubled !== undefined) return doubled
  if (value.type === 'while_loop' && key === 'body') {
    return { code: 'WHILE_LOOP_NESTED', says: 'is a loop inside a loop' }
  }
  if (value.type !== undefined || value.steps !== undefined) {
    const says = 'cannot hold a loop, branches or further steps'
    return { code: 'NOT_SUPPORTED', says, hint: 'Make it a node of its own.' }
  }
  const given = (['uses', 'action', 'run', 'script'] as const).filter(
    (name) => value[name] !== undefined,
  )
  if (given.length > 1) return conflict(given)
  if (given[0] !== undefined) return given[0]
  return { code: 'MISSING_FIELD', says: 'does nothing', hint: 'Give it uses, action or run.' }
}

function decided(
  { code, key, says, hint }: Exclude<Decision<never>, string>,
  { root, path, called }: Omit<PartInfo, 'knownKeys'>,
): DocumentProblem {
  const at = key === undefined ? path : [...path, key]
  const advice = hint === undefined ? {} : { hint }
  const message = `${called} ${says}`
  return { code, severity: 'error', message, ...advice, path: at, ...placeOf(root, at) }
}
