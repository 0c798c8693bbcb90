import * as z from 'zod'
import type { Json, JsonObject } from '../../../kernel/json.ts'
import { isJsonObject } from '../../../kernel/json.ts'
import type { RunContext } from '../../../kernel/run/run-context.ts'
import type { ComposedAction } from '../action.ts'
import { composedAction } from '../composed/composed-action.ts'
import { notDone } from './tool-action.ts'

const maxTextCharacters = 4_000

/** Spans and remarks of a file's own in the log of its run. */
export function traceActions(): readonly ComposedAction[] {
  return [startAction(), logAction(), endAction()]
}

function startAction(): ComposedAction {
  return composedAction({
    name: 'trace.start',
    description:
      'Begins a span of its own, whose length trace.end tells. Every step has one without.',
    params: z.strictObject({
      name: z.string().min(1).max(200).describe('What the span is of.'),
      metadata: z.record(z.string(), z.json()).default({}).describe('What is to be known of it.'),
      parent_id: z.string().nullable().default(null).describe('The span_id of the span around it.'),
    }),
    result: '{span_id, name, parent_id, metadata, started_ms, ended_ms: null, success}',
    run: async ({ name, metadata, parent_id: parentId }, { context }) => {
      const startedMs = await clockOf(context, name)
      const span = { span_id: context.id('span'), name, parent_id: parentId, metadata }
      await context.notice('span', 'info', `Began ${name}.`)
      return { ...span, started_ms: startedMs, ended_ms: null, success: true }
    },
  })
}

/** The time, the same in each execution of the run. */
function clockOf(context: RunContext, name: string): Promise<number> {
  return context.step('clock', 'pure', name, async () => context.services.clock.now())
}

function logAction(): ComposedAction {
  return composedAction({
    name: 'trace.log',
    description: 'Puts a remark into the log of the run.',
    params: z
      .strictObject({
        message: z.string().optional().describe('The remark.'),
        event: z.json().optional().describe('A value to remark.'),
        metrics: z.record(z.string(), z.json()).optional().describe('Numbers by name.'),
        snapshot_state: z
          .boolean()
          .default(false)
          .describe(
            'Whether the state is put down, too; at most 4,000 characters of all are kept.',
          ),
        sanitize_keys: z
          .array(z.string())
          .default([])
          .describe('Members of the state that are left out of it, at any depth.'),
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
        isSnapshot ? JSON.stringify(without(state, new Set(keys))) : undefined,
      ]
      const text = parts.filter((part) => part !== undefined).join(' ')
      await context.notice(
        'log',
        'info',
        text.length > maxTextCharacters ? `${text.slice(0, maxTextCharacters)}…` : text,
      )
      return {
        logged: true,
        span_id: spanIn(state)?.span_id ?? null,
        event_count: 1,
        success: true,
      }
    },
  })
}

function without(value: Json, keys: ReadonlySet<string>): Json {
  if (Array.isArray(value)) return value.map((item) => without(item as Json, keys))
  if (!isJsonObject(value)) return value
  const members = Object.entries(value).map(([name, member]) => [
    name,
    keys.has(name) ? '[left out]' : without(member ?? null, keys),
  ])
  return Object.fromEntries(members)
}

function endAction(): ComposedAction {
  return composedAction({
    name: 'trace.end',
    description:
      'Ends a span that trace.start began: the one that is named, or the last one in the state.',
    params: z.strictObject({
      span_id: z
        .string()
        .optional()
        .describe('The span_id of the span; by default the last that has not ended.'),
      status: z.enum(['ok', 'error']).default('ok').describe('How it ended.'),
      error: z.string().nullable().default(null).describe('What went wrong.'),
    }),
    result:
      '{span_id, name, duration_ms, status, error, ended_ms, success}, or {error, success: false, error_type} where no span is open',
    run: async ({ span_id: id, status, error }, { context, state }) => {
      const span = spanIn(state, id)
      if (span === undefined) return notDone('No span of the state is open.', 'no_span')
      const endedMs = await clockOf(context, span.span_id)
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

/** The last span that is open, whether its members stand in the state itself or under a key. */
function spanIn(state: JsonObject, id?: string): OpenSpan | undefined {
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
