import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { type Body, useRuns } from '../../../test/kernel/runs.ts'
import { scriptedBinding } from '../../../test/kernel/scripted-binding.ts'
import {
  callModel,
  createHooks,
  createToolRegistry,
  defineTool,
  type HookPoint,
  runAgent,
} from '../index.ts'

const ignore = () => {}

describe('createHooks', () => {
  it('passes a value through the handlers, larger priorities first, equal ones in order', async () => {
    const hooks = createHooks()
    const add = (name: string, priority?: number) =>
      hooks.on('tool:call:after', (value) => `${value}${name}`, priority)
    add('c')
    add('d')
    add('a', 300)
    add('e', -1)
    add('b', 200)
    expect(await hooks.run('tool:call:after', '', ignore)).toBe('abcde')
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
    hooks.on('tool:call:after', () => 'changed')
    expect(await hooks.run('run:after', 'same', ignore)).toBe('same')
  })

  it('tells a handler its point', async () => {
    const hooks = createHooks()
    hooks.on('tool:call:after', (_value, point) => point)
    expect(await hooks.run('tool:call:after', '', ignore)).toBe('tool:call:after')
  })

  it('forgets a handler that was taken off, also during its point', async () => {
    const hooks = createHooks()
    const off = hooks.on('tool:call:after', () => 'changed')
    off()
    off()
    expect(await hooks.run('tool:call:after', 'same', ignore)).toBe('same')
  })

  it('reports a handler that throws and continues with the value as it was', async () => {
    const hooks = createHooks()
    const failures: string[] = []
    hooks.on(
      'tool:call:after',
      () => {
        throw new Error('no')
      },
      200,
    )
    hooks.on('tool:call:after', (value) => `${value}b`)
    expect(await hooks.run('tool:call:after', 'a', (text) => failures.push(text))).toBe('ab')
    expect(failures).toEqual(['A hook at tool:call:after failed: no'])
  })
})

describe('hooks of a run', () => {
  const current = useRuns()
  const asking = (text: string) => ({
    messages: [
      { id: '1', role: 'user' as const, parts: [{ type: 'text' as const, text }], createdAt: 0 },
    ],
  })

  it('change what a model is asked and what its answer is mistaken for', async () => {
    const hooks = createHooks()
    const { binding, prompts } = scriptedBinding(() => 'answer')
    hooks.on('model:call:before', () => asking('changed'))
    hooks.on('model:call:after', (reply) => ({ ...reply, finishReason: 'mine' }))
    const reason = await current().start(
      async (context) => (await callModel(context, 'm', binding, asking('asked'))).finishReason,
      { hooks },
    )
    expect(reason).toBe('mine')
    expect(JSON.stringify(prompts)).toContain('changed')
    expect(JSON.stringify(prompts)).not.toContain('asked')
  })

  it('are called at every point, in the order of the work, also in a replay', async () => {
    const points = [
      'message:create',
      'message:render',
      'message:append',
      'model:call',
      'tool:call',
      'run',
    ]
    const called: string[] = []
    const hooks = createHooks()
    for (const point of points.flatMap((name) => [`${name}:before`, `${name}:after`])) {
      hooks.on(point as HookPoint, () => void called.push(point))
    }
    const { binding } = scriptedBinding((number) =>
      number > 1
        ? 'done'
        : { content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'look', input: '{}' }] },
    )
    const look = defineTool({
      name: 'look',
      description: 'Looks.',
      input: z.object({}),
      effect: 'read',
      execute: async () => 'seen',
    })
    const body: Body = async (context) => {
      const tools = createToolRegistry([look])
      const agent = { model: binding, tools, maxTurns: 3 }
      return (await runAgent(context, agent, asking('look').messages)).text
    }
    await current().start(body, { hooks })
    const around = (name: string, ...inside: string[]) => [
      `${name}:before`,
      ...inside,
      `${name}:after`,
    ]
    const call = around('model:call', ...around('message:render'), ...around('message:create'))
    expect(called).toEqual(
      around(
        'run',
        ...[
          ...call,
          ...around('tool:call'),
          ...around('message:append'),
          ...around('message:append'),
        ],
        ...[...call, ...around('message:append')],
      ),
    )
    const inRun = called.splice(0)
    await current().replay(body, { hooks })
    expect(called).toEqual(inRun)
  })

  it('change what a run is given and what it gives', async () => {
    const hooks = createHooks()
    hooks.on('run:before', (input) => ({ ...input, more: true }))
    hooks.on('run:after', (result) => ({ value: [result.value ?? null, 'after'] }))
    const value = await current().start(async (_context, input) => input, { hooks }, { a: 1 })
    expect(value).toEqual([{ a: 1, more: true }, 'after'])
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
