import { ScholiumError } from '../../kernel/errors.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'
import type { RunContext } from '../../kernel/run-context.ts'
import type { EachWork } from '../document/agent-document.ts'
import { type AgentRun, fillIn, openAgentRun, type Site, subgraphOf } from './agent-run.ts'
import { type Branch, runBranches } from './branches.ts'
import { doSteps } from './do-steps.ts'
import type { Done } from './output.ts'
import { type AgentState, asPatch, hidden, isTaintedState, visibleState } from './state.ts'

/**
 * A branch for each item of a list. A resumed run does no finished item again: its steps answer from the log.
 * @throws `invalid_input` when the items are no list
 */
export async function doEach(run: AgentRun, work: EachWork, site: Site): Promise<Done> {
  const items = fillIn(run.shown, work.items as Json, site)
  if (!Array.isArray(items)) {
    throw new ScholiumError('invalid_input', `The items are ${kindOf(items)}, not a list.`, {
      hint: 'Give items a template whose value is a list, as {{ state.items }}.',
    })
  }
  const branches = items.map((item, index) => branchOf(run, work, site, item, index))
  const limit = work.maxConcurrency ?? Math.max(1, items.length)
  const rules = { limit, isFailFast: work.isFailFast }
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

function branchOf(
  run: AgentRun,
  { itemVar, indexVar, branch }: EachWork,
  site: Site,
  item: Json,
  index: number,
): Branch {
  const own = { [itemVar]: item, [indexVar]: index }
  const names = { ...site.names, ...own }
  const state = { ...site.state, ...asPatch(own, 'The branch') } as AgentState
  return {
    name: `${itemVar}_${index}`,
    state,
    async work(context) {
      const inside = { context, state, names }
      if (branch.kind === 'subgraph') return runSubgraph(run, branch, inside)
      const { patch, result } = await doSteps(run, branch.steps, inside)
      return { state: { ...state, ...patch }, result }
    },
  }
}

/** A file run for one item: it sees its own initial state and its input, nothing else of the state around it. */
async function runSubgraph(
  run: AgentRun,
  { path, input }: { readonly path: string; readonly input: JsonObject },
  site: Site,
): Promise<{ readonly state: AgentState; readonly result: Json }> {
  const document = subgraphOf(run, path)
  const inner = await openAgentRun(document, run)
  const given =
    Object.keys(input).length === 0 ? site.names : (fillIn(run.shown, input, site) as JsonObject)
  const begun = { ...document.initialState, ...given }
  const taint = isTaintedState(site.state) ? { [hidden.tainted]: true } : {}
  const first = { ...asPatch(begun, 'The input'), ...taint }
  const state = await run.runDocument(inner, first, site.context as RunContext)
  return { state, result: state[hidden.output] ?? visibleState(state) }
}

function kindOf(value: Json): string {
  if (value === null) return 'nothing'
  return typeof value === 'object' ? 'a map' : `a ${typeof value}`
}
