import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { calling, question, WebWorld } from './web-world.ts'

const world = new WebWorld()
beforeAll(() => world.open())
afterEach(() => world.reset())
afterAll(() => world.close())

const script = fileURLToPath(new URL('./killed-ask.ts', import.meta.url))
const searchThenRead = calling(
  ['search_web', { query: 'glimmerstone' }],
  ['read_page', { result: 1 }],
)

describe('a process that is killed while it asks the web', () => {
  it.each([
    ['after its search', ':search_web/', 'search'],
    ['after it read a page', ':read_page/', 'read'],
  ])(
    '%s, goes on without asking again, and with the same numbers',
    async (_when, killAfter, home) => {
      world.say({ researcher: searchThenRead })
      const asked = () =>
        ['tavily', 'pages'].map((name) => world.service(name as 'tavily').requests.length)
      const [searches = 0, pages = 0] = asked()
      const given = {
        home: join(world.folder, home),
        models: { default: 'openai-compatible:scripted' },
        environment: { OPENAI_BASE_URL: world.modelUrl, TAVILY_API_KEY: 'tvly-secret' },
        webServers: world.servers,
        question,
        killAfter,
      }
      const child = spawn(process.execPath, [script, JSON.stringify(given)], { stdio: 'ignore' })
      const [, signal] = await once(child, 'exit')
      expect(signal).toBe('SIGKILL')
      const app = world.app(home)
      const [run] = await app.listRuns({ limit: 1 })
      const answer = await app.resume(run?.runId ?? '', { grants: [{ kind: 'web', value: '' }] })
      expect(answer).toMatchObject({
        status: 'answered',
        citations: [{ n: 1, url: world.pageUrl }],
      })
      expect(asked()).toEqual([searches + 1, pages + 1])
      expect(await app.replay(answer.runId)).toMatchObject({ isIdentical: true })
    },
  )
})
