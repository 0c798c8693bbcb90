import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { createCitationManager } from '../../src/citations/manager/citation-manager.ts'
import {
  createHooks,
  defineTool,
  type JsonObject,
  type Message,
  messageText,
  type Workflow,
} from '../../src/kernel/index.ts'
import { runInMemory } from '../../src/testing/index.ts'

const fetchTool = defineTool({
  name: 'fetch',
  description: 'Fetches.',
  input: z.object({ url: z.string() }),
  effect: 'read',
  execute: async ({ url }) => url,
})

describe('two runs at once with one manager', () => {
  it('have numbers of their own, in messages, in tools and in the index', async () => {
    const hooks = createHooks()
    const manager = createCitationManager()
    manager.install(hooks)
    const [tool] = manager.adaptTools([fetchTool])
    // A person's own handler, which takes its time.
    hooks.on('run:before', async () => void (await setImmediate()), 200)
    let waiting = 0
    const both = Promise.withResolvers<void>()
    const workflow: Workflow<{ url: string }, JsonObject> = {
      name: 'one',
      version: '1',
      promptHashes: {},
      title: () => 'one',
      status: () => 'answered',
      async run({ services }, { url }) {
        const message: Message = {
          id: 'm',
          role: 'user',
          parts: [{ type: 'text', text: `Read ${url}.` }],
          createdAt: 0,
        }
        const report = (text: string) => expect.unreachable(text)
        const kept = await services.hooks.run('message:append:after', message, report)
        if (++waiting === 2) both.resolve()
        await both.promise
        const [shown] = await services.hooks.run('message:render:before', [kept], report)
        return {
          kept: [...(kept.citations ?? [])],
          shown: messageText(shown as Message),
          given: JSON.stringify(tool?.parse({ citation: 1 })),
          urls: manager.index.entries.map((entry) => entry.url ?? ''),
        }
      },
    }
    const urls = ['https://a.example/secret', 'https://b.example/page']
    const runs = await Promise.all(urls.map((url) => runInMemory(workflow, { url }, { hooks })))
    expect(runs.map(({ result }) => result)).toEqual(
      urls.map((url) => ({
        kept: [1],
        shown: 'Read [!CITE_1!].',
        given: JSON.stringify({ ok: true, value: { url } }),
        urls: [url],
      })),
    )
  })
})
