import { describe, expect, it } from 'vitest'
import { useRuns } from '../../../test/kernel/runs.ts'
import { FaultStore } from '../../testing/index.ts'
import { type LiveEvent, type RunContext, ScholiumError } from '../index.ts'
import { maxInlineBytes } from './event.ts'

const current = useRuns()

/** A store that notes the batches in which events come. */
class Batches extends FaultStore {
  readonly batches: { readonly keys: readonly string[]; readonly durability: string }[] = []
  override async append(...given: Parameters<FaultStore['append']>) {
    this.batches.push({ keys: given[1].map(({ key }) => key), durability: given[3] })
    return super.append(...given)
  }
}

describe('appends to the log', () => {
  it('of one tick share a transaction, in their order', async () => {
    const store = new Batches(current().store)
    const names = ['c', 'a', 'b']
    await current().start(
      async (context) => {
        await Promise.all(names.map((name) => context.step(name, 'read', {}, async () => name)))
        return null
      },
      { store },
    )
    const keys = store.batches.map((batch) => batch.keys)
    expect(keys).toEqual([[''], ['test/c', 'test/a', 'test/b'], ['']])
    const stored = (await current().events()).map(({ key, output }) => [key, output])
    expect(stored.slice(1, -1)).toEqual([
      ['test/c', 'c'],
      ['test/a', 'a'],
      ['test/b', 'b'],
    ])
  })

  it('are on disk at once where something was paid or written, and else not waited for', async () => {
    const store = new Batches(current().store)
    await current().start(
      async (context) => {
        await context.step('read', 'read', {}, async () => null)
        await context.step('paid', 'read', {}, async () => null, { isPaid: true })
        return context.step('write', 'write', {}, async () => null)
      },
      { store },
    )
    expect(store.batches.map(({ keys, durability }) => `${keys} ${durability}`)).toEqual([
      ' full',
      'test/read normal',
      'test/paid normal',
      'test/paid full',
      'test/write full',
      'test/write full',
      ' full',
    ])
  })

  it('of the ends of nodes share the transaction of what comes next', async () => {
    const store = new Batches(current().store)
    await current().start(
      async (context) => {
        await context.reachBoundary('node.done', 'a', { node: 'n' })
        await context.reachBoundary('node.done', 'b', { node: 'n' })
        return context.step('paid', 'read', {}, async () => null, { isPaid: true })
      },
      { store },
    )
    expect(store.batches.map(({ keys, durability }) => `${keys} ${durability}`)).toEqual([
      ' full',
      'test/a,test/b,test/paid normal',
      'test/paid full',
      ' full',
    ])
  })

  it('of the ends of very many nodes in a row are made in between', async () => {
    const store = new Batches(current().store)
    await current().start(
      async (context) => {
        for (let node = 0; node < 100; node++)
          await context.reachBoundary('node.done', `${node}`, { node: 'n' })
        return null
      },
      { store },
    )
    expect(Math.max(...store.batches.map(({ keys }) => keys.length))).toBeLessThan(20)
  })

  it('are told before what is told after them, also where nobody waits for them', async () => {
    const told: string[] = []
    await current().start(
      async (context) => {
        await context.reachBoundary('node.done', 'a', { node: 'n' })
        context.emit('progress', {}, 'b')
        await context.reachBoundary('node.done', 'b', { node: 'n' })
        return context.step('c', 'read', {}, async () => null)
      },
      { listeners: [({ key, type }) => told.push(`${key} ${type}`)] },
    )
    expect(told.slice(1, -1)).toEqual([
      'test/a node.done',
      'test/b progress',
      'test/b node.done',
      'test/c step.running',
      'test/c step.done',
    ])
  })

  it('go to the store one after the other, in their order, however long each takes', async () => {
    let [atOnce, most] = [0, 0]
    class Slow extends FaultStore {
      override async append(...given: Parameters<FaultStore['append']>) {
        most = Math.max(most, ++atOnce)
        // The earlier ones take longer.
        await new Promise((resolve) => setTimeout(resolve, 12 - 3 * this.committedCount))
        atOnce--
        return super.append(...given)
      }
    }
    await current().start(
      async (context) => {
        const work = (name: string) => context.step(name, 'read', {}, async () => null)
        const steps: Promise<null>[] = []
        for (const name of ['a', 'b', 'c']) {
          steps.push(work(name))
          await new Promise((resolve) => setTimeout(resolve, 2))
        }
        await Promise.all(steps)
        return null
      },
      { store: new Slow(current().store) },
    )
    expect(most).toBe(1)
    const keys = (await current().events()).map(({ key }) => key)
    expect(keys).toEqual(['', 'test/a', 'test/b', 'test/c', ''])
  })

  it('stay failed when the store works again: what was lost in between cannot be told', async () => {
    class Flaky extends FaultStore {
      private calls = 0
      override async append(...given: Parameters<FaultStore['append']>) {
        if (++this.calls === 2) throw new ScholiumError('store_failed', 'The disk is full.')
        return super.append(...given)
      }
    }
    const body = async (context: RunContext) => {
      await context.step('lost', 'read', {}, async () => 1).catch(() => undefined)
      return context.step('next', 'read', {}, async () => 2)
    }
    const store = new Flaky(current().store)
    await expect(current().start(body, { store })).rejects.toThrow('The disk is full.')
    expect(await current().log()).toEqual(['run.started'])
    expect(await current().resume(body)).toBe(2)
  })

  it('all fail once one has failed, and no further paid step begins', async () => {
    const store = new FaultStore(current().store, { event: 2, when: 'before' })
    const begun: string[] = []
    const errors: unknown[] = []
    await expect(
      current().start(
        async (context) => {
          for (const name of ['a', 'b']) {
            const options = { isPaid: name === 'b' }
            await context
              .step(name, 'read', {}, async () => begun.push(name), options)
              .catch((error) => errors.push(error.code))
          }
          return null
        },
        { store },
      ),
    ).rejects.toMatchObject({ code: 'store_failed' })
    expect(begun).toEqual(['a'])
    expect(errors).toEqual(['store_failed', 'store_failed'])
  })
})

