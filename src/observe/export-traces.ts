import { jsonLine } from './printable-text.ts'
import type { Trace, TraceFilter, TraceReader } from './trace-reader.ts'

/** Export formats of traces. */
export type ExportFormat = 'json' | 'csv'

/**
 * Traces as text, piece by piece, so that a file of any length needs little memory. JSON is an array of traces with their spans
 * (for a fork, only those of its own work); CSV has one line per trace.
 * @see https://www.rfc-editor.org/rfc/rfc4180
 */
export function exportTraces(
  reader: TraceReader,
  filter: TraceFilter,
  format: ExportFormat,
): AsyncGenerator<string> {
  return format === 'json' ? asJson(reader, filter) : asCsv(reader, filter)
}

async function* asJson(reader: TraceReader, filter: TraceFilter): AsyncGenerator<string> {
  let before = '['
  for await (const trace of reader.traces(filter)) {
    yield `${before}\n${jsonLine(trace).slice(0, -1)},"spans":[`
    let isFirst = true
    for await (const span of reader.spans(trace.runId)) {
      if (span.isShared) continue
      yield `${isFirst ? '' : ','}\n${jsonLine(span)}`
      isFirst = false
    }
    yield ']}'
    before = ','
  }
  yield before === '[' ? '[]\n' : '\n]\n'
}

const columns: readonly (readonly [name: string, of: (trace: Trace) => string | number | null])[] =
  [
    ['id', ({ runId }) => runId],
    ['name', ({ workflow }) => workflow],
    ['user_id', ({ userId }) => userId],
    ['session_id', ({ sessionId }) => sessionId],
    ['timestamp', ({ startMs }) => new Date(startMs).toISOString()],
    ['duration_ms', ({ durationMs }) => durationMs],
    ['total_cost', ({ usage }) => usage.costUsd],
    ['input_tokens', ({ usage }) => usage.inputTokens],
    ['output_tokens', ({ usage }) => usage.outputTokens],
    ['status', ({ status }) => status],
    ['trace_id', ({ traceId }) => traceId],
    ['title', ({ title }) => title],
  ]

async function* asCsv(reader: TraceReader, filter: TraceFilter): AsyncGenerator<string> {
  yield `${columns.map(([name]) => name).join(',')}\r\n`
  for await (const trace of reader.traces(filter))
    yield `${columns.map(([, of]) => csvCell(of(trace))).join(',')}\r\n`
}

/**
 * A value as a CSV cell. Text that a spreadsheet would treat as a formula is prefixed with an apostrophe.
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
export function csvCell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = /^\s*[=+\-@\t\r\n＝＋－＠|%]/u.test(value) ? `'${value}` : value
  return /[",\r\n;\t]|^\s|\s$|^'/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
