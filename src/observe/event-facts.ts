import type { Failure } from '../kernel/errors.ts'
import type { JsonObject } from '../kernel/json.ts'
import {
  type EventOf,
  type EventType,
  isOfStep,
  type RunEvent,
  type StepFacts,
} from '../kernel/run/event.ts'
import {
  noUsage,
  type SpanFailure,
  type SpanKind,
  type SpanStatus,
  type SpanUsage,
} from './span.ts'
import { findTool } from './span-path.ts'

/** What the log records about a call. */
export interface CallFacts {
  readonly kind: SpanKind
  readonly name: string
  /** The role that the model played. */
  readonly role: string | undefined
  readonly attributes: Readonly<Record<string, string | number | boolean>>
}

/** Tools that search sources. */
const retrievalTools = /^search_/

/** The recorded facts of a step; for a step stopped by a limit, its usage so far. */
function stepFacts(event: RunEvent): Partial<StepFacts> {
  return isOfStep(event) || event.type === 'limit.reached' ? event.data : {}
}

/** Whether a step calls a model. Only model steps have usage or a role. */
export function isModelStep(event: RunEvent): boolean {
  if (findTool(event.key) !== undefined) return false
  const { usage, reservation } = stepFacts(event)
  return (
    usage !== undefined || reservation !== undefined || readModelInput(event, undefined).role !== ''
  )
}

/**
 * Kind, name and attributes of a step.
 * @param started its start event, if the log has it; paid steps are described there
 */
export function callFacts(event: RunEvent, started: RunEvent | undefined): CallFacts {
  const facts = stepFacts(event)
  const tool = findTool(event.key)
  const { attempt, effect, steps } = { ...(started && stepFacts(started)), ...facts }
  const shared = {
    ...(effect === undefined ? {} : { effect }),
    ...(attempt === undefined ? {} : { attempt }),
  }
  if (tool !== undefined) {
    const kind = retrievalTools.test(tool) ? 'retrieval' : 'tool'
    return { kind, name: tool, role: undefined, attributes: { ...shared, tool } }
  }
  const name = event.key.slice(event.key.lastIndexOf('/') + 1)
  if (!isModelStep(event) && !(started && isModelStep(started)))
    return { kind: 'step', name, role: undefined, attributes: shared }
  const { role, model, settings } = readModelInput(event, started)
  const { finishReason } = toObject(event.type === 'step.done' ? event.output : undefined)
  const attributes = {
    ...shared,
    ...(role === '' ? {} : { role }),
    ...(model === '' ? {} : { model }),
    ...(steps === undefined ? {} : { requests: steps }),
    ...pickNumbers(settings),
    ...(typeof finishReason === 'string' ? { finishReason } : {}),
  }
  return { kind: 'model', name, role: role === '' ? undefined : role, attributes }
}

/** The input of a model call, if the log has it. */
function readModelInput(event: RunEvent, started: RunEvent | undefined) {
  const ofStart = event.type === 'step.started' ? event.output : started?.output
  const input = toObject(stepFacts(event).input ?? ofStart)
  const { role, model, settings } = input
  const isCall = typeof role === 'string' && typeof model === 'string'
  return isCall
    ? { role, model, settings: toObject(settings) }
    : { role: '', model: '', settings: {} }
}

function pickNumbers({ temperature, maxOutputTokens }: JsonObject): Record<string, number> {
  return {
    ...(typeof temperature === 'number' ? { temperature } : {}),
    ...(typeof maxOutputTokens === 'number' ? { maxOutputTokens } : {}),
  }
}

function toObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : {}
}

/** The usage of a call; none if a limit stopped it before it began. */
export function readUsage(event: RunEvent, kind: SpanKind, durationMs: number): SpanUsage {
  const { usage } = stepFacts(event)
  if (findTool(event.key) !== undefined)
    return event.type === 'limit.reached' || event.type === 'step.started'
      ? noUsage
      : { ...noUsage, toolCalls: 1 }
  if (kind !== 'model' || usage === undefined) return noUsage
  const { inputTokens, outputTokens, costUsd } = usage
  return { inputTokens, outputTokens, costUsd, modelCalls: 1, toolCalls: 0, modelMs: durationMs }
}

/** Events that begin an execution. */
export const beginnings = ['run.started', 'run.resumed', 'run.forked'] as const

/** An event that begins an execution. */
type Beginning = EventOf<(typeof beginnings)[number]>

/** Whether an event begins an execution. */
export function isBeginning(event: RunEvent): event is Beginning {
  return (beginnings as readonly string[]).includes(event.type)
}

/** The status of a step by the event that ends it; failed for any other event. */
export const stepStatuses: Partial<Record<EventType, SpanStatus>> = {
  'step.done': 'ok',
  'step.cancelled': 'cancelled',
}

/** Attributes of an execution, from the event that begins it. */
export function beginningFacts(
  event: RunEvent,
  { session, user }: Readonly<Record<string, string>>,
): Record<string, string | number> {
  const parent = event.type === 'run.forked' ? event.data.parent : undefined
  return {
    begunBy: event.type.slice('run.'.length),
    ...(session === undefined ? {} : { session }),
    ...(user === undefined ? {} : { user }),
    ...(parent === undefined ? {} : { parentRunId: parent.runId, parentSeq: parent.seq }),
  }
}

/** A failure reduced to code and message. */
export function shortFailure({ code, message }: Failure): SpanFailure {
  return { code, message }
}
