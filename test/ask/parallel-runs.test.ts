import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ModelRequestSeen, ScriptedReply, TeamScript } from '../../src/testing/index.ts'
import { roleOf } from '../../src/testing/index.ts'
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
    expect(asked.state.researchResults.map(({ request }) => request)).toEqual(steps(count))
  })

  it('of one step works as in any plan', async () => {
    const asked = await ask(1)
    expect(asked.visits).toContain('researcher')
    expect(asked.visits).not.toContain('research')
    expect(asked.result.status).toBe('answered')
  })

  it('of a step that fails for a while leave a run that goes on with that step alone', async () => {
    let isDown = true
    const failing: TeamScript = {
      researcher: (seen) =>
        isDown && partOf(seen) === 'two'
          ? { status: 503 }
          : { json: { result: 'Glimmerstone is a stone.' } },
    }
    const failed = await ask(3, failing)
    expect(failed.result).toMatchObject({ status: 'failed', stopReason: 'error' })
    expect(failed.state.errorComponent).toBe('researcher')
    expect(
      failed.state.researchResults.map(({ request }) => partOf({ body: { request } } as never)),
    ).toEqual(['one', 'three'])
    isDown = false
    const again = await team.resume(failed.runId, { team: script(3, failing) })
    expect(requestsOf(again, 'researcher').map(partOf)).toEqual(['two'])
    expect(requestsOf(again, 'critic_researcher').map(partOf)).toEqual(['two'])
    expect(again.state.researchResults.map(({ request }) => request)).toEqual(steps(3))
    const { result, unclaimed } = await team.replay(failed.runId)
    expect(result).toEqual(again.result)
    expect(unclaimed).toEqual([])
  })

  it('stopped by a limit leave what was approved by then, and go on under a higher one', async () => {
    const limits = { maxSteps: 9 }
    const stopped = await ask(3, {}, { execution: { limits } })
    expect(stopped.result.stopReason).toBe('limit')
    expect(stopped.result.gaps.filter(({ kind }) => kind === 'limit')).toHaveLength(1)
    const again = await team.resume(stopped.runId, {
      team: script(3),
      execution: { limits: { maxSteps: 100 } },
    })
    expect(again.result).toMatchObject({ status: 'answered' })
    expect(again.state.researchResults).toHaveLength(3)
    const planned = [...stopped.requests, ...again.requests].filter(
      (seen) => roleOf(seen) === 'planner',
    )
    expect(planned).toHaveLength(1)
  })

  it('wait for each other where a limit has no room for all at once', async () => {
    // Each call reserves its prompt and all of its longest answer, of which it uses little.
    const asked = await ask(4, {}, { execution: { limits: { maxTokens: 40_000 } } })
    expect(asked.result.status).toBe('answered')
    expect(asked.state.researchResults).toHaveLength(4)
  })
})

describe('a run with researchers at once', () => {
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
    const changes = [{ path: 'researchSteps', value: steps(3) }]
    const forked = await team.fork(asked.runId, 'researcher[2]', changes, { team: script(3) })
    expect(forked.state.researchResults.map(({ request }) => request)).toEqual(steps(3))
    expect(requestsOf(forked, 'planner')).toEqual([])
  })

  it('keeps the seed\u2019s order where its input says nothing of it, as in version 0.1', async () => {
    const asked = await team.ask('What is glimmerstone?', { team: script(2) })
    expect(asked.visits.filter((node) => node === 'researcher')).toHaveLength(2)
    const [system] = requestsOf(asked, 'planner').map(({ system: text }) => text)
    expect(system).toBe(team.parts({}).prompts.planner)
  })
})
