import { describe, expect, it } from 'vitest'
import type { Limits } from '../../src/kernel/index.ts'
import { useHttpModel } from '../kernel/http-model.ts'
import { useRuns } from '../kernel/runs.ts'
import { AgentTeam, unitsPerUsd } from './agent-team.ts'

const current = useRuns()
const model = useHttpModel()
const seeds = Array.from({ length: 60 }, (_, index) => index + 1)

/** Runs the team of a seed over an empty log. */
async function run(seed: number, limits: Limits) {
  await current().close()
  await current().open()
  const team = new AgentTeam(seed, (id, price) => {
    const name = `openai-compatible:${id}`
    return model.binding({
      name,
      maxOutputTokens: 60,
      isStreamed: false,
      prices: { [name]: price },
    })
  })
  model.script = team.script
  const value = await current().start(team.body, { limits, listeners: [team.listen] })
  return { team, value }
}

const sum = (bills: AgentTeam['bills'], path: string) =>
  bills
    .filter((bill) => `${bill.path}/`.startsWith(`${path}/`))
    .reduce((total, { units }) => total + units, 0)

describe('nested agents in parallel branches, with prices and usages of any size', () => {
  it('spend not a hundred-millionth of a dollar more than they, and the agents around them, may', async () => {
    let [calls, stopped, limitedParts, mostAtOnce] = [0, 0, 0, 0]
    for (const seed of seeds) {
      // A limit that does not bind keeps the parts bounded as they will be.
      const whole = await run(seed, { maxCostUsd: 1e6 })
      const total = sum(whole.team.bills, 'test')
      const maxUnits = Math.floor((total * (5 + ((seed * 37) % 110))) / 100)
      const { team, value } = await run(seed, { maxCostUsd: maxUnits / unitsPerUsd })
      const allowed = [...team.parts, ['test', maxUnits] as const]
      const overshoot = allowed.map(([path, units]) => [
        path,
        Math.max(0, sum(team.bills, path) - units),
      ])
      expect({ seed, overshoot }).toEqual({ seed, overshoot: allowed.map(([path]) => [path, 0]) })
      expect((await current().replay(team.body)).result.value).toEqual(value)
      calls += team.bills.length
      stopped += team.stopped
      limitedParts += team.parts.size
      mostAtOnce = Math.max(mostAtOnce, team.mostAtOnce)
    }
    expect(calls).toBeGreaterThan(400)
    expect(stopped).toBeGreaterThan(150)
    expect(limitedParts).toBeGreaterThan(100)
    expect(mostAtOnce).toBeGreaterThan(6)
  }, 120_000)
})
