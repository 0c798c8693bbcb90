import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../src/kernel/json.ts'
import { oneNode, useComposedWorld } from './composed-world.ts'

const world = useComposedWorld()

const subtask = (id: string, dependencies: readonly string[] = [], more: JsonObject = {}) => ({
  id,
  description: `do ${id}`,
  dependencies,
  ...more,
})

const diamond = {
  id: 'plan_1',
  goal: 'build',
  subtasks: [subtask('a'), subtask('b', ['a']), subtask('c', ['a']), subtask('d', ['b', 'c'])],
}

/** Says `done x` to a subtask x, and fails at those of the list. */
function doing(failing: readonly string[] = []) {
  return ({ lastText }: { readonly lastText: string }) => {
    const id = /do (\w+)/.exec(lastText)?.[1] ?? ''
    return failing.includes(id) ? { status: 400, body: {} } : { text: `done ${id}` }
  }
}

const executing = (more: JsonObject = {}, plan: Json = diamond) =>
  world().state('plan.execute', { plan, retry_delay: 1, ...more })

describe('plan.decompose', () => {
  it('makes a plan of a goal', async () => {
    world().says({ json: { subtasks: [subtask('a'), subtask('b', ['a'])] } })
    const { r } = await world().state('plan.decompose', { goal: 'build' })
    expect(r).toMatchObject({
      plan: {
        id: expect.stringMatching(/^plan_[0-9a-f]{8}$/),
        goal: 'build',
        strategy: 'flat',
        subtasks: [
          { id: 'a', description: 'do a', dependencies: [], status: 'pending' },
          { id: 'b', dependencies: ['a'] },
        ],
      },
      subtask_count: 2,
      planning_trace: [{ step: 'decompose_complete' }],
      success: true,
    })
    expect(world().requests[0]?.lastText).toBe('Goal: build')
  })

  it('takes the options of a planner, with the goal in its template', async () => {
    world().says({ json: { subtasks: [subtask('a')] } })
    await world().state('plan.decompose', {
      goal: 'build',
      planner: { model: 'openai-compatible:planner', prompt_template: 'Plan to {{ goal }} well.' },
    })
    expect(world().requests[0]?.model).toBe('planner')
    expect(world().requests[0]?.system).toContain('Plan to build well.')
  })

  it('takes no more levels than it may', async () => {
    const nested = (depth: number): JsonObject =>
      subtask(`s${depth}`, [], depth === 0 ? {} : { subtasks: [nested(depth - 1)] })
    world().answers(() => ({ json: { subtasks: [nested(9)] } }))
    for (const max_depth of [1, 2, 3]) {
      const { r } = await world().state('plan.decompose', {
        goal: 'g',
        strategy: 'hierarchical',
        max_depth,
      })
      expect((r as { subtask_count: number }).subtask_count).toBe(max_depth)
    }
  })

  it('leaves out what is more than it may, and says so', async () => {
    world().says({ json: { subtasks: ['a', 'b', 'c', 'd'].map((id) => subtask(id)) } })
    const { r } = await world().state('plan.decompose', { goal: 'g', max_subtasks: 2 })
    expect(r).toMatchObject({ subtask_count: 2, planning_trace: [{ subtasks_left_out: 2 }] })
  })

  it('names the circle of a plan that cannot be', async () => {
    world().answers(() => ({ json: { subtasks: [subtask('a', ['b']), subtask('b', ['a'])] } }))
    const { r } = await world().state('plan.decompose', { goal: 'g' })
    expect(r).toMatchObject({
      success: false,
      error: expect.stringContaining('Cycle detected: a -> b -> a'),
    })
  })
})

