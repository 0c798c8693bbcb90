import { followRun } from '../follow-run.ts'
import type { RunSite } from '../run-site.ts'
import { isEnd, ProgressLog } from './progress-log.ts'
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

/** A line on what was done, and how often the run had been resumed after an end. */
export interface ProgressLine {
  readonly text: string
  readonly section: number
}

/** What a run came to, and how often it had been resumed after an end. */
export interface FollowedEnd {
  readonly answered: AnsweredRun
  readonly section: number
}

/** The lines on what was done, as the run goes on, and how it ended; `undefined` if the reader left. */
export async function* followProgress(
  site: RunSite,
  { runId, baseUrl, signal }: FollowedResponse,
): AsyncGenerator<ProgressLine, FollowedEnd | undefined> {
  const { app, running } = site
  const log = new ProgressLog()
  for (let after = 0; !signal.aborted; ) {
    for await (const event of followRun({ app, running, runId, after, signal })) {
      if (!('transient' in event)) after = event.seq
      const text = log.hear(event)
      if (text !== undefined) yield { text: sayPublicly(site, text), section: log.section }
      if (isEnd(event) && (await app.showRun(runId)).lastSeq <= after) break
    }
    if (signal.aborted) break
    await running.settled(runId)
    const answered = await readAnswered(site, runId, baseUrl)
    const { status } = answered
    // Another request may have resumed it meanwhile.
    if (status !== 'in_progress' && status !== 'queued') return { answered, section: log.section }
  }
  return undefined
}

function sayPublicly({ form }: RunSite, text: string): string {
  return form.of({ message: text }).message
}

/** The whole output of a run that is not followed. */
export async function readOutput(
  site: RunSite,
  answered: AnsweredRun,
): Promise<readonly OutputItem[]> {
  const { runId } = answered.run
  const lines: string[] = []
  const log = new ProgressLog()
  for await (const event of site.app.events(runId, { withOutput: false })) {
    const line = log.hear(event)
    if (line !== undefined) lines.push(sayPublicly(site, line))
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

/** The events of an end have fewer numbers than this. */
const sectionLength = 10_000

/**
 * The events of a response: a projection of the log, the same whenever it is made. Their numbers begin at 0; after each end that was
 * resumed there is a gap, so that a number that a reader of that end has seen never means another event.
 */
export async function* responseEvents(
  site: RunSite,
  followed: FollowedResponse,
): AsyncGenerator<ResponseEvent, void> {
  const { runId } = followed
  let next = 0
  let section = 0
  const event = (type: string, data: object): ResponseEvent => ({
    type,
    sequence_number: next++ + section * sectionLength,
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
    const { text } = step.value
    section = step.value.section
    if (lines.length === 0) {
      const item = { ...reasoningItem(runId, []), status: 'in_progress' }
      yield event('response.output_item.added', { output_index: 0, item })
      const part = { type: 'summary_text', text: '' }
      yield event('response.reasoning_summary_part.added', { ...reasoning, part })
    }
    const delta = lines.length === 0 ? text : `\n${text}`
    lines.push(text)
    yield event('response.reasoning_summary_text.delta', { ...reasoning, delta })
  }
  if (step.value === undefined) return
  section = step.value.section
  for (const [type, data] of endEvents(step.value.answered, lines)) yield event(type, data)
}

/** The events from the last line to the end. */
function* endEvents(
  answered: AnsweredRun,
  lines: readonly string[],
): Generator<[type: string, data: object]> {
  const { runId } = answered.run
  if (lines.length > 0) {
    const reasoning = { item_id: `rs_${runId}`, output_index: 0, summary_index: 0 }
    const text = lines.join('\n')
    yield ['response.reasoning_summary_text.done', { ...reasoning, text }]
    const part = { type: 'summary_text', text }
    yield ['response.reasoning_summary_part.done', { ...reasoning, part }]
    const item = reasoningItem(runId, lines)
    yield ['response.output_item.done', { output_index: 0, item }]
  }
  yield* messageEvents(answered, lines.length > 0 ? 1 : 0)
  const { status } = answered
  const end = status === 'completed' || status === 'failed' ? status : 'incomplete'
  yield [`response.${end}`, { response: toResponse(answered, outputOf(answered, lines)) }]
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

/** Pieces of a text at most. */
const maxPieces = 1_000

/** A text in pieces that begin with a paragraph, or that are equally long if these are too many. */
export function piecesOf(text: string): readonly string[] {
  const paragraphs = text.split(/(?<=\n\n)/)
  if (paragraphs.length <= maxPieces) return paragraphs
  const length = Math.ceil(text.length / maxPieces)
  return Array.from({ length: maxPieces }, (_, n) => text.slice(n * length, (n + 1) * length))
}
