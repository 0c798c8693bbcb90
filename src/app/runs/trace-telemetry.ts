import { ScholiumError } from '../../kernel/errors.ts'
import type { LiveEvent, RunEvent } from '../../kernel/run/event.ts'
import type { RunRecord, RunStore } from '../../kernel/run/run-store.ts'
import { telemetrySettings } from '../../observe/otel/destination.ts'
import type { SentSpans, Telemetry } from '../../observe/otel/telemetry.ts'
import type { Environment } from '../trust/user-folders.ts'
import { packageVersion } from '../version.ts'

/** How long the end of a process waits for a collector. */
const closeWithinMs = 3_000

/** Sends the runs of an app to the collectors that its environment names. */
export interface AppTelemetry {
  /** Hears one run. */
  listen(store: RunStore): (event: LiveEvent) => void
  /** Sends a run out of its log. */
  sendRun(store: RunStore, record: RunRecord): Promise<SentSpans>
  close(): Promise<void>
}

/**
 * Telemetry as the environment asks for it, or `undefined`: then nothing of it is loaded. What is wrong with it is told by
 * `warn` and never stops a run.
 */
export function telemetryOf(
  environment: Environment,
  warn: (text: string) => void,
): AppTelemetry | undefined {
  const settings = telemetrySettings(environment)
  for (const problem of settings.problems) warn(problem)
  if (settings.destinations.length === 0) return undefined
  let loading: Promise<Telemetry> | undefined
  const load = () => {
    loading ??= import('../../observe/otel/telemetry.ts').then(({ createTelemetry }) =>
      createTelemetry({ settings, version: packageVersion, warn }),
    )
    return loading
  }
  return {
    listen(store) {
      let hearing: Promise<(event: RunEvent) => void> | undefined
      return (event) => {
        if ('transient' in event) return
        hearing ??= load().then((telemetry) => telemetry.listen(store))
        // What cannot be loaded is told once, at the end.
        void hearing.then((hear) => hear(event)).catch(() => undefined)
      }
    },
    sendRun: async (store, record) => (await load()).sendRun(store, record),
    close: async () => {
      try {
        await (await loading)?.close(closeWithinMs)
      } catch (error) {
        warn(`Traces cannot be sent: ${error instanceof Error ? error.message : error}`)
      }
    },
  }
}

/** What of an environment is for collectors alone and must not get into a log: keys, not a tenant's name, which is a word like others. */
export function telemetrySecrets(environment: Environment): readonly string[] {
  const keys = telemetrySettings(environment).destinations.flatMap(({ headers }) =>
    Object.entries(headers).flatMap(([name, value]) =>
      /auth|key|token|secret/i.test(name) ? [value, value.slice(value.lastIndexOf(' ') + 1)] : [],
    ),
  )
  const all = [...keys, environment.LANGFUSE_SECRET_KEY ?? '']
  return [...new Set(all)].filter((value) => value.length >= shortestSecret)
}

/** A shorter value is none, and would be found in any text. */
const shortestSecret = 8

/** Sends a run out of its log. @throws `invalid_configuration` where no collector is named */
export async function sendTrace(
  { telemetry, store }: { readonly telemetry: AppTelemetry | undefined; readonly store: RunStore },
  runId: string,
): Promise<SentSpans> {
  if (telemetry !== undefined) return telemetry.sendRun(store, await store.get(runId))
  throw new ScholiumError('invalid_configuration', 'No trace collector is configured.', {
    hint: 'Set OTEL_EXPORTER_OTLP_ENDPOINT, such as http://localhost:4318, or LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY.',
  })
}
