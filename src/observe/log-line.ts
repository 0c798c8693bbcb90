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
import { escapeControlCharacters } from './printable-text.ts'
import { toTraceId } from './span.ts'
import { findTool } from './span-path.ts'

/** Severity of a line; a log shows one level and those above it. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** The levels, lowest first. */
export const logLevels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error']

/** A log line before formatting. */
export interface LogLine {
  readonly level: LogLevel
  /** What it concerns: a node, an agent's position, or `run`. */
  readonly component: string
  /** Fixed text; untrusted text is only in the facts. */
  readonly message: string
  /** The key of the step or node. */
  readonly step?: string
  readonly facts: Readonly<Record<string, string | number | undefined>>
}

/**
 * Converts an event to a log line; `undefined` if it has none.
 * @param started the start event of its step, if the log has it; the input is recorded there
 */
export function toLogLine(event: LiveEvent, started?: RunEvent): LogLine | undefined {
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

/** The node whose failure an event reports, or `undefined`. A node reports it as an error named `failed`. */
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

/** Formats a line: time, level, component, message, then `key=value`. No value can forge another line. */
export function formatLogLine(line: LogLine, runId: string, timeMs: number): string {
  const { level, component, message, step, facts } = line
  const ids = { run: runId, trace: toTraceId(runId), ...(step === undefined ? {} : { step }) }
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

/** Model and tool calls are logged at level info, other steps at debug. */
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

/** Splits a key into the node or agent that it belongs to and the rest. */
function splitKey(key: string): { component: string; step: string } {
  const segments = key.split('/')
  return { component: segments.slice(0, 2).join('/'), step: key }
}

function quoted(value: string | number): string {
  const text = String(value)
  return /^[\w./:[\]+-]+$/.test(text) ? text : escapeControlCharacters(JSON.stringify(text))
}

/** A component must be one word, whatever name a workflow gives its nodes. */
function bare(text: string): string {
  return escapeControlCharacters(text).replaceAll(/\s/g, '_') || '-'
}
