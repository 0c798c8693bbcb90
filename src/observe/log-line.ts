import type { Failure } from '../kernel/errors.ts'
import {
  type EventOf,
  isOfStep,
  type LiveEvent,
  type RunEvent,
  type StepEvent,
  type StepFacts,
  type TransientEvent,
} from '../kernel/run/event.ts'
import { callFacts } from './event-facts.ts'
import { escapeSteering } from './printable-text.ts'
import { traceIdOf } from './span.ts'
import { findTool } from './span-path.ts'

/** How much a line matters; a log shows one level and those above it. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** The levels, least first. */
export const logLevels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error']

/** A line of a log before it is text. */
export interface LogLine {
  readonly level: LogLevel
  /** What it is about: a node, an agent's place, or `run`. */
  readonly component: string
  /** Words of ours: what came from elsewhere is among the facts. */
  readonly message: string
  /** The step or node's key. */
  readonly step?: string
  readonly facts: Readonly<Record<string, string | number | undefined>>
}

/** What an event says to a log, or `undefined`. @param started the start of its step, where the log has it: what was asked stands there */
export function logLineOf(event: LiveEvent, started?: RunEvent): LogLine | undefined {
  if ('transient' in event) return transientLine(event)
  if (isOfStep(event)) return stepLine(event, started)
  const { key } = event
  switch (event.type) {
    case 'node.done':
      return { level: 'info', ...splitKey(key), message: 'node done', facts: {} }
    case 'turn.done':
      return { level: 'debug', ...splitKey(key), message: 'turn done', facts: event.data }
    case 'limit.reached':
      return { level: 'warn', ...splitKey(key), ...failed('limit reached', event.data.failure) }
    case 'notice':
      return noticeLine(event)
    default:
      return runLine(event)
  }
}

/** The node whose failure an event tells, or `undefined`: a node tells it as an error under the name `failed`. */
export function findFailedNode(event: LiveEvent): string | undefined {
  if (event.type !== 'notice' || event.data.level !== 'error') return undefined
  return event.key.endsWith('/failed') ? /^.*\[\d+\](?=\/)/s.exec(event.key)?.[0] : undefined
}

function noticeLine(event: EventOf<'notice'>): LogLine {
  const { key, data } = event
  const { text, component } = data
  const node = findFailedNode(event)
  if (node !== undefined)
    return { level: 'error', ...splitKey(node), message: 'node failed', facts: { reason: text } }
  const level = data.level === 'warning' ? 'warn' : data.level === 'error' ? 'error' : 'info'
  return { level, component, step: key, message: 'notice', facts: { text } }
}

/** The line as text: time, level, component, message, then `key=value`. Nothing in it can forge another line. */
export function formatLogLine(line: LogLine, runId: string, timeMs: number): string {
  const { level, component, message, step, facts } = line
  const ids = { run: runId, trace: traceIdOf(runId), ...(step === undefined ? {} : { step }) }
  const pairs = Object.entries({ ...ids, ...facts }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${quoted(value)}`],
  )
  const head = [new Date(timeMs).toISOString(), level.toUpperCase().padEnd(5), bare(component)]
  return [...head, message, ...pairs].join(' ')
}

function transientLine({ type, key, data }: TransientEvent): LogLine | undefined {
  const place = splitKey(key)
  if (type === 'step.running') return { level: 'debug', ...place, message: 'step start', facts: {} }
  if (type !== 'progress') return undefined
  if (data.state === 'started') return { level: 'info', ...place, message: 'node start', facts: {} }
  if (data.text === undefined) return undefined
  return {
    level: 'warn',
    ...place,
    message: 'progress',
    facts: { text: data.text.replace(/(?<![.!?])(?= Trying again in \d+ s\.$)/, '.') },
  }
}

function runLine(event: RunEvent): LogLine | undefined {
  const component = 'run'
  switch (event.type) {
    case 'run.started':
    case 'run.resumed':
    case 'run.forked': {
      const { labels } = event.data
      const facts = {
        workflow: event.type === 'run.started' ? event.data.workflow : undefined,
        session: labels?.session,
        user: labels?.user,
        parent: event.type === 'run.forked' ? event.data.parent.runId : undefined,
      }
      return { level: 'info', component, message: event.type.slice('run.'.length), facts }
    }
    case 'run.finished': {
      const { status } = event.data
      const level = status === 'failed' ? 'error' : status === 'answered' ? 'info' : 'warn'
      return { level, component, message: 'finished', facts: { status } }
    }
    case 'run.suspended':
      return { level: 'warn', component, ...failed('suspended', event.data.failure) }
    case 'run.waiting':
      return { level: 'info', component, step: event.key, message: 'waiting', facts: {} }
    default:
      return undefined
  }
}

/** Calls of models and tools are of interest to everybody, other steps to who looks for a fault. */
function stepLine(event: StepEvent, started: RunEvent | undefined): LogLine {
  const { type, key, ts, data } = event
  const { failure, startedAt } = data
  const place = splitKey(key)
  const { kind, attributes } = callFacts(event, started)
  const what = kind === 'step' ? 'step' : kind === 'model' ? 'model call' : 'tool call'
  if (type === 'step.started')
    return {
      level: 'debug',
      ...place,
      message: `${what} recorded`,
      facts: pickModelFacts(attributes),
    }
  const facts = {
    durationMs: startedAt === undefined ? undefined : ts - startedAt,
    tool: findTool(key),
    ...pickModelFacts(attributes),
    requests: attributes.requests as number | undefined,
    ...usedBy(data),
  }
  if (type === 'step.done')
    return { level: kind === 'step' ? 'debug' : 'info', ...place, message: `${what} done`, facts }
  const level = type === 'step.cancelled' ? 'warn' : 'error'
  const line = failed(`${what} ${type.slice('step.'.length)}`, failure)
  return { level, ...place, ...line, facts: { ...facts, ...line.facts } }
}

function pickModelFacts({ model }: Readonly<Record<string, unknown>>): Record<string, string> {
  return typeof model === 'string' ? { model } : {}
}

function usedBy({ usage }: StepFacts): Record<string, string | number> {
  if (usage === undefined) return {}
  const { inputTokens, outputTokens, costUsd } = usage
  return { inputTokens, outputTokens, costUsd: costUsd ?? 'unknown' }
}

function failed(message: string, failure: Failure | undefined): Pick<LogLine, 'message' | 'facts'> {
  return { message, facts: { code: failure?.code, reason: failure?.message } }
}

/** The node or agent that a key lies in, and the key. */
function splitKey(key: string): { component: string; step: string } {
  const segments = key.split('/')
  return { component: segments.slice(0, 2).join('/'), step: key }
}

function quoted(value: string | number): string {
  const text = String(value)
  return /^[\w./:[\]+-]+$/.test(text) ? text : escapeSteering(JSON.stringify(text))
}

/** A component is one word, whatever a workflow calls its nodes. */
function bare(text: string): string {
  return escapeSteering(text).replaceAll(/\s/g, '_') || '-'
}
