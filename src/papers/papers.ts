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
import { analyzeNode, filterPapers } from './analyze.ts'
import { attempt, withErrorBoundary } from './attempt.ts'
import { changeGraph, type PapersGraphChange } from './change-graph.ts'
import { citePapers } from './cite.ts'
import { claimsNode } from './claims.ts'
import { reserveFinalBudget } from './final-budget.ts'
import { createFailedResult, finalizePapers } from './finalize.ts'
import { initialPatch, type PapersInput } from './input.ts'
import type { PapersParts } from './parts.ts'
import { readNode } from './read.ts'
import type { PapersResult } from './result.ts'
import { retrieveNode } from './retrieve.ts'
import { channels, type PapersState } from './state.ts'
import { synthesizeNode } from './synthesize.ts'

/** The pipeline from topic to synthesis: linear, with two early exits. */
export function papersGraph(parts: PapersParts): Graph<PapersState> {
  const prepare = createPassagePreparer()
  return defineGraph<PapersState>({
    name: 'papers',
    channels,
    start: 'retriever',
    nodes: {
      retriever: withErrorBoundary('retriever', retrieveNode(parts)),
      reader: withErrorBoundary('reader', readNode(parts)),
      analyzer: withErrorBoundary('analyzer', analyzeNode(parts, prepare)),
      filter: filterPapers,
      synthesizer: withErrorBoundary('synthesizer', synthesizeNode(parts)),
      claims: withErrorBoundary('claims', claimsNode(parts, prepare)),
      citation: withErrorBoundary('citation', citePapers),
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
 * The `papers` workflow: from a topic to what papers jointly say about it, each point with its pages.
 * @param change an app's change to the graph. A run can only be resumed with the graph it started with
 * @throws `invalid_graph` for a change that makes the graph invalid
 */
export function papersWorkflow(
  parts: PapersParts,
  change?: PapersGraphChange,
): Workflow<PapersInput, PapersResult & JsonObject> {
  const { graph, difference } = changeGraph(papersGraph(parts), change)
  return {
    name: 'papers',
    version: `2 ${difference}`.trim(),
    promptHashes: promptHashes(parts.prompts),
    // Called first, so that invalid input is refused before the run exists.
    title: (input) => String(initialPatch(input).query).replaceAll(/\s+/g, ' ').slice(0, 200),
    async run(context, input) {
      const result = await runPapers(graph, context, input)
      return result as PapersResult & JsonObject
    },
    foldState: (input, ends) =>
      foldState(graph.channels, initialPatch(input), ends, graph.otherFields),
    status: (result) => result.status,
    // Analysed papers are delivered without a synthesis; resuming the run adds it.
    mayRetry: ({ status, error }) => status === 'partial' && error?.retryable === true,
  }
}

/** An error that no node caught is not an interruption: resuming would fail in the same way. */
async function runPapers(
  graph: Graph<PapersState>,
  context: RunContext,
  input: PapersInput,
): Promise<PapersResult> {
  const first = initialPatch(input)
  const ended = await attempt(async () => {
    await recordLookupUsage(context, input)
    reserveFinalBudget(context, input.claims ?? 'mark')
    return runGraph(graph, context, first)
  })
  if (ended.ok && ended.value.result !== null) return ended.value.result
  const failure = ended.ok ? noResult : ended.failure
  return createFailedResult(initialState(graph.channels, first), failure)
}

/** Records usage from before the run began. */
async function recordLookupUsage(context: RunContext, { lookup }: PapersInput): Promise<void> {
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
  message: 'The last node of "papers" returned no result.',
  retryable: false,
}
