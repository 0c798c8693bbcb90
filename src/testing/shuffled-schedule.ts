import { setImmediate as nextTurn } from 'node:timers/promises'
import { canonicalJson } from '../kernel/json.ts'
import type { EmbeddingBinding, ModelBinding, ModelSource } from '../kernel/model/model.ts'
import { type RunEvent, type StepFacts, stepEnds } from '../kernel/run/event.ts'
import { createRandom } from './random.ts'

/** After this many idle turns of the event loop, everything that can be waiting counts as waiting. */
const quietTurns = 4

/** A seeded order in which concurrent operations finish; the result of parallel branches must not depend on it. */
export class Schedule {
  readonly seed: number
  private readonly random: () => number
  private waiting: (() => void)[] = []
  private isReleasing = false

  constructor(seed: number) {
    this.seed = seed
    this.random = createRandom(seed)
  }

  /** Resolves when the seed picks the caller among all that wait. */
  turn(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve)
      if (!this.isReleasing) void this.release()
    })
  }

  /** The same object, with its methods' promises resolved in this order. */
  shuffle<T extends object>(object: T): T {
    return new Proxy(object, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        return (...args: unknown[]) => this.inTurn(value.apply(target, args))
      },
    })
  }

  /** The same models, with their calls finished in this order. */
  shuffleModels(models: ModelSource): ModelSource {
    const shuffled = (binding: ModelBinding): ModelBinding => ({
      ...binding,
      load: async () => this.shuffle(await binding.load()),
    })
    const forName = models.forName?.bind(models)
    const forEmbedding = models.forEmbedding?.bind(models)
    const shuffledEmbedding = (binding: EmbeddingBinding): EmbeddingBinding => ({
      ...binding,
      load: async () => this.shuffle(await binding.load()),
    })
    return {
      forRole: (role) => shuffled(models.forRole(role)),
      ...(forName === undefined ? {} : { forName: (name, role) => shuffled(forName(name, role)) }),
      forEmbedding: (name) => {
        const binding = forEmbedding?.(name)
        return binding && shuffledEmbedding(binding)
      },
    }
  }

  private inTurn(outcome: unknown): unknown {
    if (!(outcome instanceof Promise)) return outcome
    const wait = () => this.turn()
    return outcome.then(
      (value: unknown) => wait().then(() => value),
      (error: unknown) =>
        wait().then(() => {
          throw error
        }),
    )
  }

  /** Releases one waiter at a time, each time chosen from all that are waiting. */
  private async release(): Promise<void> {
    this.isReleasing = true
    while (this.waiting.length > 0) {
      await this.untilQuiet()
      const index = Math.floor(this.random() * this.waiting.length)
      const [chosen] = this.waiting.splice(index, 1)
      chosen?.()
    }
    this.isReleasing = false
  }

  private async untilQuiet(): Promise<void> {
    let known = 0
    for (let quiet = 0; quiet < quietTurns; quiet++) {
      if (this.waiting.length !== known) quiet = 0
      known = this.waiting.length
      await nextTurn()
    }
  }
}

/** The result of one run under a schedule. */
export interface ScheduledRun {
  readonly result: unknown
  readonly events: readonly RunEvent[]
}

/** The comparison of runs under several schedules. */
export interface ScheduleReport {
  /** Number of different orders; 1 means that nothing was shuffled. */
  readonly orders: number
  /** One line for everything that depended on the order. */
  readonly differences: readonly string[]
}

/**
 * Runs a workflow once under each schedule and compares each run with the first: same result, same steps with the same inputs.
 * @param run returns results without ids and times, so that they can be compared
 */
export async function compareSchedules(
  seeds: readonly number[],
  run: (schedule: Schedule) => Promise<ScheduledRun>,
): Promise<ScheduleReport> {
  const orders = new Set<string>()
  const differences: string[] = []
  let first: ScheduledRun | undefined
  for (const seed of seeds) {
    const ran = await run(new Schedule(seed))
    orders.add(ran.events.flatMap(({ key, type }) => (isEnd(type) ? [key] : [])).join('\n'))
    first ??= ran
    differences.push(...difference(first, ran).map((text) => `seed ${seed}: ${text}`))
  }
  return { orders: orders.size, differences }
}

function difference(first: ScheduledRun, other: ScheduledRun): readonly string[] {
  const [expected, found] = [collectInputs(first.events), collectInputs(other.events)]
  const keys = [...new Set([...expected.keys(), ...found.keys()])]
  const steps = keys.flatMap((key) => {
    if (!found.has(key)) return [`the step ${key} is missing`]
    if (!expected.has(key)) return [`the step ${key} is new`]
    return expected.get(key) === found.get(key) ? [] : [`the step ${key} has another input`]
  })
  const isSame = canonicalJson(first.result) === canonicalJson(other.result)
  return isSame ? steps : ['the result is another one', ...steps]
}

function collectInputs(events: readonly RunEvent[]): ReadonlyMap<string, string> {
  return new Map(
    events.flatMap(({ key, type, data }) =>
      isEnd(type) ? [[key, (data as StepFacts).inputHash] as const] : [],
    ),
  )
}

function isEnd(type: RunEvent['type']): boolean {
  return stepEnds.includes(type)
}
