import type { RunStore } from '../../src/kernel/run/run-store.ts'
import { buildSpans, eventsForSpans, type Span } from '../../src/observe/index.ts'

/** A run's spans, in the order of their ends. */
export async function spansOfRun(store: RunStore, runId: string): Promise<readonly Span[]> {
  const sharedSeq = (await store.get(runId)).parent?.seq ?? 0
  return Array.fromAsync(buildSpans(eventsForSpans(store, runId), { sharedSeq }))
}

/** The tree as lines: two blanks a level, kind and name, and how a span ended where that was not well. */
export function drawn(spans: readonly Span[]): readonly string[] {
  const below = (parentId: string | null, indent: string): readonly string[] =>
    spans
      .filter((span) => span.parentId === parentId)
      .sort((left, right) => left.startMs - right.startMs)
      .flatMap((span) => {
        const status = span.status === 'ok' ? '' : ` ${span.status}`
        const line = `${indent}${span.kind} ${span.name}${status}`
        return [line, ...below(span.spanId, `${indent}  `)]
      })
  return below(null, '')
}

/** The one span with this name; fails for none. */
export function named(spans: readonly Span[], name: string): Span {
  const found = spans.find((span) => span.name === name || span.key === name)
  if (found === undefined) throw new Error(`There is no span ${name}.`)
  return found
}
