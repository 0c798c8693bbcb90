import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventsOf, question, sentence, WebWorld } from './web-world.ts'

const world = new WebWorld()
beforeAll(() => world.open())
afterAll(() => world.close())

describe('a page that was read on the web', () => {
  it('is searched and cited again without the network, under its number', async () => {
    const app = world.app()
    world.say({
      researcher: (seen) => {
        const done = seen.body.messages as readonly { readonly role: string }[]
        const calls = done.filter(({ role }) => role === 'tool').length
        if (calls === 0)
          return { toolCalls: [{ name: 'search_web', input: { query: 'glimmerstone' } }] }
        if (calls === 1) return { toolCalls: [{ name: 'read_page', input: { result: 1 } }] }
        return { json: { result: `${sentence} [1].` } }
      },
    })
    const first = await app.ask({ question, web: true })
    expect(first.citations).toMatchObject([{ n: 1, url: world.pageUrl }])

    const asked = [...world.services.values()].reduce((sum, one) => sum + one.requests.length, 0)
    world.say({})
    const next = await app.ask({ question: 'Who found glimmerstone?', continue: first.runId })
    expect(next).toMatchObject({ status: 'answered', citations: [{ n: 1, url: world.pageUrl }] })
    const now = [...world.services.values()].reduce((sum, one) => sum + one.requests.length, 0)
    expect(now).toBe(asked)
    const [started] = await eventsOf(app, next)
    expect(started?.output).toMatchObject({ web: false })
  })
})