describe('listeners', () => {
  it('hear what is stored after it is stored, and what is only shown', async () => {
    const heard: LiveEvent[] = []
    await current().start(
      async (context) => {
        context.emit('progress', { percent: 50 })
        return context.step('a', 'read', {}, async () => null)
      },
      { listeners: [(event) => heard.push(event)] },
    )
    const stored = heard.filter((event) => !('transient' in event))
    expect(stored).toEqual(await current().events())
    expect(heard.filter((event) => 'transient' in event)).toEqual([
      { transient: true, key: 'test', type: 'progress', data: { percent: 50 } },
      { transient: true, key: 'test/a', type: 'step.running', data: { name: 'a', effect: 'read' } },
    ])
  })

  it('that throw are heard of once and told no more, and the run continues', async () => {
    let calls = 0
    const heard: string[] = []
    const broken = () => {
      calls++
      throw new Error('no pipe')
    }
    const value = await current().start(async () => 'fine', {
      listeners: [broken, (event) => heard.push(event.type)],
    })
    expect(value).toBe('fine')
    expect(calls).toBe(1)
    expect(heard).toContain('run.finished')
    const notices = (await current().events()).filter((event) => event.type === 'notice')
    expect(notices.map(({ data }) => data)).toEqual([
      {
        level: 'warning',
        component: 'listener',
        text: 'A listener failed and will receive no more events: no pipe',
      },
    ])
  })
})

describe('a large output', () => {
  const large = 'ä'.repeat(maxInlineBytes)

  it('becomes a blob with a preview, and is read back whole', async () => {
    const body = (context: RunContext) => context.step('a', 'read', {}, async () => large)
    await current().start(body)
    const event = (await current().events())[1]
    expect(event?.blob).toEqual({
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      sizeBytes: Buffer.byteLength(JSON.stringify(large)),
      mediaType: 'application/json',
      preview: expect.stringContaining('ää'),
    })
    const { hash } = event?.blob ?? {}
    expect(await current().store.blob('run', hash as never)).toBe(JSON.stringify(large))
    expect((await current().replay(body)).result.value).toBe(large)
  })

  it('stays in its event up to the bound', async () => {
    const text = 'a'.repeat(maxInlineBytes - 2)
    await current().start((context) => context.step('a', 'read', {}, async () => text))
    expect((await current().events())[1]).toMatchObject({ output: text })
    expect((await current().events())[1]).not.toHaveProperty('blob')
  })
})
