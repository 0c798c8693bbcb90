import * as z from 'zod'
import type { Json, JsonObject } from '../../../kernel/json.ts'
import { isJsonObject } from '../../../kernel/json.ts'
import type { RunContext } from '../../../kernel/run/run-context.ts'
import type { ComposedAction } from '../action.ts'
import { defineComposedAction } from '../composed/composed-action.ts'
import { failedResult } from './tool-action.ts'

const maxTextCharacters = 4_000

/** A file's own spans and messages in the log of its run. */
export function traceActions(): readonly ComposedAction[] {
  return [startAction(), logAction(), endAction()]
}

function startAction(): ComposedAction {
  return defineComposedAction({
    name: 'trace.start',
    description: 'Starts a custom span; trace.end ends it. Steps have spans automatically.',
    params: z.strictObject({
      name: z.string().min(1).max(200).describe('The name of the span.'),
      metadata: z.record(z.string(), z.json()).default({}).describe('Its metadata.'),
      parent_id: z.string().nullable().default(null).describe('The span_id of the parent span.'),
    }),
    result: '{span_id, name, parent_id, metadata, started_ms, ended_ms: null, success}',
    run: async ({ name, metadata, parent_id: parentId }, { context }) => {
      const startedMs = await readClock(context, name)
      const span = { span_id: context.id('span'), name, parent_id: parentId, metadata }
      await context.notice('span', 'info', `Started ${name}.`)
      return { ...span, started_ms: startedMs, ended_ms: null, success: true }
    },
  })
}

/** The time, the same in each execution of the run. */
function readClock(context: RunContext, name: string): Promise<number> {
  return context.step('clock', 'pure', name, async () => context.services.clock.now())
}

function logAction(): ComposedAction {
  return defineComposedAction({
    name: 'trace.log',
    description: 'Writes a note to the log of the run.',
    params: z
      .strictObject({
        message: z.string().optional().describe('The note.'),
        event: z.json().optional().describe('A value to record.'),
        metrics: z.record(z.string(), z.json()).optional().describe('Numbers by name.'),
        snapshot_state: z
          .boolean()
          .default(false)
          .describe(
            'Whether to record the state as well; at most 4,000 characters in total are kept.',
          ),
        sanitize_keys: z
          .array(z.string())
          .default([])
          .describe('Members of the state to omit, at any depth.'),
      })
      .refine(
        ({ message, event, metrics, snapshot_state: isSnapshot }) =>
          isSnapshot || [message, event, metrics].some((one) => one !== undefined),
        'Give message, event, metrics or snapshot_state: true.',
      ),
    result: '{logged, span_id, event_count: 1, success}',
    run: async (
      { message, event, metrics, snapshot_state: isSnapshot, sanitize_keys: keys },
      { context, state },
    ) => {
      const parts = [
        message,
        event === undefined ? undefined : JSON.stringify(event),
        metrics === undefined ? undefined : JSON.stringify(metrics),
        isSnapshot ? JSON.stringify(omitKey(state, new Set(keys))) : undefined,
      ]
      const text = parts.filter((part) => part !== undefined).join(' ')
      await context.notice(
        'log',
        'info',
        text.length > maxTextCharacters ? `${text.slice(0, maxTextCharacters)}…` : text,
      )
      return {
        logged: true,
        span_id: findOpenSpan(state)?.span_id ?? null,
        event_count: 1,
        success: true,
      }
    },
  })
}

function omitKey(value: Json, keys: ReadonlySet<string>): Json {
  if (Array.isArray(value)) return value.map((item) => omitKey(item as Json, keys))
  if (!isJsonObject(value)) return value
  const members = Object.entries(value).map(([name, member]) => [
    name,
    keys.has(name) ? '[left out]' : omitKey(member ?? null, keys),
  ])
  return Object.fromEntries(members)
}

function endAction(): ComposedAction {
  return defineComposedAction({
    name: 'trace.end',
    description: 'Ends a span started by trace.start: the given one, or the last one in the state.',
    params: z.strictObject({
      span_id: z
        .string()
        .optional()
        .describe('The span_id of the span; by default the last open one.'),
      status: z.enum(['ok', 'error']).default('ok').describe('How it ended.'),
      error: z.string().nullable().default(null).describe('What went wrong.'),
    }),
    result:
      '{span_id, name, duration_ms, status, error, ended_ms, success}, or {error, success: false, error_type} if no span is open',
    run: async ({ span_id: id, status, error }, { context, state }) => {
      const span = findOpenSpan(state, id)
      if (span === undefined) return failedResult('There is no open span in the state.', 'no_span')
      const endedMs = await readClock(context, span.span_id)
      const durationMs = Math.max(0, endedMs - span.started_ms)
      await context.notice(
        'span',
        status === 'ok' ? 'info' : 'warning',
        `Ended ${span.name} after ${durationMs} ms${error === null ? '' : `: ${error}`}.`,
      )
      return {
        span_id: span.span_id,
        name: span.name,
        duration_ms: durationMs,
        status,
        error,
        ended_ms: endedMs,
        success: true,
      }
    },
  })
}

interface OpenSpan {
  readonly span_id: string
  readonly name: string
  readonly started_ms: number
}

/** The last open span, whether its members are in the state itself or under a key. */
function findOpenSpan(state: JsonObject, id?: string): OpenSpan | undefined {
  const open = [state, ...Object.values(state)].filter((value): value is JsonObject & OpenSpan => {
    if (value === undefined || !isJsonObject(value)) return false
    const { span_id: found, started_ms: startedMs, ended_ms: endedMs, name } = value
    const isSpan =
      typeof found === 'string' && typeof startedMs === 'number' && typeof name === 'string'
    return isSpan && endedMs === null && (id === undefined || found === id)
  })
  const ended = new Set(
    Object.values(state).flatMap((value) =>
      value !== undefined && isJsonObject(value) && typeof value.ended_ms === 'number'
        ? [value.span_id]
        : [],
    ),
  )
  return open
    .filter((span) => !ended.has(span.span_id))
    .sort((one, other) => one.started_ms - other.started_ms)
    .at(-1)
}
