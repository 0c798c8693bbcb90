import type { z } from '@hono/zod-openapi'
import { type App, clientFunctions, type RunResult } from '../../app.ts'
import type { RunRecord } from '../../kernel/run/run-store.ts'
import { endStatuses } from '../follow-run.ts'
import { lastFailure, lastQuestion, placesOf } from '../recorded-run.ts'
import type { RunSite } from '../run-site.ts'
import { type AnswerText, toAnswerText } from './answer-text.ts'
import { type FunctionCall, readCalls, type WaitingCalls } from './function-calls.ts'
import type { responsesRequest } from './openai-schemas.ts'

/** A run as the forms of OpenAI need it, without places of this machine. */
export interface AnsweredRun {
  readonly run: RunRecord
  /** How it ended, or why it does not go on. */
  readonly status: 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled'
  /** Why it is `incomplete`. */
  readonly reason?: string
  /** What made it fail. */
  readonly failure?: { readonly code: string; readonly message: string }
  /** Of a run that has ended, or that waits for a person. */
  readonly answer?: AnswerText
  readonly result?: RunResult
  readonly model: string
  readonly request: EchoedRequest
  /** The functions of the client that it waits for. */
  readonly calls?: WaitingCalls
}

/** Reads a run from its log. @param baseUrl where the server is reached, without a slash at the end */
export async function readAnswered(
  { app, running, form }: RunSite,
  runId: string,
  baseUrl: string,
): Promise<AnsweredRun> {
  const run = await app.showRun(runId)
  const recorded = endStatuses.has(run.status) ? await app.recordedAnswer(runId) : undefined
  const isStopped = run.status === 'interrupted' || run.status === 'failed'
  const thrown = isStopped && recorded === undefined ? await lastFailure(app, runId) : undefined
  const shown = form.with(await placesOf(app, runId)).of({ run, result: recorded, thrown })
  const { result } = shown
  const request = await readEcho(app, runId)
  const known = { run: shown.run, model: modelOf(shown.run, result), request }
  const runUrl = `${baseUrl}/#/runs/${runId}`
  if (result !== undefined) {
    const answer = toAnswerText(result, runUrl)
    const ended = { ...known, result, answer }
    if (run.status === 'failed') return { ...ended, status: 'failed', failure: failureOf(result) }
    if (run.status !== 'partial') return { ...ended, status: 'completed' }
    const { stopReason } = result as { readonly stopReason?: string }
    return { ...ended, status: 'incomplete', reason: stopReason ?? 'partial' }
  }
  if (run.status === 'waiting' && run.workflow === clientFunctions.name)
    return { ...known, status: 'completed', calls: await readCalls(app, runId) }
  if (run.status === 'waiting') {
    const asked = form.of({ prompt: (await lastQuestion(app, runId))?.prompt })
    const text = `The run waits for a person: ${JSON.stringify(asked.prompt)}\n\nAnswer it with POST ${baseUrl}/api/runs/${runId}/answer\n\n[Run ${runId}](${runUrl})`
    return { ...known, status: 'incomplete', reason: 'waiting', answer: { text, annotations: [] } }
  }
  if (run.status === 'running') return { ...known, status: 'in_progress' }
  if (running.placeInQueue(runId) !== undefined) return { ...known, status: 'queued' }
  if (running.has(runId)) return { ...known, status: 'in_progress' }
  if (run.status === 'failed' || thrown !== undefined)
    return { ...known, status: 'failed', failure: shown.thrown ?? unknownFailure }
  return { ...known, status: 'cancelled' }
}

/** What a response says again of its request. */
export type EchoedRequest = Pick<
  z.infer<typeof responsesRequest>,
  'instructions' | 'previous_response_id' | 'metadata' | 'background' | 'tools' | 'tool_choice'
>

/** What of a request is recorded with its run, as JSON. */
export function toEcho(request: EchoedRequest): string {
  const { instructions, previous_response_id, metadata, background, tool_choice } = request
  // Descriptions of MCP servers hold keys.
  const tools = request.tools?.map((tool) => (tool.type === 'mcp' ? { type: 'mcp' } : tool))
  const echoed = { instructions, previous_response_id, metadata, background, tools, tool_choice }
  return JSON.stringify(echoed)
}

