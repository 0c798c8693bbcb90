/** How much a bench does: `smoke` only shows that it runs (seconds), `quick` takes under a minute, `full` is what the documents quote. */
export type BenchSize = 'smoke' | 'quick' | 'full'

/** One figure of a bench. */
export interface Measure {
  /** What was measured, as its row in the table says it. */
  readonly what: string
  readonly value: number
  /** `ms`, `µs`, `MB`, `pages/s`, …; nothing for a score or a count. */
  readonly unit?: string
  /** The lowest and the highest of the rounds of which the value is the median, in the same unit. */
  readonly range?: readonly [number, number]
  /** Something well known that was measured in the same run, in the same unit. */
  readonly yardstick?: { readonly what: string; readonly value: number }
  /** Applies to the {@link judgedValue}. Missed in `quick` and `full`, it fails the bench. */
  readonly target?: { readonly atMost: number } | { readonly atLeast: number }
}

/** What a bench is given. */
export interface BenchTask {
  readonly size: BenchSize
  /** An empty folder on the disk to measure, deleted afterwards. */
  readonly folder: string
  /** The folder in `SCHOLIUM_DATA`; empty if that is not set. */
  readonly dataFolder: string
}

/** A part of the product that is measured. `bench/NAME/bench.ts` exports one as `bench`. */
export interface Bench {
  /** The heading of its table. */
  readonly title: string
  /**
   * Without which it is skipped: environment variables (`SCHOLIUM_DATA`), programs (`tmux`), and folders of the repository with a
   * package file of their own (`bench/peers`), whose packages must be installed.
   */
  readonly needs?: readonly string[]
  /** Measures. What it prints is progress for whoever watches; only the measures are recorded. */
  run(task: BenchTask): Promise<readonly Measure[]>
}

/** The value relative to its yardstick; without one, `undefined`. */
export function ratioOf({ value, yardstick }: Measure): number | undefined {
  return yardstick === undefined ? undefined : value / yardstick.value
}

/**
 * What a target applies to. A figure with a unit depends on the machine, so its ratio counts if it has a yardstick; a score or a
 * count is the same everywhere and counts itself.
 */
export function judgedValue(measure: Measure): number {
  return (measure.unit === undefined ? undefined : ratioOf(measure)) ?? measure.value
}

/** Whether a measure meets its target; one without a target does. A figure that is not a number never does. */
export function meetsTarget(measure: Measure): boolean {
  const judged = judgedValue(measure)
  if (!Number.isFinite(judged)) return false
  if (measure.target === undefined) return true
  return 'atMost' in measure.target
    ? judged <= measure.target.atMost
    : judged >= measure.target.atLeast
}
