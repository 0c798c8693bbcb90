import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Body, workflowOf } from '../../test/kernel/runs.ts'
import {
  type Effect,
  type Failure,
  type RunContext,
  type RunStore,
  resumeRun,
  type ScholiumError,
  startRun,
} from '../kernel/index.ts'
import { createModelSource } from '../models/model-source.ts'
import { currentOwner } from '../stores/process-owner.ts'
import { openRunStore } from '../stores/sqlite/run-store.ts'
import {
  createQuickClock,
  everyEvent,
  FaultStore,
  type FaultSubject,
  runFaults,
  seededCrashes,
} from './index.ts'

/** The world outside: what was paid and what was written in it. */
class World {
  readonly paid = new Map<string, number>()
  readonly written = new Map<string, number>()
  readonly clock = createQuickClock()

  async pay(name: string): Promise<string> {
    this.paid.set(name, (this.paid.get(name) ?? 0) + 1)
    return name
  }

  async write(name: string): Promise<string> {
    this.written.set(name, (this.written.get(name) ?? 0) + 1)
    return name
  }
}

/** A workflow over a world of its own for each trial. */
function subjectOf(
  bodyIn: (world: World) => Body,
  changes: Partial<FaultSubject<{ value: unknown }>> = {},
): FaultSubject<{ value: unknown }> {
  return {
    async open() {
      const folder = mkdtempSync(join(tmpdir(), 'scholium-trial-'))
      const store = openRunStore(join(folder, 'runs.db'))
      const world = new World()
      const workflow = workflowOf(bodyIn(world))
      const execution = (view: RunStore) => ({
        store: view,
        owner: currentOwner(),
        clock: world.clock,
        models: createModelSource({ choices: {}, environment: {}, builtIn: {} }),
        packageVersion: '0',
        configuration: {},
      })
      return {
        store,
        start: async (view) => {
          const runId = `run-${(await store.list()).length}`
          return (await startRun(workflow, {}, runId, execution(view))).result
        },
        resume: async (view, runId) => (await resumeRun(workflow, runId, execution(view))).result,
        paidCalls: () => world.paid,
        writes: () => world.written,
        async close() {
          await store.close()
          rmSync(folder, { recursive: true })
        },
      }
    },
    ...changes,
  }
}

const paidStep = (context: RunContext, world: World, name: string) =>
  context.step(
    name,
    'read',
    {},
    async (attempt) => {
      attempt.use({ inputTokens: 1, outputTokens: 1, costUsd: 0 })
      return world.pay(name)
    },
    { isPaid: true },
  )

const sound = (world: World) => async (context: RunContext) => {
  await paidStep(context, world, 'first')
  return paidStep(context, world, 'second')
}

