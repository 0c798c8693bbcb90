import type { Failure } from '../kernel/errors.ts'
import type { Json, JsonObject } from '../kernel/json.ts'
import type { LiveEvent, RunEvent, StepFacts } from '../kernel/run/event.ts'
import { escapeSteering } from './printable-text.ts'
import { traceIdOf } from './span.ts'
import { toolOf } from './span-path.ts'
import { callFacts } from './step-facts.ts'

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
  if (event.type.startsWith('run.')) return runLine(event)
  if (event.type.startsWith('step.')) return stepLine(event, started)
  const { key, data } = event
  switch (event.type) {
    case 'node.done':
      return { level: 'info', ...placeOf(key), message: 'node done', facts: {} }
    case 'turn.done':
      return { level: 'debug', ...placeOf(key), message: 'turn done', facts: numbersOf(data) }
    case 'limit.reached':
      return { level: 'warn', ...placeOf(key), ...failed('limit reached', data.failure) }
    case 'notice':
      return noticeLine(event)
    default:
      return undefined
  }
}

/** The node whose failure an event tells, or `undefined`: a node tells it as an error under the name `failed`. */
export function failedNodeOf({ type, key, data }: LiveEvent): string | undefined {
  if (type !== 'notice' || data.level !== 'error' || !key.endsWith('/failed')) return undefined
  return /^.*\[\d+\](?=\/)/s.exec(key)?.[0]
}

function noticeLine(event: RunEvent): LogLine {
  const { key, data } = event
  const text = String(data.text)
  const node = failedNodeOf(event)
  if (node !== undefined)
    return { level: 'error', ...placeOf(node), message: 'node failed', facts: { reason: text } }
  const level = data.level === 'warning' ? 'warn' : data.level === 'error' ? 'error' : 'info'
  const component = String(data.component)
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

function transientLine({ type, key, data }: Extract<LiveEvent, { transient: true }>) {
  const place = placeOf(key)
  if (type === 'step.running')
    return { level: 'debug', ...place, message: 'step start', facts: {} } satisfies LogLine
  if (type !== 'progress') return undefined
  if (data.state === 'started')
    return { level: 'info', ...place, message: 'node start', facts: {} } satisfies LogLine
  if (typeof data.text !== 'string') return undefined
  return {
    level: 'warn',
    ...place,
    message: 'progress',
    facts: { text: data.text.replace(/(?<![.!?])(?= Trying again in \d+ s\.$)/, '.') },
  } satisfies LogLine
}

function runLine({ type, key, data }: RunEvent): LogLine | undefined {
  const component = 'run'
  switch (type) {
    case 'run.started':
    case 'run.resumed':
    case 'run.forked': {
      const { workflow, labels, parent } = data as Record<string, JsonObject | undefined>
      const facts = {
        workflow: workflow as unknown as string | undefined,
        session: labels?.session as string | undefined,
        user: labels?.user as string | undefined,
        parent: parent?.runId as string | undefined,
      }
      return { level: 'info', component, message: type.slice('run.'.length), facts }
    }
    case 'run.finished': {
      const status = String(data.status)
      const level = status === 'failed' ? 'error' : status === 'answered' ? 'info' : 'warn'
      return { level, component, message: 'finished', facts: { status } }
    }
    case 'run.suspended':
      return { level: 'warn', component, ...failed('suspended', data.failure) }
    default:
      return { level: 'info', component, step: key, message: 'waiting', facts: {} }
  }
}

/** Calls of models and tools are of interest to everybody, other steps to who looks for a fault. */
function stepLine(event: RunEvent, started: RunEvent | undefined): LogLine {
  const { type, key, ts, data } = event
  const { failure, startedAt } = data as StepFacts
  const place = placeOf(key)
  const { kind, attributes } = callFacts(event, started)
  const what = kind === 'step' ? 'step' : kind === 'model' ? 'model call' : 'tool call'
  if (type === 'step.started')
    return { level: 'debug', ...place, message: `${what} recorded`, facts: modelOf(attributes) }
  const facts = {
    durationMs: startedAt === undefined ? undefined : ts - startedAt,
    tool: toolOf(key),
    ...modelOf(attributes),
    requests: attributes.requests as number | undefined,
    ...usedBy(data as StepFacts),
  }
  if (type === 'step.done')
    return { level: kind === 'step' ? 'debug' : 'info', ...place, message: `${what} done`, facts }
  const level = type === 'step.cancelled' ? 'warn' : 'error'
  const line = failed(`${what} ${type.slice('step.'.length)}`, failure as unknown as Json)
  return { level, ...place, ...line, facts: { ...facts, ...line.facts } }
}

function modelOf({ model }: Readonly<Record<string, unknown>>): Record<string, string> {
  return typeof model === 'string' ? { model } : {}
}

function usedBy({ usage }: StepFacts): Record<string, string | number> {
  if (usage === undefined) return {}
  const { inputTokens, outputTokens, costUsd } = usage
  return { inputTokens, outputTokens, costUsd: costUsd ?? 'unknown' }
}

function failed(message: string, failure: Json | undefined): Pick<LogLine, 'message' | 'facts'> {
  const { code, message: reason } = (failure ?? {}) as Partial<Failure>
  return { message, facts: { code, reason } }
}

/** The node or agent that a key lies in, and the key. */
function placeOf(key: string): { component: string; step: string } {
  const segments = key.split('/')
  return { component: segments.slice(0, 2).join('/'), step: key }
}

function numbersOf(data: JsonObject): Record<string, number> {
  const numbers = Object.entries(data).filter(([, value]) => typeof value === 'number')
  return Object.fromEntries(numbers) as Record<string, number>
}

function quoted(value: string | number): string {
  const text = String(value)
  return /^[\w./:[\]+-]+$/.test(text) ? text : escapeSteering(JSON.stringify(text))
}

/** A component is one word, whatever a workflow calls its nodes. */
function bare(text: string): string {
  return escapeSteering(text).replaceAll(/\s/g, '_') || '-'
}
