import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  type McpServer,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { ScholiumError, toFailure } from '../../kernel/errors.ts'
import { executeRequest, isWebAllowed } from '../start-run.ts'
import { cardMeta } from './answer-card.ts'
import { driveRun, type WantedRun } from './drive-run.ts'
import { capabilitiesOf, findNamed, type McpRequest, type McpSite } from './mcp-site.ts'
import { startTask, takesTasks } from './mcp-tasks.ts'
import { describeRun, runOutput } from './run-output.ts'
import { RunProgress } from './run-progress.ts'
import { answerFrom, questionsOf } from './run-questions.ts'
import { answerCall, answerWithRun, failedCall, tellUnexplained } from './tool-answer.ts'

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
      _meta: cardMeta,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ run }) =>
      answerCall(site, async () =>
        answerWithRun(await describeRun(site, await findNamed(site, run))),
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
    approvePlan: z
      .boolean()
      .optional()
      .describe('Whether a person approves or changes the plan before the research begins.'),
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
      _meta: cardMeta,
      annotations: { ...annotations, openWorldHint: isWebAllowed(site.policy) },
    },
    ({ question, resume, maxSeconds, maxCostUsd, ...asked }, request) =>
      answerRun({ site, server }, request, {
        workflow: 'ask',
        resume,
        maxSeconds,
        maxCostUsd,
        begin: async (execution) => {
          const limits = { maxSeconds, maxCostUsd }
          const wanted = { ...asked, question: required('question', question), limits }
          if (wanted.continue !== undefined)
            wanted.continue = (await findNamed(site, wanted.continue)).runId
          return executeRequest(site, { workflow: 'ask', ...wanted }, execution)
        },
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
      _meta: cardMeta,
      annotations: { ...annotations, openWorldHint: isWebAllowed(site.policy) },
    },
    ({ topic, resume, maxSeconds, maxCostUsd, ...asked }, request) =>
      answerRun({ site, server }, request, {
        workflow: 'papers',
        resume,
        maxSeconds,
        maxCostUsd,
        begin: async (execution, isFresh) => {
          const limits = { maxSeconds, maxCostUsd }
          const wanted = {
            ...asked,
            query: required('topic', topic),
            limits,
            ...(isFresh && { fresh: true }),
          }
          return executeRequest(site, { workflow: 'papers', ...wanted }, execution)
        },
      }),
  )
}

function required(name: string, value: string | undefined): string {
  if (value !== undefined) return value
  throw new ScholiumError('invalid_input', `"${name}" is missing.`, {
    hint: `Give "${name}", or "resume" with the id of an interrupted run.`,
  })
}

interface ServedSite {
  readonly site: McpSite
  readonly server: McpServer
}

/**
 * Executes a run and answers with what it came to, or as a task. If the call is cancelled, the run is interrupted and can be
 * resumed.
 */
async function answerRun(
  { site, server }: ServedSite,
  request: McpRequest,
  wanted: WantedRun,
): Promise<CallToolResult | InputRequiredResult> {
  let runId = ''
  try {
    if (takesTasks(request)) return await startTask(site, wanted)
    const { inputResponses = {}, signal } = request.mcpReq
    // The run that a person was asked about goes on.
    const resume = request.mcpReq.requestState<string>() ?? wanted.resume
    const progress = new RunProgress(request, site)
    const driven = await driveRun(
      site,
      { ...wanted, resume },
      {
        signal,
        answer: answerFrom(inputResponses),
        hear: (event) => progress.hear(event),
        isTask: false,
      },
    )
    runId = driven.runId
    await driven.result
    return answerWithRun(await describeRun(site, await site.app.showRun(runId)))
  } catch (thrown) {
    if (runId === '') tellUnexplained(site, thrown)
    const { code } = toFailure(thrown)
    if (runId !== '' && code === 'waiting') return answerWaiting({ site, server }, request, runId)
    const isInterrupted = runId !== '' && code === 'cancelled'
    const note = `Run ${runId} was interrupted. Continue it with {"resume": "${runId}"}.`
    return failedCall(site, thrown, isInterrupted ? note : '')
  }
}

/** Asks the person in front of the client what a run asks; if the client asks nobody, says that it waits. */
async function answerWaiting(
  { site, server: { server } }: ServedSite,
  request: McpRequest,
  runId: string,
): Promise<CallToolResult | InputRequiredResult> {
  // A client of 2025 said once what it can do.
  const capabilities = { ...server.getClientCapabilities(), ...capabilitiesOf(request) }
  const isAsking = capabilities.elicitation !== undefined
  const inputRequests = isAsking ? await questionsOf(site, runId) : undefined
  if (inputRequests !== undefined)
    return inputRequired({ inputRequests, requestState: await site.asked.mint(runId, request) })
  return answerWithRun(await describeRun(site, await site.app.showRun(runId)))
}
