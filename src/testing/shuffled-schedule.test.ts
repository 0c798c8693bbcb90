import { describe, expect, it } from 'vitest'
import { useRuns } from '../../test/kernel/runs.ts'
import { scriptedBinding } from '../../test/kernel/scripted-binding.ts'
import type { Json, RunContext } from '../kernel/index.ts'
import { compareSchedules, Schedule } from './index.ts'

const current = useRuns()
const names = ['a', 'b', 'c', 'd']

/** The order in which things come to their ends that were begun together. */
async function orderOf(seed: number): Promise<string> {
  const schedule = new Schedule(seed)
  const ended: string[] = []
  const source = schedule.shuffle({ read: async (name: string) => name })
  await Promise.all(names.map(async (name) => ended.push(await source.read(name))))
  return ended.join('')
}

describe('Schedule', () => {
  it('ends what was begun together in an order that its seed gives', async () => {
    const orders = await Promise.all([1, 2, 3, 4, 5, 6].map(orderOf))
    expect(new Set(orders).size).toBeGreaterThan(2)
    for (const order of orders) expect([...order].sort()).toEqual(names)
    expect(await orderOf(3)).toBe(orders[2])
  })

  it('passes on failures, arguments, and what is no promise', async () => {
    const schedule = new Schedule(1)
    const object = schedule.shuffle({
      size: 3,
      double: (value: number) => value * 2,
      fail: async () => Promise.reject(new Error('no')),
    })
    expect([object.size, object.double(4)]).toEqual([3, 8])
    await expect(object.fail()).rejects.toThrow('no')
  })

  it('keeps the object of a method', async () => {
    class Counter {
      #count = 0
      async next() {
        return ++this.#count
      }
    }
    const counter = new Schedule(1).shuffle(new Counter())
    expect([await counter.next(), await counter.next()]).toEqual([1, 2])
  })

  it('shuffles models', async () => {
    const { binding } = scriptedBinding((_number, { prompt }) => JSON.stringify(prompt))
    const models = new Schedule(2).shuffleModels({ forRole: () => binding })
    const ended: string[] = []
    await Promise.all(
      names.map(async (name) => {
        const model = await models.forRole('default').load()
        await model.doGenerate({ prompt: name as never })
        ended.push(name)
      }),
    )
    expect(ended).not.toEqual(names)
    expect([...ended].sort()).toEqual(names)
  })
})

describe('compareSchedules', () => {
  const seeds = [1, 2, 3, 4, 5, 6]

  /** Compares runs of a body that reads four things at once. */
  function compare(
    body: (context: RunContext, read: (name: string) => Promise<Json>) => Promise<Json>,
  ) {
    return compareSchedules(seeds, async (schedule) => {
      await current().close()
      await current().open()
      const source = schedule.shuffle({ read: async (name: string) => name })
      const result = await current().start((context) => body(context, source.read))
      return { result, events: await current().events() }
    })
  }

  it('finds nothing where results are put in the order of the branches', async () => {
    const report = await compare((context, read) =>
      Promise.all(names.map((name) => context.step(name, 'read', { name }, () => read(name)))),
    )
    expect(report.differences).toEqual([])
    expect(report.orders).toBeGreaterThan(2)
  })

  it('finds a result that depends on the order', async () => {
    const { differences } = await compare(async (context, read) => {
      const ended: Json[] = []
      await Promise.all(
        names.map(async (name) =>
          ended.push(await context.step(name, 'read', {}, () => read(name))),
        ),
      )
      return ended
    })
    expect(differences).toContainEqual(
      expect.stringMatching(/^seed \d: the result is another one$/),
    )
  })

  it('finds steps whose inputs or names depend on it', async () => {
    const { differences } = await compare(async (context, read) => {
      let count = 0
      await Promise.all(
        names.map(async (name) => {
          const branch = context.branch(name)
          await branch.step('read', 'read', {}, () => read(name))
          await branch.step('input', 'read', { count: ++count }, async () => null)
          await context.step(`${name} came ${count}`, 'read', {}, async () => null)
        }),
      )
      return null
    })
    expect(differences).toContainEqual(
      expect.stringMatching(/the step test\/\w\/input has another input/),
    )
    expect(differences).toContainEqual(
      expect.stringMatching(/the step test\/\w came \d is missing/),
    )
    expect(differences).toContainEqual(expect.stringMatching(/the step test\/\w came \d is new/))
  })
})
