import type { Node, Patch } from '../graph/graph.ts'
import { endsAt, endsRun, type Failure, fromFailure, toFailure } from '../kernel/errors.ts'
import { countTokens } from '../kernel/limits/token-usage.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { runWithDependencies } from '../kernel/run/run-with-dependencies.ts'
import type { PapersState } from './state.ts'

/** How items are processed in parallel. */
export interface ParallelOptions {
  /** The name of each branch in the keys of its steps, before its number. */
  readonly name: string
  /** How many items are processed at once. */
  readonly maxConcurrent: number
  /** For each item, the indexes of earlier items that must end before it starts. Default: none. */
  readonly needs?: readonly (readonly number[])[]
}

/**
 * Processes each item in a branch of its own; results come in the items' order.
 * @throws the error of the first item that failed, after all have ended
 */
export async function mapInBranches<Item, Result>(
  context: RunContext,
  items: readonly Item[],
  { name, maxConcurrent, needs = items.map(() => []) }: ParallelOptions,
  work: (item: Item, branch: RunContext, index: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const branches = items.map((_, index) => context.branch(`${name}[${index + 1}]`))
  const settled = await runWithDependencies(needs, maxConcurrent, (index) =>
    work(items[index] as Item, branches[index] as RunContext, index),
  )
  context.join(branches)
  return settled.map((result) => {
    if (result.status === 'rejected') throw result.reason
    return result.value
  })
}

/** The result of an attempt. A failure is a value, because the run continues without it. */
export type Attempt<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure }

/**
 * Runs `work` and returns its failure as a value, including a limit.
 * @throws errors that end the run, such as `cancelled`
 */
export async function attempt<T>(work: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { ok: true, value: await work() }
  } catch (error) {
    const failure = toFailure(error)
    if (failure.code !== 'limit_reached' && endsRun(failure.code)) throw error
    return { ok: false, failure }
  }
}

/** Whether a failure is a limit of the run or of the part this context belongs to, not of a stage inside it. */
export function isRunLimit(failure: Failure, { path }: RunContext): boolean {
  return failure.code === 'limit_reached' && endsAt(fromFailure(failure), path)
}

/**
 * Wraps a node in the error boundary: its failure is recorded in the state and the run continues. The tokens its models
 * used are counted either way.
 */
export function withErrorBoundary(name: string, node: Node<PapersState>): Node<PapersState> {
  return async (state, context) => {
    const { counted, tokens } = countTokens(context)
    const done = await attempt(() => node(state, counted))
    const patch = done.ok ? done.value : await failedPatch(name, done.failure, context)
    return { ...patch, tokenUsage: tokens() }
  }
}

async function failedPatch(
  name: string,
  failure: Failure,
  context: RunContext,
): Promise<Patch<PapersState>> {
  const detail = `${name}: ${failure.message}`
  if (isRunLimit(failure, context))
    return { limit: failure, errors: [detail], gaps: [{ kind: 'limit', detail }] }
  await context.notice('failed', 'error', detail)
  return { error: failure, errors: [detail], gaps: [{ kind: 'error', detail }] }
}
