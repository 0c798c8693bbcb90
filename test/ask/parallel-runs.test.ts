import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AskState } from '../../src/ask/state.ts'
import { type Message, ScholiumError } from '../../src/kernel/index.ts'
import type { ModelRequestSeen, ScriptedReply, TeamScript } from '../../src/testing/index.ts'
import { findRole } from '../../src/testing/index.ts'
import { type Asking, requestsOf, TestTeam } from './team.ts'

const team = new TestTeam()
beforeAll(() => team.open())
afterAll(() => team.close())

const names = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']
/** A request that says which one it is. */
const steps = (count: number) => names.slice(0, count).map((name) => `glimmerstone, part ${name}`)
const partOf = ({ body }: ModelRequestSeen) => /part (\w+)/.exec(JSON.stringify(body))?.[1] ?? ''

function script(count: number, change: TeamScript = {}, needs?: number[][]): TeamScript {
  const plan = { research_steps: steps(count), expert_steps: ['Answer.'], ...(needs && { needs }) }
  return { planner: { json: plan }, ...change }
}

const ask = (count: number, change: TeamScript = {}, asking: Asking = {}, needs?: number[][]) =>
  team.ask('What is glimmerstone?', {
    sequential: false,
    ...asking,
    team: script(count, change, needs),
  })

/** How many researchers were at work together at most, as the log has it. */
function mostAtOnce(events: Awaited<ReturnType<typeof ask>>['events']): number {
  const open = new Set<string>()
  let most = 0
  for (const { key, type } of events) {
    const branch = /branch\[\d+\]/.exec(key)?.[0]
    if (branch === undefined) continue
    if (type === 'step.started') open.add(branch)
    most = Math.max(most, open.size)
    if (type === 'node.done' && key.includes('/critic[')) open.delete(branch)
  }
  return most
}

