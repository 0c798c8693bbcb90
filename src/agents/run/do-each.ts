import { ScholiumError } from '../../kernel/errors.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'
import type { EachWork } from '../document/agent-document.ts'
import { type AgentRun, fillIn, openAgentRun, type Site, subgraphOf } from './agent-run.ts'
import { type Branch, runBranches } from './branches.ts'
import { tellOfUncached } from './cached.ts'
import { doSteps } from './do-steps.ts'
import type { Done } from './output.ts'
import { type AgentState, asPatch, hidden, isTaintedState } from './state.ts'

/**
 * A branch for each item of a list. A resumed run does no finished item again: its steps answer from the log.
 * @throws `invalid_input` when the items are no list
 */
export async function doEach(
  run: AgentRun,
  work: EachWork & { readonly name: string },
  site: Site,
): Promise<Done> {
  const items = fillIn(run.shown, work.items as Json, site) ?? []
  if (!Array.isArray(items)) {
    throw new ScholiumError('invalid_input', `The items are ${kindOf(items)}, not a list.`, {
      hint: 'Set items to a template whose value is a list, such as {{ state.items }}.',
    })
  }
  const { branch, name } = work
  const inner = branch.kind === 'subgraph' ? await openInner(run, branch.path, site) : undefined
  const branches = items.map((item, index) =>
    branchOf(site, work, `${name}[${index}]`, { item, index }, async (inside) => {
      if (branch.kind === 'subgraph') return runInner(run, inner as AgentRun, branch.input, inside)
      const { patch } = await doSteps(run, branch.steps, inside)
      return { ...(inside.state as AgentState), ...patch }
    }),
  )
  const rules = { limit: limitOf(run, work, site), isFailFast: work.isFailFast }
  const patch = await runBranches(site.context, branches, rules)
  const result = patch.parallel_results as Json
  return {
    patch:
      work.output === undefined
        ? patch
        : { ...patch, ...asPatch({ [work.output]: result }, 'The output') },
    result,
  }
}

/** Branches that go on at once where a file does not say less. */
const mostAtOnce = 64

/** @throws `invalid_input` when a template gives no number of branches */
function limitOf(run: AgentRun, { maxConcurrency }: EachWork, site: Site): number {
  if (maxConcurrency === undefined) return mostAtOnce
  const given = Number(fillIn(run.shown, maxConcurrency, site))
  if (Number.isInteger(given) && given > 0) return Math.min(given, mostAtOnce)
  throw new ScholiumError(
    'invalid_input',
    'max_concurrency must be a whole number of at least 1.',
    {
      hint: 'Set it to a number, or to a template whose value is one.',
    },
  )
}

function branchOf(
  site: Site,
  { itemVar, indexVar, branch }: EachWork,
  name: string,
  { item, index }: { readonly item: Json; readonly index: number },
  work: (inside: Site) => Promise<AgentState>,
): Branch {
  const own = { [itemVar]: item, [indexVar]: index }
  const names = { ...site.names, ...own }
  const state = { ...site.state, ...asPatch(own, 'The branch') } as AgentState
  return {
    name,
    state,
    ...(branch.kind === 'subgraph' ? {} : { around: site.state as AgentState }),
    work: (context) => work({ context, state, names }),
  }
}

/** Files inside of files that are run: one that runs itself ends here. */
const maxDepth = 8

async function openInner(run: AgentRun, path: string, { context }: Site): Promise<AgentRun> {
  const depth = run.depth + 1
  if (depth > maxDepth) {
    const text = `Agent files are nested ${maxDepth} deep, and then run ${path}.`
    throw new ScholiumError('invalid_input', text)
  }
  const inner = await openAgentRun(subgraphOf(run, path), { ...run, depth })
  await tellOfUncached(inner, context)
  return inner
}

/** A file run for one item: it sees its own initial state and its input, nothing else of the state around it. */
async function runInner(
  run: AgentRun,
  inner: AgentRun,
  input: JsonObject,
  site: Site,
): Promise<AgentState> {
  const isAsWritten = Object.keys(input).length > 0
  const given = isAsWritten ? (fillIn(run.shown, input, site) as JsonObject) : site.names
  const begun = asPatch({ ...inner.document.initialState, ...given }, 'The input')
  const first = isTaintedState(site.state) ? { ...begun, [hidden.tainted]: true } : begun
  return run.runDocument(inner, first, site.context)
}

function kindOf(value: Json): string {
  if (value === null) return 'nothing'
  return typeof value === 'object' ? 'a map' : `a ${typeof value}`
}
