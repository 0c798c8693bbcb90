import type { RunSite } from '../run-site.ts'
import type { FunctionCall } from './function-calls.ts'
import { OpenAiRequestError, toOpenAiError } from './openai-error.ts'
import { type FollowedResponse, followProgress, piecesOf } from './response-events.ts'
import { type AnsweredRun, usageOf } from './response-resource.ts'

/** An answer as a chat completion. @throws {@link OpenAiRequestError} for a run that failed or was interrupted */
export function toChatCompletion(answered: AnsweredRun) {
  requireAnswer(answered)
  const { run, model, answer, calls } = answered
  const message = {
    role: 'assistant',
    content: calls === undefined ? (answer?.text ?? '') : null,
    refusal: null,
    annotations: annotationsOf(answered),
    ...(calls && { tool_calls: calls.calls.map(toToolCall) }),
  }
  return {
    id: run.runId,
    object: 'chat.completion' as const,
    created: Math.floor(run.createdAt / 1_000),
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason(answered) }],
    usage: chatUsage(answered),
  }
}

/** The chunks of a chat completion. The answer was checked before it is shown, so all of it comes at the end. */
export async function* chatFrames(
  site: RunSite,
  followed: FollowedResponse,
  { model, withUsage }: { readonly model: string; readonly withUsage: boolean },
): AsyncGenerator<string, void> {
  const { createdAt } = await site.app.showRun(followed.runId)
  const head = {
    id: followed.runId,
    object: 'chat.completion.chunk',
    created: Math.floor(createdAt / 1_000),
    model,
    ...(withUsage ? { usage: null } : {}),
  }
  const frame = (data: object) => `data: ${JSON.stringify({ ...head, ...data })}\n\n`
  const chunk = (delta: object, finish_reason: string | null = null) =>
    frame({ choices: [{ index: 0, delta, logprobs: null, finish_reason }] })
  yield chunk({ role: 'assistant', content: '' })
  const progress = followProgress(site, followed)
  let step = await progress.next()
  while (step.done !== true) step = await progress.next()
  if (step.value === undefined) return
  const { answered } = step.value
  try {
    requireAnswer(answered)
  } catch (error) {
    yield `data: ${JSON.stringify(toOpenAiError(error).body)}\n\n`
    return
  }
  for (const content of piecesOf(answered.answer?.text ?? '')) yield chunk({ content })
  for (const [index, call] of (answered.calls?.calls ?? []).entries())
    yield chunk({ tool_calls: [{ index, ...toToolCall(call) }] })
  const annotations = annotationsOf(answered)
  if (annotations.length > 0) yield chunk({ annotations })
  yield chunk({}, finishReason(answered))
  if (withUsage) yield frame({ choices: [], usage: chatUsage(answered) })
}

function requireAnswer({ run, status, failure }: AnsweredRun): void {
  if (status !== 'failed' && status !== 'cancelled') return
  const what = status === 'failed' ? 'failed' : 'was interrupted'
  const why = failure === undefined ? '.' : `: ${failure.message}`
  const code = failure?.code
  throw new OpenAiRequestError('run_failed', null, `Run ${run.runId} ${what}${why}`, code)
}

function toToolCall({ id, name, arguments: given }: FunctionCall) {
  return { id, type: 'function', function: { name, arguments: given } }
}

function finishReason({ status, calls }: AnsweredRun): string {
  if (calls !== undefined) return 'tool_calls'
  return status === 'completed' ? 'stop' : 'length'
}

function annotationsOf({ answer }: AnsweredRun) {
  return (answer?.annotations ?? []).map(({ type, ...url_citation }) => ({ type, url_citation }))
}

function chatUsage(answered: AnsweredRun) {
  const usage = usageOf(answered)
  return {
    prompt_tokens: usage?.input_tokens ?? 0,
    completion_tokens: usage?.output_tokens ?? 0,
    total_tokens: usage?.total_tokens ?? 0,
  }
}
