import { createPassagePreparer } from '../claims/check/source-passage.ts'
import { foldState } from '../graph/fold-state.ts'
import { defineGraph, end, type Graph, initialState } from '../graph/graph.ts'
import { runGraph } from '../graph/run-graph.ts'
import type { Failure } from '../kernel/errors.ts'
import type { JsonObject } from '../kernel/json.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import type { Workflow } from '../kernel/run/workflow.ts'
import type { StepAttempt } from '../kernel/step/step-attempt.ts'
import { promptHashes } from '../team/prompt-files.ts'
import { analyzeNode } from './analyze.ts'
import { withinBoundary } from './boundary.ts'
import { attempted } from './branches.ts'
import { changedGraph, type PapersGraphChange } from './changed-graph.ts'
import { citePapers } from './cite.ts'
import { claimsNode } from './claims.ts'
import { filterPapers } from './filter.ts'
import { setAsideFinalShare } from './final-share.ts'
import { failedResult, finalizePapers } from './finalize.ts'
import { firstPatch, type PapersInput } from './input.ts'
import type { PapersParts } from './parts.ts'
import { readNode } from './read-papers.ts'
import type { PapersResult } from './result.ts'
import { retrieveNode } from './retrieve.ts'
import { channels, type PapersState } from './state.ts'
import { synthesizeNode } from './synthesize.ts'

/** From a topic to a synthesis: one way, with two early ends. */
export function papersGraph(parts: PapersParts): Graph<PapersState> {
  const prepare = createPassagePreparer()
  return defineGraph<PapersState>({
    name: 'papers',
    channels,
    start: 'retriever',
    nodes: {
      retriever: withinBoundary('retriever', retrieveNode(parts)),
      reader: withinBoundary('reader', readNode(parts)),
      analyzer: withinBoundary('analyzer', analyzeNode(parts, prepare)),
      filter: filterPapers,
      synthesizer: withinBoundary('synthesizer', synthesizeNode(parts)),
      claims: withinBoundary('claims', claimsNode(parts, prepare)),
      citation: withinBoundary('citation', citePapers),
      finalize: finalizePapers,
    },
    edges: {
      retriever: {
        targets: ['reader', 'finalize'],
        route: ({ papers }) => (papers.length > 0 ? 'reader' : 'finalize'),
      },
      reader: 'analyzer',
      analyzer: 'filter',
      filter: {
        targets: ['synthesizer', 'citation'],
        route: ({ kept }) => (kept.length > 0 ? 'synthesizer' : 'citation'),
      },
      synthesizer: 'claims',
      claims: 'citation',
      citation: 'finalize',
      finalize: end,
    },
  })
}

/**
 * The `papers` workflow: a topic in, out what papers say of it together, each point with its pages.
 * @param change what is other in its graph. A run goes on with the graph with which it was begun, and with no other
 * @throws `invalid_graph` for a change that makes no sound graph of it
 */
export function papersWorkflow(
  parts: PapersParts,
  change?: PapersGraphChange,
): Workflow<PapersInput, PapersResult & JsonObject> {
  const { graph, difference } = changedGraph(papersGraph(parts), change)
  return {
    name: 'papers',
    version: `1 ${difference}`.trim(),
    promptHashes: promptHashes(parts.prompts),
    // The first thing that is asked of an input: what cannot be run is refused before there is a run.
    title: (input) => String(firstPatch(input).query).replaceAll(/\s+/g, ' ').slice(0, 200),
    async run(context, input) {
      const result = await runPapers(graph, context, input)
      return result as PapersResult & JsonObject
    },
    foldState: (input, ends) =>
      foldState(graph.channels, firstPatch(input), ends, graph.otherFields),
    status: (result) => result.status,
    // Papers that are analysed are delivered without a synthesis; whoever resumes the run gets one then.
    mayRetry: ({ status, error }) => status === 'partial' && error?.retryable === true,
  }
}

/** What no node has caught is no interruption: the run would fail in the same way each time it went on. */
async function runPapers(
  graph: Graph<PapersState>,
  context: RunContext,
  input: PapersInput,
): Promise<PapersResult> {
  const first = firstPatch(input)
  const ended = await attempted(async () => {
    await countLookup(context, input)
    setAsideFinalShare(context, input.claims ?? 'mark')
    return runGraph(graph, context, first)
  })
  if (ended.ok && ended.value.result !== null) return ended.value.result
  const failure = ended.ok ? noResult : ended.failure
  return failedResult(initialState(graph.channels, first), failure)
}

/** Puts into the log what was used before the run began. */
async function countLookup(context: RunContext, { lookup }: PapersInput): Promise<void> {
  if (lookup === undefined) return
  const { model, usage } = lookup
  const count = async (attempt: StepAttempt) => {
    attempt.use(usage)
    return {}
  }
  await context.step('lookup', 'pure', { model, role: 'embedding' }, count, { isEmbedding: true })
}

const noResult: Failure = {
  code: 'invalid_graph',
  message: 'The last node of "papers" made no result.',
  retryable: false,
}