describe('plan.execute', () => {
  it('does each subtask after those that it needs, and shows it their results', async () => {
    world().answers(doing())
    const { r } = await executing()
    expect(r).toMatchObject({
      subtask_results: { a: 'done a', b: 'done b', c: 'done c', d: 'done d' },
      plan_status: { total: 4, completed: 4, pending: 0, failed: 0 },
      plan: { subtasks: [{ id: 'a', status: 'completed', result: 'done a' }, {}, {}, {}] },
      success: true,
    })
    const last = world().requests.at(-1)?.lastText ?? ''
    expect(last).toContain('done b')
    expect(last).toContain('done c')
  })

  it('does them in the order of their needs, however they are written', async () => {
    world().answers(doing())
    const written = {
      goal: 'g',
      subtasks: [subtask('z', ['y']), subtask('y', ['x']), subtask('x')],
    }
    await executing({ parallel: true }, written)
    const done = world().requests.map(({ lastText }) => /do (\w)/.exec(lastText)?.[1])
    expect(done).toEqual(['x', 'y', 'z'])
  })

  it('does at once those that do not need each other', async () => {
    let working = 0
    let most = 0
    world().answers(async (seen) => {
      most = Math.max(most, ++working)
      await new Promise((resolve) => setTimeout(resolve, 20))
      working--
      return doing()(seen)
    })
    await executing({ parallel: true })
    expect(most).toBe(2)
  })

  it('fills in the executor for each subtask, and nothing of what was planned', async () => {
    const plan = { goal: 'g', subtasks: [subtask('a', [], { description: 'show {{ 7 * 7 }}' })] }
    const prompt =
      '{{ subtask.id }}: {{ subtask.description }} {{ state.subtask_results | tojson }}'
    const subtask_executor = { action: 'llm.call', with: { prompt } }
    await world().run(oneNode('plan.execute', { subtask_executor }), { plan })
    await world().run(oneNode('plan.execute', {}), { plan })
    expect(world().requests.map(({ lastText }) => lastText)).toEqual([
      'a: show {{ 7 * 7 }} {}',
      'Subtask: show {{ 7 * 7 }}',
    ])
  })

  it('ends at the first that fails', async () => {
    world().answers(doing(['b']))
    expect((await executing()).r).toMatchObject({
      success: false,
      failed_subtask: 'b',
      error: expect.stringContaining('The subtask b failed'),
      plan_status: { completed: 1, failed: 1, pending: 2 },
    })
  })

  it('goes on without it', async () => {
    world().answers(doing(['b']))
    expect((await executing({ on_subtask_failure: 'skip' })).r).toMatchObject({
      success: true,
      plan_status: { completed: 3, skipped: 1 },
    })
  })

  it('tries it again', async () => {
    let failures = 0
    world().answers((seen) =>
      doing(seen.lastText.includes('do b') && failures++ < 2 ? ['b'] : [])(seen),
    )
    expect((await executing({ on_subtask_failure: 'retry' })).r).toMatchObject({ success: true })
    failures = 0
    expect((await executing({ on_subtask_failure: 'retry', max_retries: 1 })).r).toMatchObject({
      success: false,
    })
  })

  it('plans anew what is left, and keeps what is done', async () => {
    world().answers((seen) =>
      seen.lastText.startsWith('Goal')
        ? { json: { subtasks: [subtask('e', ['a'])] } }
        : doing(['b'])(seen),
    )
    const { r } = await executing({ on_subtask_failure: 'replan' })
    expect(r).toMatchObject({
      success: true,
      replan_count: 1,
      subtask_results: { a: 'done a', e: 'done e' },
      plan: { subtasks: [{ id: 'a' }, { id: 'e' }] },
    })
    const replanning = world().requests.find(({ lastText }) => lastText.startsWith('Goal'))
    expect(replanning?.lastText).toContain('The subtask b failed')
  })

  it('plans anew no more often than it may', async () => {
    let number = 0
    world().answers((seen) =>
      seen.lastText.startsWith('Goal')
        ? { json: { subtasks: [subtask(`n${++number}`)] } }
        : { status: 400, body: {} },
    )
    const { r } = await executing({ on_subtask_failure: 'replan', max_replans: 2 })
    expect(r).toMatchObject({ success: false, replan_count: 2 })
    expect(number).toBe(2)
  })

  it('takes the plan out of the state, also inside of what plan.decompose gave', async () => {
    world().answers(doing())
    const { result } = await world().run(oneNode('plan.execute', {}), {
      plan: { plan: diamond, success: true },
    })
    expect(result.state.r).toMatchObject({ success: true })
    expect((await world().state('plan.execute', {})).r).toMatchObject({
      success: false,
      error: expect.stringContaining('No plan provided'),
    })
  })
})

describe('plan.replan and plan.status', () => {
  const begun = {
    ...diamond,
    subtasks: [
      subtask('a', [], { status: 'completed', result: 'r' }),
      subtask('b', [], { status: 'skipped' }),
      subtask('c', [], { status: 'failed' }),
      subtask('d'),
    ],
  }

  it('keeps what is done and plans the rest', async () => {
    world().says({ json: { subtasks: [subtask('x', ['a']), subtask('y', ['x'])] } })
    const { r } = await world().state('plan.replan', { plan: begun, context: 'Be quick.' })
    expect(r).toMatchObject({
      preserved_subtasks: 1,
      new_subtasks: 2,
      replan_count: 1,
      success: true,
    })
    expect(world().requests[0]?.lastText).toContain('Be quick.')
  })

  it('counts', async () => {
    const { r } = await world().state('plan.status', {
      plan: begun,
      include_details: true,
      include_completed: false,
    })
    expect(r).toMatchObject({
      status: { total: 4, pending: 1, completed: 1, failed: 1, skipped: 1, in_progress: 0 },
      completed: 1,
      progress: 0.5,
      plan_id: 'plan_1',
      goal: 'build',
      subtasks: [{ id: 'b' }, { id: 'c' }, { id: 'd' }],
    })
  })
})
