import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { createHooks, type HookPoint, type Hooks } from '../../kernel/agent/hooks.ts'
import { type Message, messageText } from '../../kernel/agent/message.ts'
import { defineTool } from '../../kernel/agent/tool.ts'
import { CitationIndex } from '../numbers/citation-index.ts'
import { createCitationManager } from './citation-manager.ts'

const [a, b] = ['https://a.org/x', 'https://b.org/']
const said = (text: string): Message => ({
  id: 'm',
  role: 'assistant',
  parts: [{ type: 'text', text }],
  createdAt: 0,
})
const fail = (text: string) => {
  throw new Error(text)
}
const passed = <T>(hooks: Hooks, point: HookPoint, value: T) => hooks.run(point, value, fail)
const fetchTool = defineTool({
  name: 'fetch',
  description: 'Fetches.',
  input: z.object({ url: z.string() }),
  effect: 'read',
  execute: async ({ url }) => url,
})

describe('a manager', () => {
  it('has an index of its own, empty at first', () => {
    const [one, other] = [createCitationManager(), createCitationManager()]
    expect(one.index.size).toBe(0)
    one.store(said(a))
    expect([one.index.size, other.index.size]).toEqual([1, 0])
  })

  it('has the index that it is given, which others may have too', () => {
    const index = new CitationIndex()
    index.add({ url: a })
    const [one, other] = [createCitationManager(index), createCitationManager(index)]
    expect(one.index).toBe(index)
    expect(one.store(said(b)).citations).toEqual([2])
    expect(other.store(said(`${b} and ${a}`)).citations).toEqual([2, 1])
  })

  it('reads a text without minting', () => {
    const manager = createCitationManager()
    manager.index.add({ url: a })
    expect(manager.parse(`[1], [2] and ${b}`)).toMatchObject({
      text: '[!CITE_1!], [2] and [!CITE_2!]',
      entries: [{ n: 1 }, { url: b }],
    })
    expect(manager.index.size).toBe(1)
  })

  it('shows a kept message to people with links', () => {
    const manager = createCitationManager()
    const message = manager.store(said(`As [A](${a}) and ${b} say [1]. {"ids": [[1], {}]}`))
    expect(manager.toMarkdown(message)).toBe(
      `As [A](${a}) and [b.org](${b}) say [1]. {"ids": [[1], {}]}`,
    )
    const cited = said('See [!CITE_1!] and [!CITE_2!].')
    expect(manager.toMarkdown({ ...cited, citations: [2] })).toBe(
      `See [b.org](${b}) and [!CITE_2!].`,
    )
  })

  it('shows people addresses in tags again, and no definitions of what is cited', () => {
    const manager = createCitationManager()
    const text = `<cite url="${a}">So</cite> said [7].\n\n[7]: ${b}`
    expect(manager.toMarkdown(manager.store(said(text)))).toBe(
      `<cite url="${a}">So</cite> said [b.org](${b}).`,
    )
  })

  it('exports its index, from which another can go on, and sums it up', () => {
    const manager = createCitationManager()
    manager.store(said(`See ${a}`))
    const again = CitationIndex.fromJSON(JSON.parse(manager.export('json')))
    expect(again.entries).toEqual([{ n: 1, url: a }])
    expect(manager.export('markdown')).toBe(`1. [${a}](<${a}>)\n`)
    expect(manager.export('csv')).toContain(`\r\n1,,${a},`)
    expect(JSON.parse(manager.export('csl'))).toMatchObject([{ type: 'webpage', URL: a }])
    expect(manager.summary()).toContain(`[1] ${a}, a.org`)
  })
})