describe('researchers', () => {
  it.each([
    [2, 2],
    [4, 4],
    [8, 4],
  ])('of %i steps work at once: %i of them', async (count, atOnce) => {
    const slow = (): ScriptedReply => ({ json: { result: 'The sources do not say.' }, delayMs: 20 })
    const asked = await ask(count, { researcher: slow })
    expect(mostAtOnce(asked.events)).toBe(atOnce)
    expect(asked.state.research.results.map(({ request }) => request)).toEqual(steps(count))
  })

  it('of one step works as in any plan', async () => {
    const asked = await ask(1)
    expect(asked.visits).toContain('researcher')
    expect(asked.visits).not.toContain('research')
    expect(asked.result.status).toBe('answered')
  })

  it('of a step that fails for a while leave a run that continues with that step alone', async () => {
    let isDown = true
    const failing: TeamScript = {
      researcher: (seen) =>
        isDown && partOf(seen) === 'two'
          ? { status: 503 }
          : { json: { result: 'Glimmerstone is a stone.' } },
    }
    const failed = await ask(3, failing)
    expect(failed.result).toMatchObject({ status: 'failed', stopReason: 'error' })
    expect(failed.state.control.errorComponent).toBe('researcher')
    expect(
      failed.state.research.results.map(({ request }) => partOf({ body: { request } } as never)),
    ).toEqual(['one', 'three'])
    isDown = false
    const again = await team.resume(failed.runId, { team: script(3, failing) })
    expect(requestsOf(again, 'researcher').map(partOf)).toEqual(['two'])
    expect(requestsOf(again, 'critic_researcher').map(partOf)).toEqual(['two'])
    expect(again.state.research.results.map(({ request }) => request)).toEqual(steps(3))
    const { result, unclaimed } = await team.replay(failed.runId)
    expect(result).toEqual(again.result)
    expect(unclaimed).toEqual([])
  })

  it('stopped by a limit leave what was approved by then, and continue under a higher one', async () => {
    const limits = { maxSteps: 9 }
    const stopped = await ask(3, {}, { execution: { limits } })
    expect(stopped.result.stopReason).toBe('limit')
    expect(stopped.result.gaps.filter(({ kind }) => kind === 'limit')).toHaveLength(1)
    const again = await team.resume(stopped.runId, {
      team: script(3),
      execution: { limits: { maxSteps: 100 } },
    })
    expect(again.result).toMatchObject({ status: 'answered' })
    expect(again.state.research.results).toHaveLength(3)
    const planned = [...stopped.requests, ...again.requests].filter(
      (seen) => findRole(seen) === 'planner',
    )
    expect(planned).toHaveLength(1)
  })

  it.each([10, 12, 14, 16, 18, 20])(
    'find within %i calls no less than one after the other does',
    async (maxSteps) => {
      const found: AskState['research']['results'][] = []
      for (const sequential of [true, false]) {
        const asked = await ask(4, {}, { sequential, execution: { limits: { maxSteps } } })
        found.push(asked.state.research.results.slice(0, asked.state.research.index))
      }
      expect(found[1]).toEqual(found[0])
      expect(found[0]?.length).toBe(Math.min(4, Math.floor((maxSteps - 4) / 4)))
    },
  )

  it('work at once under a limit that has room for all of them', async () => {
    const slow = (): ScriptedReply => ({ json: { result: 'The sources do not say.' }, delayMs: 20 })
    const asked = await ask(4, { researcher: slow }, { execution: { limits: { maxSteps: 36 } } })
    expect(mostAtOnce(asked.events)).toBe(4)
  })

  it('do not begin when the run cannot continue', async () => {
    const { library } = team.parts({})
    const broken = new Proxy(library, {
      get: (target, name) => {
        if (name === 'search')
          return async (request: Parameters<typeof target.search>[0]) => {
            if (request.query.includes('part one'))
              throw new ScholiumError('store_failed', 'No disk.')
            await new Promise((resolve) => setTimeout(resolve, 50))
            return target.search(request)
          }
        const value = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const before = team.server.requests.length
    const searching = (seen: ModelRequestSeen): ScriptedReply =>
      seen.lastRole === 'tool'
        ? { json: { result: 'The sources do not say.' } }
        : { toolCalls: [{ name: 'search_library', input: { query: `part ${partOf(seen)}` } }] }
    const asked = ask(8, { researcher: searching }, { parts: { library: broken } })
    await expect(asked).rejects.toMatchObject({ code: 'store_failed' })
    const begun = new Set(
      team.server.requests
        .slice(before)
        .filter((seen) => findRole(seen) === 'researcher')
        .map(partOf),
    )
    expect([...begun].sort()).toEqual([...names.slice(0, 4)].sort())
  })

  it('wait for each other where a limit has no room for all at once', async () => {
    // Each call reserves its prompt and all of its longest answer, of which it uses little.
    const asked = await ask(4, {}, { execution: { limits: { maxTokens: 40_000 } } })
    expect(asked.result.status).toBe('answered')
    expect(asked.state.research.results).toHaveLength(4)
  })
})

describe('a run with researchers at once', () => {
  it('tells times that move on from what a step needs to the step, and from all to what follows', async () => {
    const { state } = await ask(3, {}, {}, [[], [1], []])
    const timesOf = (is: (meta: NonNullable<Message['meta']>) => boolean) =>
      state.control.messages.flatMap(({ meta, createdAt }) =>
        meta !== undefined && is(meta) ? [createdAt] : [],
      )
    const [first, second] = [0, 1].map((step) => timesOf(({ stepId }) => stepId === step))
    expect(Math.min(...(second ?? []))).toBeGreaterThanOrEqual(Math.max(...(first ?? [])))
    const ofAll = timesOf(({ stepId }) => stepId !== null)
    const [toExpert = 0] = timesOf(({ receiver }) => receiver === 'expert')
    expect(toExpert).toBeGreaterThanOrEqual(Math.max(...ofAll))
  })

  it('is replayed to the same result, without a model', async () => {
    const asked = await ask(4, {}, {}, [[], [], [1], [1, 2]])
    const before = team.server.requests.length
    const { result, unclaimed } = await team.replay(asked.runId)
    expect(result).toEqual(asked.result)
    expect(unclaimed).toEqual([])
    expect(team.server.requests.length).toBe(before)
  })

  it('is forked at a researcher: before all of them, with another plan', async () => {
    const asked = await ask(2)
    const changes = [{ path: 'plan.researchSteps', value: steps(3) }]
    const forked = await team.fork(asked.runId, 'researcher[2]', changes, { team: script(3) })
    expect(forked.state.research.results.map(({ request }) => request)).toEqual(steps(3))
    expect(requestsOf(forked, 'planner')).toEqual([])
  })

  it.each([[[[], [0.5]]], [[[], [null]]], [[null, []]]])(
    'is forked with needs that are none (%j): in the plan\u2019s order, with all steps',
    async (needs) => {
      const asked = await ask(2)
      const changes = [{ path: 'plan.needs', value: needs }]
      const forked = await team.fork(asked.runId, 'researcher[2]', changes, { team: script(2) })
      expect(forked.state.research.results.map(({ request }) => request)).toEqual(steps(2))
      expect(forked.result).toMatchObject({ status: 'answered', gaps: [] })
    },
  )

  it('keeps the seed\u2019s order where its input says nothing of it, as in version 0.1', async () => {
    const asked = await team.ask('What is glimmerstone?', { team: script(2) })
    expect(asked.visits.filter((node) => node === 'researcher')).toHaveLength(2)
    const [system] = requestsOf(asked, 'planner').map(({ system: text }) => text)
    expect(system).toBe(team.parts({}).prompts.planner)
  })
})
