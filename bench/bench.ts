/** How much a bench does: `smoke` only shows that it runs (seconds), `quick` takes under a minute, `full` is what the documents quote. */
export type BenchSize = 'smoke' | 'quick' | 'full'

export const benchSizes: readonly BenchSize[] = ['smoke', 'quick', 'full']

/** One figure of a bench. */
export interface Measure {
  /** What was measured, as its row in the table says it. */
  readonly what: string
  readonly value: number
  /** `ms`, `µs`, `MB`, `pages/s`, …; nothing for a score or a count. */
  readonly unit?: string
  /** Something well known that was measured in the same run, in the same unit: the ratio to it means something on any machine. */
  readonly yardstick?: { readonly what: string; readonly value: number }
  /** Applies to the ratio where there is a yardstick, otherwise to the value. Missed in `quick` and `full`, it fails the bench. */
  readonly target?: { readonly atMost: number } | { readonly atLeast: number }
}

/** What a bench is given. */
export interface BenchTask {
  readonly size: BenchSize
  /** An empty folder on the disk to measure, deleted afterwards. */
  readonly folder: string
  /** The folder in `SCHOLIUM_DATA`; empty for a bench that does not need it. */
  readonly dataFolder: string
}

/** A part of the product that is measured. `bench/NAME/bench.ts` exports one as `bench`. */
export interface Bench {
  /** The heading of its table. */
  readonly title: string
  /** Needs real data (`SCHOLIUM_DATA`), or programs of this machine (`tmux`, `chromium`); without them it is skipped and says so. */
  readonly needs?: readonly string[]
  /** Measures. What it prints is progress or detail for whoever watches; only the measures are recorded. */
  run(task: BenchTask): Promise<readonly Measure[]>
}

/** The value relative to its yardstick; without one, `undefined`. */
export function ratioOf({ value, yardstick }: Measure): number | undefined {
  return yardstick === undefined ? undefined : value / yardstick.value
}

/** Whether a measure meets its target; one without a target does. A figure that is not a number never does. */
export function meetsTarget(measure: Measure): boolean {
  const judged = ratioOf(measure) ?? measure.value
  if (!Number.isFinite(judged)) return false
  if (measure.target === undefined) return true
  return 'atMost' in measure.target
    ? judged <= measure.target.atMost
    : judged >= measure.target.atLeast
}