describe('on hooks, a manager', () => {
  it('does nothing until it is installed, and nothing when it is taken off', async () => {
    const hooks = createHooks()
    const manager = createCitationManager()
    const text = async () =>
      messageText(await passed(hooks, 'message:create:before', said(`At ${a}.`)))
    expect(await text()).toBe(`At ${a}.`)
    const takeOff = manager.install(hooks)
    expect(await text()).toBe('At [!CITE_1!].')
    takeOff()
    expect(await text()).toBe(`At ${a}.`)
    expect(await passed(hooks, 'message:render:before', [said(a)])).toEqual([said(a)])
  })

  it('keeps what is created or joins a conversation, and renders what a model is sent', async () => {
    const hooks = createHooks()
    const manager = createCitationManager()
    manager.index.add({ url: b })
    manager.install(hooks)
    const created = await passed(hooks, 'message:create:before', said(`At ${a}.`))
    expect(created).toMatchObject({ citations: [2], parts: [{ text: 'At [!CITE_1!].' }] })
    expect(await passed(hooks, 'message:append:after', created)).toBe(created)
    const foreign = await passed(hooks, 'message:append:after', said(`From ${b}.`))
    expect(foreign).toMatchObject({ citations: [1] })
    const sent = await passed(hooks, 'message:render:before', [foreign, created])
    expect(sent.map(messageText)).toEqual(['From [!CITE_1!].', 'At [!CITE_2!].'])
  })

  it('numbers the sources of a conversation, each once, whoever names it', async () => {
    const hooks = createHooks()
    createCitationManager().install(hooks)
    const texts = [`${a} and ${b}`, `${b} and https://c.org/`, `https://c.org/#x before ${a}`]
    const kept: Message[] = []
    for (const text of texts) kept.push(await passed(hooks, 'message:create:before', said(text)))
    expect(kept.map(({ citations }) => citations)).toEqual([
      [1, 2],
      [2, 3],
      [3, 1],
    ])
    const sent = await passed(hooks, 'message:render:before', kept)
    expect(sent.map(messageText)).toEqual([
      '[!CITE_1!] and [!CITE_2!]',
      '[!CITE_2!] and [!CITE_3!]',
      '[!CITE_3!] before [!CITE_1!]',
    ])
  })

  it('goes between handlers of priority 200 and of the default', async () => {
    const hooks = createHooks()
    createCitationManager().install(hooks)
    const seen: string[] = []
    const watch = (priority?: number) =>
      hooks.on(
        'message:create:before',
        (value) => void seen.push(messageText(value as Message)),
        priority,
      )
    watch()
    watch(200)
    await passed(hooks, 'message:create:before', said(a))
    expect(seen).toEqual([a, '[!CITE_1!]'])
  })

  it('that cannot read a message leaves it, and says so', async () => {
    const hooks = createHooks()
    createCitationManager().install(hooks)
    const failures: string[] = []
    const broken = { id: 'x', role: 'assistant' }
    const value = await hooks.run('message:create:before', broken, (text) => failures.push(text))
    expect(value).toBe(broken)
    expect(failures).toEqual([expect.stringContaining('A hook at message:create:before failed')])
  })

  it('shows a message always in the same form, whatever the index took in since', async () => {
    const hooks = createHooks()
    const manager = createCitationManager()
    manager.install(hooks)
    const question: Message = { ...said('Is [1] right?'), role: 'user' }
    const first = await passed(hooks, 'message:render:before', [question])
    manager.store(said(a))
    expect(await passed(hooks, 'message:render:before', [question])).toEqual(first)
  })

  it('begins each run with what it was given, and leaves that as it was', async () => {
    const hooks = createHooks()
    const given = new CitationIndex()
    given.add({ url: b })
    const manager = createCitationManager(given)
    manager.install(hooks)
    for (const url of ['https://c.org/', 'https://d.org/']) {
      await passed(hooks, 'run:before', {})
      expect(await passed(hooks, 'message:create:before', said(url))).toMatchObject({
        citations: [2],
      })
      expect(manager.index.entry(2)?.url).toBe(url)
    }
    expect(given.size).toBe(1)
  })

  it('leaves calls that a model printed as text for the agent to read', async () => {
    const hooks = createHooks()
    const manager = createCitationManager()
    manager.index.add({ url: a })
    manager.adaptTools([fetchTool])
    manager.install(hooks)
    const text = 'I look at [1].\n[fetch(citation=1, note="[1]")]'
    expect(await passed(hooks, 'message:create:before', said(text))).toEqual(said(text))
    expect(await passed(hooks, 'message:create:before', said('I look at [1].'))).toMatchObject({
      citations: [1],
    })
  })
})

describe('work within another index', () => {
  it('has its numbers, next to work that continues at the same time', async () => {
    const hooks = createHooks()
    const manager = createCitationManager()
    manager.install(hooks)
    manager.index.add({ url: b })
    const branch = async (url: string) => {
      const index = manager.index.copy()
      const message = await manager.within(index, async () => {
        await new Promise((resolve) => setImmediate(resolve))
        return passed(hooks, 'message:create:before', said(url))
      })
      return { index, message }
    }
    const done = await Promise.all(['https://c.org/', 'https://d.org/'].map(branch))
    expect(done.map(({ message }) => message.citations)).toEqual([[2], [2]])
    expect(manager.index.size).toBe(1)
    const numbers = done.map(({ index }) => manager.index.merge(index).get(2))
    expect(numbers).toEqual([2, 3])
  })

  it('gives tools its addresses', async () => {
    const manager = createCitationManager()
    const [tool] = manager.adaptTools([fetchTool])
    const index = new CitationIndex()
    index.add({ url: a })
    expect(tool?.parse({ citation: 1 })).toMatchObject({ ok: false })
    const parsed = await manager.within(index, async () => tool?.parse({ citation: 1 }))
    expect(parsed).toEqual({ ok: true, value: { url: a } })
  })
})

describe('tools', () => {
  it('take citation numbers unless the manager was told to leave them', () => {
    const manager = createCitationManager(undefined, { exceptTools: ['raw'] })
    const raw = { ...fetchTool, name: 'raw' }
    const [one, other] = manager.adaptTools([fetchTool, raw])
    expect(Object.keys(one?.parameters.properties ?? {})).toEqual(['citation'])
    expect(other).toBe(raw)
  })
})