/** What is recorded of the request that started a run; empty for a run that began otherwise. */
async function readEcho(app: App, runId: string): Promise<EchoedRequest> {
  const filter = { types: ['run.started'], withOutput: false } as const
  for await (const { data } of app.events(runId, filter))
    return JSON.parse(data.labels?.request ?? '{}') as EchoedRequest
  return {}
}

function modelOf({ workflow, title }: RunRecord, result: RunResult | undefined): string {
  if (workflow === clientFunctions.name) return 'scholium/ask'
  if (workflow !== 'agent') return `scholium/${workflow}`
  const { agent = title } = (result ?? {}) as { readonly agent?: string }
  return `agent:${agent}`
}

const unknownFailure = { code: 'internal', message: 'The run failed.' }

function failureOf(result: RunResult): NonNullable<AnsweredRun['failure']> {
  const { error, failure } = result as {
    readonly error?: Partial<typeof unknownFailure> | null
    readonly failure?: Partial<typeof unknownFailure> | null
  }
  return { ...unknownFailure, ...(error ?? failure) }
}

/** Tokens of a run, in the words of Open Responses; `null` before its end. */
export function usageOf({ result, calls }: AnsweredRun) {
  const usage = result?.usage ?? calls
  if (usage === undefined) return null
  const { inputTokens, outputTokens } = usage
  return {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
  }
}

/** An output item of a response. */
export type OutputItem = Readonly<Record<string, unknown>> & { readonly type: string }

/** What was done, line by line. */
export function reasoningItem(runId: string, lines: readonly string[]): OutputItem {
  const summary = lines.length === 0 ? [] : [{ type: 'summary_text', text: lines.join('\n') }]
  return { type: 'reasoning', id: `rs_${runId}`, summary, status: 'completed' }
}

/** The answer as a message. */
export function messageItem(
  runId: string,
  { text, annotations }: AnswerText,
  isWhole: boolean,
): OutputItem {
  return {
    type: 'message',
    id: `msg_${runId}`,
    role: 'assistant',
    status: isWhole ? 'completed' : 'incomplete',
    content: [{ type: 'output_text', text, annotations, logprobs: [] }],
  }
}

/** A call of a function of the client. */
export function callItem({ id, name, arguments: given }: FunctionCall): OutputItem {
  return {
    type: 'function_call',
    id: `fc_${id}`,
    call_id: id,
    name,
    arguments: given,
    status: 'completed',
  }
}

/** A response: the fields that Scholium has no use for have their usual values. */
export function toResponse(answered: AnsweredRun, output: readonly OutputItem[]) {
  const { run, status, reason, failure, model, result, request } = answered
  const isOver = status === 'completed' || status === 'incomplete' || status === 'failed'
  const costUsd = result?.costUsd
  return {
    id: run.runId,
    object: 'response' as const,
    created_at: Math.floor(run.createdAt / 1_000),
    completed_at: isOver ? Math.floor(run.updatedAt / 1_000) : null,
    status,
    incomplete_details: reason === undefined ? null : { reason },
    error: failure === undefined ? null : { code: failure.code, message: failure.message },
    model,
    output: [...output],
    usage: usageOf(answered),
    metadata: {
      ...request.metadata,
      ...(costUsd == null ? {} : { scholium_cost_usd: String(costUsd) }),
    },
    previous_response_id: request.previous_response_id ?? null,
    instructions: request.instructions ?? null,
    tools: request.tools ?? [],
    tool_choice: request.tool_choice ?? 'auto',
    parallel_tool_calls: true,
    truncation: 'disabled',
    text: { format: { type: 'text' } },
    reasoning: { effort: null, summary: null },
    temperature: 1,
    top_p: 1,
    presence_penalty: 0,
    frequency_penalty: 0,
    top_logprobs: 0,
    max_output_tokens: null,
    max_tool_calls: null,
    store: true,
    background: request.background ?? false,
    service_tier: 'default',
    safety_identifier: null,
    prompt_cache_key: null,
  }
}
