import { settlesWithin } from '../../kernel/run/deadline.ts'
import type { RunEvent } from '../../kernel/run/event.ts'
import type { RunRecord, RunStore } from '../../kernel/run/run-store.ts'
import type { TelemetrySettings } from './destination.ts'
import { type Outlet, RunTelemetry } from './run-telemetry.ts'
import { SpanSender } from './sender.ts'

/** Number of a run's spans that collectors accepted, and of those that were lost. */
export interface SentSpans {
  readonly sent: number
  readonly lost: number
}

/** Sends runs to collectors. Its failures never affect a run. */
export interface Telemetry {
  /** Creates a listener for the events of one run. */
  listen(store: RunStore): (event: RunEvent) => void
  /** Sends a run from its log. */
  sendRun(store: RunStore, record: RunRecord): Promise<SentSpans>
  /** Sends the rest, but waits at most this many milliseconds. */
  close(withinMs: number): Promise<void>
}

/** How telemetry is made. */
export interface TelemetryOptions {
  readonly settings: TelemetrySettings
  readonly version: string
  readonly warn: (text: string) => void
}

/** Creates telemetry for the configured destinations; OpenTelemetry packages are loaded when the first span is sent. */
export function createTelemetry({ settings, version, warn }: TelemetryOptions): Telemetry {
  const { hasContent, resource } = settings
  const outlets = settings.destinations.map((destination): Outlet => {
    const load = async () =>
      (await import('./transport.ts')).createTransport(destination, { version, resource })
    return { form: destination.form, sender: new SpanSender({ destination, load, warn }) }
  })
  let under = Promise.resolve()
  return {
    listen(store) {
      const run = new RunTelemetry({ store, outlets, hasContent, isLive: true })
      let isBroken = false
      let chain = Promise.resolve()
      return (event) => {
        if (isBroken) return
        chain = chain
          .then(() => run.hear(event))
          .catch((error: unknown) => {
            isBroken = true
            warn(`The trace of run ${event.runId} is not sent on: ${describeReason(error)}`)
          })
        under = Promise.all([under, chain]).then(() => undefined)
      }
    },
    sendRun: (store, record) => sendRun(store, record, outlets, hasContent),
    async close(withinMs) {
      const startedAt = performance.now()
      await settlesWithin(under, withinMs)
      const leftMs = Math.max(1, withinMs - (performance.now() - startedAt))
      await Promise.all(outlets.map(({ sender }) => sender.close(leftMs)))
    },
  }
}

async function sendRun(
  store: RunStore,
  record: RunRecord,
  outlets: readonly Outlet[],
  hasContent: boolean,
): Promise<SentSpans> {
  const sharedSeq = record.parent?.seq ?? 0
  const sum = (of: (outlet: Outlet) => number) => outlets.reduce((all, one) => all + of(one), 0)
  const sentBefore = sum(({ sender }) => sender.sentCount)
  const lostBefore = sum(({ sender }) => sender.lostCount)
  const run = new RunTelemetry({ store, outlets, hasContent, isLive: false, sharedSeq })
  let last: RunEvent | undefined
  for await (const event of store.events(record.runId)) {
    await run.hear(event)
    last = event
  }
  if (last !== undefined) await run.end(last)
  await Promise.all(outlets.map(({ sender }) => sender.flush()))
  return {
    sent: sum(({ sender }) => sender.sentCount) - sentBefore,
    lost: sum(({ sender }) => sender.lostCount) - lostBefore,
  }
}

function describeReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
