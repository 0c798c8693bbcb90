import { describe, expect, it } from 'vitest'
import { useRuns } from '../../test/kernel/runs.ts'
import { scriptedBinding } from '../../test/kernel/scripted-binding.ts'
import { callModel, createHooks } from './index.ts'

const ignore = () => {}

describe('createHooks', () => {
  it('passes a value through the handlers, larger priorities first, equal ones in order', async () => {
    const hooks = createHooks()
    const add = (name: string, priority?: number) =>
      hooks.on('model:call:before', (value) => `${value}${name}`, priority)
    add('c')
    add('d')
    add('a', 300)
    add('e', -1)
    add('b', 200)
    expect(await hooks.run('model:call:before', '', ignore)).toBe('abcde')
  })

  it('leaves a value alone for a handler that gives nothing, and waits for slow ones', async () => {
    const hooks = createHooks()
    hooks.on('tool:call:after', () => undefined)
    hooks.on('tool:call:after', async (value) => {
      await new Promise((resolve) => setImmediate(resolve))
      return `${value}!`
    })
    expect(await hooks.run('tool:call:after', 'x', ignore)).toBe('x!')
  })

  it('has points that know nothing of each other', async () => {
    const hooks = createHooks()
    hooks.on('run:before', () => 'changed')
    expect(await hooks.run('run:after', 'same', ignore)).toBe('same')
  })

  it('tells a handler its point', async () => {
    const hooks = createHooks()
    hooks.on('message:append:before', (_value, point) => point)
    expect(await hooks.run('message:append:before', '', ignore)).toBe('message:append:before')
  })

  it('forgets a handler that was taken off, also during its point', async () => {
    const hooks = createHooks()
    const off = hooks.on('run:before', () => 'changed')
    off()
    off()
    expect(await hooks.run('run:before', 'same', ignore)).toBe('same')
  })

  it('reports a handler that throws and goes on with the value as it was', async () => {
    const hooks = createHooks()
    const failures: string[] = []
    hooks.on(
      'run:before',
      () => {
        throw new Error('no')
      },
      200,
    )
    hooks.on('run:before', (value) => `${value}b`)
    expect(await hooks.run('run:before', 'a', (text) => failures.push(text))).toBe('ab')
    expect(failures).toEqual(['A hook at run:before failed: no'])
  })
})

describe('hooks of a run', () => {
  const current = useRuns()
  const asking = (text: string) => ({
    messages: [
      { id: '1', role: 'user' as const, parts: [{ type: 'text' as const, text }], createdAt: 0 },
    ],
  })

  it('change what a model is asked and what its answer is taken for', async () => {
    const hooks = createHooks()
    const { binding, prompts } = scriptedBinding(() => 'answer')
    hooks.on('model:call:before', () => asking('changed'))
    hooks.on('model:call:after', (reply) => ({ ...(reply as object), finishReason: 'mine' }))
    const reason = await current().start(
      async (context) => (await callModel(context, 'm', binding, asking('asked'))).finishReason,
      { hooks },
    )
    expect(reason).toBe('mine')
    expect(JSON.stringify(prompts)).toContain('changed')
    expect(JSON.stringify(prompts)).not.toContain('asked')
  })

  it('that fail are a notice in the log, and the run goes on', async () => {
    const hooks = createHooks()
    hooks.on('model:call:before', () => Promise.reject(new Error('broken hook')))
    const { binding } = scriptedBinding(() => 'answer')
    await current().start(
      async (context) => (await callModel(context, 'm', binding, asking('asked'))).finishReason,
      { hooks },
    )
    expect(await current().events()).toContainEqual(
      expect.objectContaining({
        type: 'notice',
        key: 'test/m.hook',
        data: expect.objectContaining({
          level: 'warning',
          text: 'A hook at model:call:before failed: broken hook',
        }),
      }),
    )
  })
})