describe('runFaults', () => {
  it('finds nothing wrong with a workflow whose effects are steps', async () => {
    const seen: string[] = []
    const report = await runFaults(subjectOf(sound), {
      onTrial: ([point], problems) =>
        seen.push(`${point?.when} ${point?.event} ${problems.length}`),
    })
    expect(report).toEqual({ events: 6, appends: 6, trials: 12, problems: [] })
    expect(seen.slice(0, 3)).toEqual(['before 1 0', 'after 1 0', 'before 2 0'])
  })

  it.each<[string, (world: World) => Body, RegExp]>([
    [
      'pays outside of a step',
      (world) => async (context) => {
        await world.pay('outside')
        return sound(world)(context)
      },
      /^killed after event 2: 1 paid calls were made again, 0 at most could be \(outside\)$/,
    ],
    [
      'writes in a step that says it reads',
      (world) => (context) => context.step('w', 'read', {}, () => world.write('line')),
      /^killed before event 2: "line" was written 2 times$/,
    ],
    [
      'looks at the clock by itself',
      (world) => async (context) => {
        const first = world.clock.now()
        await paidStep(context, world, 'a')
        return first
      },
      /^killed before event 2: the result is another one: \{"value":\d+\}$/,
    ],
    [
      'cannot go on',
      (world) => {
        let starts = 0
        return async (context) => {
          starts++
          return context.step('a', 'read', { starts }, () => world.pay('a'), { isPaid: true })
        }
      },
      /^killed after event 2: The input of step "test\/a" differs/,
    ],
    [
      'names its steps anew each time, so that finished ones are done again',
      (world) => {
        let starts = 0
        return async (context) => {
          starts++
          return paidStep(context.child(`start ${starts}`), world, 'a')
        }
      },
      /^killed after event 3: 1 paid calls were made again/,
    ],
  ])('finds out one that %s', async (_what, bodyIn, problem) => {
    const { problems } = await runFaults(subjectOf(bodyIn))
    expect(problems).toContainEqual(expect.stringMatching(problem))
  })

  /** What a workflow may go on after: that it is not known whether a write took place. */
  const takeUnknown = (error: ScholiumError) => {
    if (error.code !== 'outcome_unknown') throw error
    return error.code
  }

  /** Two lines, of which only the first process writes the second. */
  const forgetful = (world: World) => {
    let starts = 0
    return async (context: RunContext) => {
      starts++
      await context.step('0', 'write', {}, () => world.write('unsure')).catch(takeUnknown)
      const note = () => context.step('b', 'write', {}, () => world.write('second'))
      await context.step('a', 'write', {}, () => world.write('first'))
      await context.step('pause', 'read', {}, async () => null)
      if (starts === 1) await note()
      return 'done'
    }
  }

  it('finds out a write that is lost, also next to one of which the run says that it does not know', async () => {
    const { problems } = await runFaults(subjectOf(forgetful))
    expect(problems).toContainEqual('killed before event 6: not written: "second"')
    expect(problems).toContainEqual(
      'killed after event 2: not written: "unsure"; "second" (of 1 the run says that it does not know)',
    )
    expect(problems).toContainEqual('killed before event 3: not written: "second"')
  })

  it('takes what a run without faults writes twice for right, and three times for wrong', async () => {
    const twice = (effect: Effect) => (world: World) => async (context: RunContext) => {
      const write = () => world.write('line')
      await context.step('a', 'write', {}, write).catch(takeUnknown)
      return context.step('b', effect, {}, write).catch(takeUnknown)
    }
    const accepts = () => true
    expect((await runFaults(subjectOf(twice('write'), { accepts }))).problems).toEqual([])
    expect((await runFaults(subjectOf(twice('read'), { accepts }))).problems).toEqual([
      'killed before event 4: "line" was written 3 times instead of 2',
    ])
  })

  it('does not look for the writes behind a failure that is right', async () => {
    const body = (world: World) => async (context: RunContext) => {
      await context.step('a', 'write', {}, () => world.write('first'))
      return context.step('b', 'write', {}, () => world.write('second'))
    }
    const acceptsFailure = ({ code }: Failure) => code === 'outcome_unknown'
    expect((await runFaults(subjectOf(body, { acceptsFailure }))).problems).toEqual([])
  })

  it('finds out a run that is shorter than the clean one was', async () => {
    let runs = 0
    const { problems } = await runFaults(
      subjectOf((world) => {
        const isClean = runs++ === 0
        return async (context) => {
          await paidStep(context, world, 'first')
          if (isClean) await paidStep(context, world, 'second')
          return 'done'
        }
      }),
    )
    expect(problems).toContainEqual('killed after event 6: the run ended before it came there')
  })

  it('lets a subject say what else is right', async () => {
    const bodyIn = (world: World) => (context: RunContext) =>
      context.step('w', 'write', {}, () => world.write('line')).catch((error) => error.code)
    const strict = await runFaults(subjectOf(bodyIn))
    expect(strict.problems).toContainEqual(expect.stringContaining('outcome_unknown'))
    const accepts = ({ value }: { value: unknown }, [view]: readonly FaultStore[]) =>
      value === 'outcome_unknown' && view?.cut[0]?.key === 'test/w'
    expect((await runFaults(subjectOf(bodyIn, { accepts }))).problems).toEqual([])
  })

  it('tries events that are stored together once before their commit and once after it', async () => {
    const seen: string[] = []
    const atOnce = (world: World) => async (context: RunContext) => {
      const names = ['a', 'b', 'c']
      return (await Promise.all(names.map((name) => paidStep(context, world, name)))).join()
    }
    const report = await runFaults(subjectOf(atOnce, { parallelCalls: 3 }), {
      onTrial: ([point]) => seen.push(`${point?.when} ${point?.event}`),
    })
    expect(report).toEqual({ events: 8, appends: 4, trials: 8, problems: [] })
    expect(seen.slice(2, 4)).toEqual(['before 2', 'after 2'])
    expect(seen.slice(4, 6)).toEqual(['before 5', 'after 5'])
  })

  it('lets several processes die one after the other', async () => {
    const plan = (events: number) => seededCrashes(events, 6, 2, 1)
    expect(await runFaults(subjectOf(sound), { plan })).toMatchObject({ trials: 6, problems: [] })
  })
})

describe('plans', () => {
  it('have every event, before and after', () => {
    expect(everyEvent(2)).toEqual([
      [{ event: 1, when: 'before' }],
      [{ event: 1, when: 'after' }],
      [{ event: 2, when: 'before' }],
      [{ event: 2, when: 'after' }],
    ])
  })

  it('are the same for the same seed, and stay within the run', () => {
    const plan = seededCrashes(40, 50, 2, 3)
    expect(plan).toEqual(seededCrashes(40, 50, 2, 3))
    expect(plan).not.toEqual(seededCrashes(40, 50, 2, 4))
    for (const { event } of plan.flat()) {
      expect(event).toBeGreaterThanOrEqual(1)
      expect(event).toBeLessThanOrEqual(20)
    }
    expect(plan.every((crashes) => crashes.length === 2)).toBe(true)
  })
})

describe('FaultStore', () => {
  it('fails in every call once it is dead, and leaves the store to the next process', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'scholium-dead-'))
    const store = openRunStore(join(folder, 'runs.db'))
    const view = new FaultStore(store, { event: 2, when: 'after' })
    const owner = currentOwner()
    const run = { runId: 'a', workflow: 'w', title: '', createdAt: 1 }
    const lease = await view.create(run, owner)
    const event = {
      key: 'k',
      type: 'notice',
      data: { level: 'info', component: '', text: '' },
      ts: 1,
    } as const
    expect(await view.append(lease, [event], [], 'normal')).toHaveLength(1)
    expect([view.committedCount, view.isDead]).toEqual([1, false])
    await expect(view.append(lease, [event], [], 'normal')).rejects.toMatchObject({
      code: 'store_failed',
    })
    expect([view.committedCount, view.isDead, view.isCutCommitted, view.cut]).toEqual([
      2,
      true,
      true,
      [event],
    ])
    const calls = [
      () => view.get('a'),
      () => view.list(),
      () => view.check(lease),
      () => view.release(lease, 'answered'),
      () => view.acquire('a', owner),
      () => view.create({ ...run, runId: 'b' }, owner),
      () => view.append(lease, [event], [], 'normal'),
      () => view.output('a', 1),
      () => view.blob('a', 'x' as never),
      () => view.remove('a'),
      () => Array.fromAsync(view.events('a')),
    ]
    for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'store_failed' })
    await view.close()
    expect((await store.get('a')).lastSeq).toBe(2)
    expect(await store.acquire('a', owner)).toEqual({ runId: 'a', epoch: 2 })
    await store.close()
    rmSync(folder, { recursive: true })
  })
})
