import type { Bench, BenchSize } from '../bench.ts'
import { measureSpans, measureTraceFile } from './large-run.ts'
import { measureTelemetry } from './telemetry.ts'

const amounts: Readonly<Record<BenchSize, { events: number; rounds: number; answerMs: number }>> = {
  smoke: { events: 400, rounds: 1, answerMs: 1 },
  quick: { events: 40_000, rounds: 5, answerMs: 100 },
  full: { events: 100_000, rounds: 15, answerMs: 100 },
}

/** What watching a run costs: spans from its log, a trace file, a collector. */
export const bench: Bench = {
  title: 'Traces',
  async run({ size, folder }) {
    const { events, ...questions } = amounts[size]
    return [
      ...(await measureSpans(folder, events)),
      ...(await measureTraceFile(folder, events)),
      ...(await measureTelemetry(folder, questions)),
    ]
  },
}
