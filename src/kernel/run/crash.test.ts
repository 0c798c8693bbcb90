import { describe, expect, it } from 'vitest'
import { useRuns } from '../../../test/kernel/runs.ts'
import { type CrashPoint, FaultStore } from '../../testing/index.ts'
import { type Effect, type RunContext, ScholiumError } from '../index.ts'

const current = useRuns()

interface Expected {
  /** How often the step was done in all. */
  readonly times: number
  readonly outcome: 'value' | 'outcome_unknown'
}

/** A run of one step that dies at a place and is resumed. */
async function dieAndResume(effect: Effect, isPaid: boolean, point: CrashPoint): Promise<Expected> {
  let times = 0
  const body = async (context: RunContext) => {
    const work = async () => {
      times++
      return 'value'
    }
    try {
      return await context.step('a', effect, {}, work, { isPaid })
    } catch (error) {
      if (error instanceof ScholiumError && error.code === 'outcome_unknown') return error.code
      throw error
    }
  }
  const dying = new FaultStore(current().store, point)
  await expect(current().start(body, { store: dying })).rejects.toMatchObject({
    code: 'store_failed',
  })
  expect(dying.isDead).toBe(true)
  const outcome = (await current().resume(body)) as Expected['outcome']
  const again = await current().replay(body)
  expect(again.result).toEqual(again.recorded)
  return { times, outcome }
}

// Event 1 begins the run. A step that costs or writes has its start at 2 and its end at 3, another one its end at 2.
describe('a process that dies in a step', () => {
  it.each<[Effect, CrashPoint, Expected]>([
    ['pure', { event: 2, when: 'before' }, { times: 2, outcome: 'value' }],
    ['pure', { event: 2, when: 'after' }, { times: 1, outcome: 'value' }],
    ['read', { event: 2, when: 'before' }, { times: 2, outcome: 'value' }],
    ['read', { event: 2, when: 'after' }, { times: 1, outcome: 'value' }],
    ['write', { event: 2, when: 'before' }, { times: 1, outcome: 'value' }],
    ['write', { event: 2, when: 'after' }, { times: 0, outcome: 'outcome_unknown' }],
    ['write', { event: 3, when: 'before' }, { times: 1, outcome: 'outcome_unknown' }],
    ['write', { event: 3, when: 'after' }, { times: 1, outcome: 'value' }],
  ])('%s, %o: %o', async (effect, point, expected) => {
    expect(await dieAndResume(effect, false, point)).toEqual(expected)
  })

  it.each<[CrashPoint, number]>([
    [{ event: 2, when: 'before' }, 1],
    [{ event: 2, when: 'after' }, 1],
    [{ event: 3, when: 'before' }, 2],
    [{ event: 3, when: 'after' }, 1],
  ])('pays, dying %o, %i times', async (point, times) => {
    expect(await dieAndResume('read', true, point)).toEqual({ times, outcome: 'value' })
  })

  it('leaves a run that has nothing to continue from when it dies before the run has begun', async () => {
    const dying = new FaultStore(current().store, { event: 1, when: 'before' })
    await expect(current().start(async () => 1, { store: dying })).rejects.toThrow()
    await expect(current().resume(async () => 1)).rejects.toMatchObject({
      code: 'run_incompatible',
      hint: expect.stringContaining('runs remove'),
    })
  })

  it('leaves the result of a run whose end was committed', async () => {
    const dying = new FaultStore(current().store, { event: 2, when: 'after' })
    await expect(current().start(async () => 1, { store: dying })).rejects.toThrow()
    expect(await current().resume(async () => 2)).toBe(1)
  })
})

describe('a run that is taken over', () => {
  it('is lost to the process that had it: it can neither write to the log nor do a write', async () => {
    let wrote = 0
    const { store } = current()
    const distant = new FaultStore(store)
    const body = async (context: RunContext) => {
      await context.step('first', 'read', {}, async () => {
        // Another process takes this one for dead and takes the run over in the middle of the step.
        await store.acquire('run', current().execution().owner)
        return 1
      })
      return context.step('write', 'write', {}, async () => ++wrote)
    }
    await expect(current().start(body, { store: distant })).rejects.toMatchObject({
      code: 'fenced',
    })
    expect(wrote).toBe(0)
    expect(await current().log()).toEqual(['run.started'])
  })

  it('is asked for once more right before a write', async () => {
    let wrote = 0
    const { store } = current()
    class Slow extends FaultStore {
      override async append(...given: Parameters<FaultStore['append']>) {
        const stored = await super.append(...given)
        const isStart = stored.some(({ type }) => type === 'step.started')
        if (isStart) await store.acquire('run', current().execution().owner)
        return stored
      }
    }
    const body = (context: RunContext) => context.step('w', 'write', {}, async () => ++wrote)
    await expect(current().start(body, { store: new Slow(store) })).rejects.toMatchObject({
      code: 'fenced',
    })
    expect(wrote).toBe(0)
  })

  it('is refused while the process that has it lives', async () => {
    let refusal: unknown
    await current().start(async () => {
      refusal = await current()
        .resume(async () => 1)
        .catch((error: unknown) => error)
      return 1
    })
    expect(refusal).toMatchObject({ code: 'run_busy' })
  })

  it('has the epoch of each process in its events', async () => {
    const dying = new FaultStore(current().store, { event: 2, when: 'after' })
    const body = async (context: RunContext) => {
      await context.step('a', 'read', {}, async () => 1)
      return context.step('b', 'read', {}, async () => 2)
    }
    await expect(current().start(body, { store: dying })).rejects.toThrow()
    await current().resume(body)
    const events = await current().events()
    expect(events.map(({ type, epoch }) => `${epoch} ${type}`)).toEqual([
      '1 run.started',
      '1 step.done',
      '2 run.resumed',
      '2 step.done',
      '2 run.finished',
    ])
    expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5])
  })
})
