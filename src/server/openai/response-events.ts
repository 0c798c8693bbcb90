import type { LiveEvent } from '../../kernel/run/event.ts'
import { followRun } from '../follow-run.ts'
import type { RunSite } from '../run-site.ts'
import type { continues } from '../running-runs.ts'
import {
  type AnsweredRun,
  messageItem,
  type OutputItem,
  readAnswered,
  reasoningItem,
  toResponse,
} from './response-resource.ts'

/** An event of Open Responses. */
export interface ResponseEvent {
  readonly type: string
  readonly sequence_number: number
  readonly [more: string]: unknown
}

/** A run that is followed for a program. */
export interface FollowedResponse {
  readonly runId: string
  readonly baseUrl: string
  readonly signal: AbortSignal
}

/** The lines on what was done, as the run goes on, and how it ended. */
export async function* followProgress(
  site: RunSite,
  { runId, baseUrl, signal }: FollowedResponse,
): AsyncGenerator<string, AnsweredRun | undefined> {
  const { app, running } = site
  for await (const event of followRun({ app, running, runId, after: 0, signal })) {
    const line = describeDone(event)
    if (line !== undefined) yield site.form.of({ message: line }).message
    if (event.type === 'run.finished') break
    const stops =
      event.type === 'run.waiting' || (event.type === 'run.suspended' && !willContinue(event))
    if (stops && (await app.showRun(runId)).lastSeq <= event.seq) break
  }
  return signal.aborted ? undefined : readAnswered(site, runId, baseUrl)
}

/** Whether the server itself continues an interrupted run. */
function willContinue(event: Extract<LiveEvent, { readonly type: 'run.suspended' }>): boolean {
  const { details } = event.data.failure
  return (details as Partial<typeof continues> | undefined)?.continues === true
}

/** Only what the log keeps counts, so that the same lines come whenever the run is looked at. */
function describeDone(event: LiveEvent): string | undefined {
  if (event.type === 'node.done') return endings[event.data.node]
  if (event.type === 'notice') return event.data.text
  return event.type === 'limit.reached' ? event.data.failure.message : undefined
}

const endings: Readonly<Record<string, string>> = {
  planner: 'Planned the research.',
  attempt: 'Ended a research step.',
  expert: 'Wrote the answer.',
  verify: 'Checked the claims.',
  synthesize: 'Wrote the synthesis.',
}

/** The whole output of a run that is not followed. */
export async function readOutput(
  site: RunSite,
  answered: AnsweredRun,
): Promise<readonly OutputItem[]> {
  const { runId } = answered.run
  const lines: string[] = []
  for await (const event of site.app.events(runId, { withOutput: false })) {
    const line = describeDone(event)
    if (line !== undefined) lines.push(site.form.of({ message: line }).message)
    if (event.type === 'run.finished') break
  }
  return outputOf(answered, lines)
}

/** The items of a response. */
export function outputOf(answered: AnsweredRun, lines: readonly string[]): readonly OutputItem[] {
  const { run, answer, status } = answered
  return [
    ...(lines.length === 0 ? [] : [reasoningItem(run.runId, lines)]),
    ...(answer === undefined ? [] : [messageItem(run.runId, answer, status === 'completed')]),
  ]
}

/** The run as a response that goes on: how every stream begins, whenever it is read. */
function begun({ run, model, request }: AnsweredRun) {
  const then = { ...run, updatedAt: run.createdAt }
  return toResponse({ run: then, model, request, status: 'in_progress' }, [])
}

/** Numbers the events of a response: a projection of the log, the same whenever it is made. */
export async function* responseEvents(
  site: RunSite,
  followed: FollowedResponse,
): AsyncGenerator<ResponseEvent, void> {
  const { runId } = followed
  let next = 0
  const event = (type: string, data: object): ResponseEvent => ({
    type,
    sequence_number: next++,
    ...data,
  })
  const response = begun(await readAnswered(site, runId, followed.baseUrl))
  yield event('response.created', { response })
  yield event('response.in_progress', { response })
  const lines: string[] = []
  const progress = followProgress(site, followed)
  const reasoning = { item_id: `rs_${runId}`, output_index: 0, summary_index: 0 }
  let step = await progress.next()
  for (; step.done !== true; step = await progress.next()) {
    if (lines.length === 0) {
      const item = { ...reasoningItem(runId, []), status: 'in_progress' }
      yield event('response.output_item.added', { output_index: 0, item })
      const part = { type: 'summary_text', text: '' }
      yield event('response.reasoning_summary_part.added', { ...reasoning, part })
    }
    const delta = lines.length === 0 ? step.value : `\n${step.value}`
    lines.push(step.value)
    yield event('response.reasoning_summary_text.delta', { ...reasoning, delta })
  }
  const answered = step.value
  if (answered === undefined) return
  if (lines.length > 0) {
    const text = lines.join('\n')
    yield event('response.reasoning_summary_text.done', { ...reasoning, text })
    const part = { type: 'summary_text', text }
    yield event('response.reasoning_summary_part.done', { ...reasoning, part })
    yield event('response.output_item.done', { output_index: 0, item: reasoningItem(runId, lines) })
  }
  for (const [type, data] of messageEvents(answered, lines.length > 0 ? 1 : 0))
    yield event(type, data)
  const { status } = answered
  const end = status === 'completed' || status === 'failed' ? status : 'incomplete'
  yield event(`response.${end}`, { response: toResponse(answered, outputOf(answered, lines)) })
}

/** The message of an answer. It was checked before it is shown, so all of it is there at once. */
function* messageEvents(answered: AnsweredRun, output_index: number): Generator<[string, object]> {
  const { answer, run, status } = answered
  if (answer === undefined) return
  const item = messageItem(run.runId, answer, status === 'completed')
  const place = { item_id: `msg_${run.runId}`, output_index, content_index: 0 }
  yield [
    'response.output_item.added',
    { output_index, item: { ...item, status: 'in_progress', content: [] } },
  ]
  const empty = { type: 'output_text', text: '', annotations: [], logprobs: [] }
  yield ['response.content_part.added', { ...place, part: empty }]
  for (const delta of piecesOf(answer.text))
    yield ['response.output_text.delta', { ...place, delta, logprobs: [] }]
  for (const [annotation_index, annotation] of answer.annotations.entries())
    yield ['response.output_text.annotation.added', { ...place, annotation_index, annotation }]
  yield ['response.output_text.done', { ...place, text: answer.text, logprobs: [] }]
  yield [
    'response.content_part.done',
    { ...place, part: { ...empty, text: answer.text, annotations: answer.annotations } },
  ]
  yield ['response.output_item.done', { output_index, item }]
}

/** A text in pieces that begin with a paragraph. */
export function piecesOf(text: string): readonly string[] {
  return text.split(/(?<=\n\n)/)
}
