import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { calling, question, WebWorld } from './web-world.ts'

const world = new WebWorld()
beforeAll(() => world.open())
afterEach(() => world.reset())
afterAll(() => world.close())

describe('research steps that ask the web at once', () => {
  it('read under numbers of their own, cite under one, and name a source that is down once', async () => {
    world.answers = {
      tavily: () => ({ status: 429, headers: { 'retry-after': '900' }, body: { error: 'Slow' } }),
    }
    const steps = ['One?', 'Two?', 'Three?']
    world.say({
      planner: { json: { research_steps: steps, needs: [[], [], []], expert_steps: ['Answer.'] } },
      researcher: calling(['search_web', { query: 'x' }], ['read_page', { result: 1 }]),
    })
    const app = world.app()
    const answer = await app.ask({ question, web: true })
    expect(answer).toMatchObject({ status: 'answered', citations: [{ n: 1, url: world.pageUrl }] })
    expect(answer.gaps).toMatchObject([{ kind: 'source_unavailable', source: 'Tavily' }])
    expect(await app.replay(answer.runId)).toMatchObject({ isIdentical: true })
  })
})
