import type { CallToolResult, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { ExecutionOptions, RunResult } from '../../app.ts'
import { ScholiumError, toFailure } from '../../kernel/errors.ts'
import { executeRequest, grantsOf, isWebAllowed } from '../start-run.ts'
import type { McpRequest, McpSite } from './mcp-site.ts'
import { describeRun, runOutput } from './run-output.ts'
import { RunProgress } from './run-progress.ts'
import { answerCall, answerWithRun, failedCall } from './tool-answer.ts'

/** The workflows that clients drive. */
type Driven = 'ask' | 'papers'

const maxQuestionChars = 20_000

const runName = z.string().min(1).max(128)

/** What questions and reviews have in common. */
function shared({ policy }: McpSite) {
  return {
    web: z
      .boolean()
      .optional()
      .describe(
        isWebAllowed(policy)
          ? 'Whether to search and read the web too. Default: true.'
          : 'The operator does not allow the web.',
      ),
    resume: runName
      .optional()
      .describe('The id of an interrupted run to continue instead of starting a new one.'),
    maxSeconds: z
      .number()
      .positive()
      .max(86_400)
      .optional()
      .describe('Stop after this time, with a partial answer from the work that is done.'),
    maxCostUsd: z.number().positive().optional().describe('Stop before the cost exceeds this.'),
  }
}

const annotations = { readOnlyHint: false, destructiveHint: false, idempotentHint: false }

/** Adds the tools that execute and show runs. */
export function addRunTools(server: McpServer, site: McpSite): void {
  addAsk(server, site)
  addPapers(server, site)
  server.registerTool(
    'get_run',
    {
      title: 'Get a run',
      description:
        'Shows an earlier run of ask, papers or an agent: its status and, once it has ended, its answer with sources and verdicts. Use it for a run that was interrupted or is still being executed, or to see an earlier answer again.',
      inputSchema: z.strictObject({ run: runName.describe('The id of a run, or "last".') }),
      outputSchema: runOutput,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ run }) =>
      answerCall(site, async () =>
        answerWithRun(await describeRun(site, await site.app.showRun(run))),
      ),
  )
}

function addAsk(server: McpServer, site: McpSite): void {
  const inputSchema = z.strictObject({
    question: z.string().trim().min(1).max(maxQuestionChars).optional(),
    depth: z
      .enum(['quick', 'standard', 'thorough'])
      .optional()
      .describe('How much work goes into the answer. Default: standard.'),
    continue: runName
      .optional()
      .describe('The id of a run of ask that this question follows up on.'),
    ...shared(site),
  })
  server.registerTool(
    'ask',
    {
      title: 'Ask with citations',
      description:
        'Answers a question from the files in the library of the operator, with a citation for every sentence. Each sentence is then checked against the passage it cites, and gets a verdict. Use it for questions that need evidence from documents; for a quick look at passages use search_library. Takes seconds to minutes. Returns the answer with numbered citations, its sources, the verdict on each claim, and what is missing; repeat the numbers and say which claims are not supported.',
      inputSchema,
      outputSchema: runOutput,
      annotations: { ...annotations, openWorldHint: isWebAllowed(site.policy) },
    },
    ({ question, maxSeconds, maxCostUsd, resume, ...asked }, request) =>
      answerRun(site, request, { workflow: 'ask', resume }, (execution) => {
        const limits = { maxSeconds, maxCostUsd }
        const wanted = { ...asked, question: required('question', question), limits }
        return executeRequest(site.app, site.policy, { workflow: 'ask', ...wanted }, execution)
      }),
  )
}

function addPapers(server: McpServer, site: McpSite): void {
  const inputSchema = z.strictObject({
    topic: z.string().trim().min(1).max(maxQuestionChars).optional(),
    count: z.int().min(1).max(20).optional().describe('Maximum number of papers. Default: 5.'),
    ...shared(site),
  })
  server.registerTool(
    'papers',
    {
      title: 'Review papers',
      description:
        'Reviews papers on a topic: finds them in the library of the operator (and on arXiv, Semantic Scholar and OpenAlex where the web is allowed), reads and analyses each, and says what they agree on, where they contradict each other, and what they leave open, each point with the pages that say it. Use it for a survey of several papers, not for one question. Takes minutes. Returns the report in Markdown with numbered citations and verdicts.',
      inputSchema,
      outputSchema: runOutput,
      annotations: { ...annotations, openWorldHint: isWebAllowed(site.policy) },
    },
    ({ topic, maxSeconds, maxCostUsd, resume, ...asked }, request) =>
      answerRun(site, request, { workflow: 'papers', resume }, (execution) => {
        const limits = { maxSeconds, maxCostUsd }
        const wanted = { ...asked, query: required('topic', topic), limits }
        return executeRequest(site.app, site.policy, { workflow: 'papers', ...wanted }, execution)
      }),
  )
}

function required(name: string, value: string | undefined): string {
  if (value !== undefined) return value
  throw new ScholiumError('invalid_input', `"${name}" is missing.`, {
    hint: `Give "${name}", or "resume" with the id of an interrupted run.`,
  })
}

/**
 * Executes a run, or resumes one, and answers with what it came to. If the call is cancelled, the run is interrupted and can be
 * resumed.
 */
async function answerRun(
  site: McpSite,
  request: McpRequest,
  { workflow, resume }: { readonly workflow: Driven; readonly resume: string | undefined },
  begin: (execution: ExecutionOptions) => Promise<RunResult>,
): Promise<CallToolResult> {
  const { app, policy } = site
  let runId = ''
  const execute = async (execution: ExecutionOptions) => {
    if (resume === undefined) return begin(execution)
    runId = await findResumable(site, resume, workflow)
    return app.resume(runId, { ...execution, ...grantsOf(policy) })
  }
  try {
    const progress = new RunProgress(request, site.form)
    const result = await executeHere(site, async ({ signal, onEvent }) =>
      execute({
        signal: AbortSignal.any([signal, request.mcpReq.signal]),
        onEvent: (event) => {
          if (!('transient' in event)) runId = event.runId
          onEvent(event)
          progress.hear(event)
        },
      }),
    )
    return answerWithRun(await describeRun(site, await app.showRun(result.runId)))
  } catch (thrown) {
    const { code } = toFailure(thrown)
    if (code === 'waiting' && runId !== '')
      return answerWithRun(await describeRun(site, await app.showRun(runId)))
    const note =
      code === 'cancelled' && runId !== ''
        ? `Run ${runId} was interrupted. Continue it with {"resume": "${runId}"}.`
        : ''
    return failedCall(site, thrown, note)
  }
}

/** Executes a run among those of the server, to its end. @throws `too_many_requests`, and what `execute` throws */
async function executeHere(
  { running }: McpSite,
  execute: (
    execution: Required<Pick<ExecutionOptions, 'signal' | 'onEvent'>>,
  ) => Promise<RunResult>,
): Promise<RunResult> {
  const { promise, resolve, reject } = Promise.withResolvers<RunResult>()
  // If it does not start, that is what is thrown.
  promise.catch(() => {})
  await running.start((execution) => {
    const executed = execute(execution)
    executed.then(resolve, reject)
    return executed
  })
  return promise
}

/** @throws `invalid_input` for a run of something else: only what the tool starts is driven by it */
async function findResumable({ app }: McpSite, run: string, workflow: Driven): Promise<string> {
  const found = await app.showRun(run)
  if (found.workflow === workflow) return found.runId
  throw new ScholiumError(
    'invalid_input',
    `Run ${found.runId} is not a run of ${workflow} but of ${found.workflow}.`,
    { hint: 'Call the tool that started it, or get_run to see it.' },
  )
}
