import { setImmediate as nextTurn } from 'node:timers/promises'
import { canonicalJson } from '../kernel/json.ts'
import type { EmbeddingBinding, ModelBinding, ModelSource } from '../kernel/model/model.ts'
import { type RunEvent, type StepFacts, stepEnds } from '../kernel/run/event.ts'
import { createRandom } from './random.ts'

/** Turns of the event loop without anything new after which all that can be waiting is taken to be waiting. */
const quietTurns = 4

/**
 * An order, given by a seed, in which things that were begun at once come to their ends: what parallel branches do must not
 * depend on it.
 */
export class Schedule {
  readonly seed: number
  private readonly random: () => number
  private waiting: (() => void)[] = []
  private isReleasing = false

  constructor(seed: number) {
    this.seed = seed
    this.random = createRandom(seed)
  }

  /** Resolves when it is the caller's turn among all that wait. */
  turn(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve)
      if (!this.isReleasing) void this.release()
    })
  }

  /** The same object, whose methods' promises settle in this order. */
  shuffle<T extends object>(object: T): T {
    return new Proxy(object, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        return (...args: unknown[]) => this.inTurn(value.apply(target, args))
      },
    })
  }

  /** The same models, whose calls settle in this order. */
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

  /** One after the other, each time from all that wait by then. */
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

/** What one run under a schedule gave. */
export interface ScheduledRun {
  readonly result: unknown
  readonly events: readonly RunEvent[]
}

/** What runs under several schedules came to. */
export interface ScheduleReport {
  /** How many different orders of ends there were: 1 means that nothing was shuffled. */
  readonly orders: number
  /** One line for each thing that depended on the order. */
  readonly differences: readonly string[]
}

/**
 * Runs a workflow once under each schedule and holds the runs against the first: the same result, and the same steps with the
 * same inputs.
 *
 * @param run gives results in a form that must be equal: without ids and times
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
