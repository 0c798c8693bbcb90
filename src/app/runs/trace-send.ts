import { ScholiumError } from '../../kernel/errors.ts'
import type { SentSpans } from '../../observe/otel/telemetry.ts'
import type { AppParts } from '../app-parts.ts'

/** Sends a run out of its log. @throws `invalid_configuration` where no collector is named */
export async function sendTrace(parts: AppParts, runId: string): Promise<SentSpans> {
  const { telemetry, store } = parts
  if (telemetry !== undefined) return telemetry.sendRun(store, await store.get(runId))
  throw new ScholiumError('invalid_configuration', 'No trace collector is configured.', {
    hint: 'Set OTEL_EXPORTER_OTLP_ENDPOINT, such as http://localhost:4318, or LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY.',
  })
}
