import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Runs } from '../../../test/kernel/runs.ts'
import { type CrashPoint, FaultStore, Schedule } from '../../testing/index.ts'
import { type Effect, type Json, type RunContext, ScholiumError } from '../index.ts'
import { isOfStep } from './event.ts'

/** A made-up workflow: steps, one after the other or at once, in turns, some of which fail. */
type Work =
  | {
      readonly kind: 'step'
      readonly effect: Effect
      readonly isPaid: boolean
      readonly isTimed: boolean
      readonly failure: 'none' | 'passing' | 'lasting'
    }
  | { readonly kind: 'row' | 'turn' | 'branches'; readonly parts: readonly Work[] }

const stepWork = fc.record({
  kind: fc.constant('step' as const),
  effect: fc.constantFrom<Effect>('pure', 'read', 'write'),
  isPaid: fc.boolean(),
  isTimed: fc.boolean(),
  failure: fc.constantFrom(
    'none' as const,
    'none' as const,
    'passing' as const,
    'lasting' as const,
  ),
})
const { work } = fc.letrec<{ work: Work }>((tie) => ({
  work: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    stepWork,
    fc.record({
      kind: fc.constantFrom('row' as const, 'turn' as const, 'branches' as const),
      parts: fc.array(tie('work'), { minLength: 1, maxLength: 4 }),
    }),
  ),
}))
const crashPoints = fc.array(
  fc.record({
    event: fc.integer({ min: 1, max: 14 }),
    when: fc.constantFrom<CrashPoint['when']>('before', 'after'),
  }),
  { maxLength: 3 },
)

/** The world in which the work is done: how often each step was, by its key. */
interface World {
  readonly done: Map<string, number>
  readonly schedule: Schedule
}

async function doWork(world: World, work: Work, context: RunContext): Promise<Json> {
  if (work.kind === 'step') return doStep(world, work, context)
  if (work.kind === 'branches') {
    const branches = work.parts.map((_, index) => context.branch(`branch ${index}`))
    const results = await Promise.allSettled(
      work.parts.map((part, index) => doWork(world, part, branches[index] as RunContext)),
    )
    const broken = results.find((result) => result.status === 'rejected')
    if (broken !== undefined) throw broken.reason
    context.join(branches)
    return results.map((result) => (result as PromiseFulfilledResult<Json>).value)
  }
  const results: Json[] = []
  for (const [index, part] of work.parts.entries()) {
    results.push(await doWork(world, part, context.child(`part ${index}`)))
  }
  if (work.kind === 'turn') await context.reachBoundary('turn.done', 'turn', {})
  return results
}

/** A step whose value depends on its key alone; its failure is a value for what comes after. */
async function doStep(
  world: World,
  { effect, isPaid, isTimed, failure }: Extract<Work, { kind: 'step' }>,
  context: RunContext,
): Promise<Json> {
  const key = context.key('step')
  const input = { key, ...(isTimed ? { at: context.now() } : {}) }
  const run = async () => {
    await world.schedule.turn()
    world.done.set(key, (world.done.get(key) ?? 0) + 1)
    if (failure === 'none') return key
    throw new ScholiumError('step_failed', key, { retryable: failure === 'passing' })
  }
  try {
    return await context.step('step', effect, input, run, { isPaid })
  } catch (error) {
    const { code, message } = error as ScholiumError
    if (code !== 'step_failed' && code !== 'outcome_unknown') throw error
    return code === 'outcome_unknown' ? `unknown ${key}` : `failed ${message}`
  }
}

/** Drives the work through its crashes to its end. */
async function driveThrough(runs: Runs, work: Work, crashes: readonly CrashPoint[], seed: number) {
  const world: World = { done: new Map(), schedule: new Schedule(seed) }
  const body = (context: RunContext) => doWork(world, work, context)
  const lost: number[] = []
  for (const point of [...crashes, undefined]) {
    const store = new FaultStore(runs.store, point)
    const isBegun = (await runs.store.list()).some(({ lastSeq }) => lastSeq > 0)
    if (!isBegun) await runs.store.remove('run').catch(() => undefined)
    try {
      const result = await (isBegun ? runs.resume(body, { store }) : runs.start(body, { store }))
      return { result, world, body, lost }
    } catch (error) {
      if (!store.isDead) throw error
      lost.push(store.cut.length)
    }
  }
  throw new Error('It never ended.')
}

/** Whether a result is the clean one, but for writes of which it says that nobody knows. */
function isSame(clean: Json, result: Json): boolean {
  if (Array.isArray(result))
    return (
      Array.isArray(clean) &&
      clean.length === result.length &&
      result.every((part, index) => isSame(clean[index] as Json, part))
    )
  const [was, is] = [String(clean), String(result)]
  return is === was || is === `unknown ${was.replace('failed ', '')}`
}

async function inRuns<T>(use: (runs: Runs) => Promise<T>): Promise<T> {
  const runs = new Runs()
  await runs.open()
  try {
    return await use(runs)
  } finally {
    await runs.close()
  }
}

describe('any workflow, wherever its processes die', () => {
  it('comes to the same end, does no write twice and no finished step again, and replays', async () => {
    await fc.assert(
      fc.asyncProperty(work, crashPoints, fc.integer(), async (made, crashes, seed) => {
        const clean = await inRuns((runs) => driveThrough(runs, made, [], seed))
        await inRuns(async (runs) => {
          const { result, world, body } = await driveThrough(runs, made, crashes, seed + 1)
          if (!isSame(clean.result, result)) expect(result).toEqual(clean.result)
          const events = await runs.events()
          const ends = events
            .filter(({ type }) => /^step\.(done|failed)$/.test(type))
            .map(({ key }) => key)
          expect(new Set(ends).size).toBe(ends.length)
          for (const [key, times] of world.done) {
            const isWrite = events.some(
              (event) => event.key === key && isOfStep(event) && event.data.effect === 'write',
            )
            expect(times).toBeLessThanOrEqual(isWrite ? 1 : 1 + crashes.length)
          }
          const replay = await runs.replay(body)
          expect(replay).toMatchObject({ result: replay.recorded, unclaimed: [] })
        })
      }),
      { numRuns: 100 },
    )
  }, 120_000)
})
