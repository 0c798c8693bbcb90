import { describe, expect, it } from 'vitest'
import type { AgentCache, AgentParts } from '../../src/agents/run/agent-parts.ts'
import type { Json, JsonObject } from '../../src/kernel/json.ts'
import { loadDocument, newWorld, parseDocument, runDocument, testParts } from './run-document.ts'

function keeping(more: Partial<AgentParts> = {}) {
  const kept = new Map<string, Json>()
  const cache: AgentCache = {
    get: async (key) => kept.get(key),
    set: async (key, value) => {
      kept.set(key, value)
    },
  }
  const world = newWorld()
  return { kept, world, parts: testParts(world, { cache, ...more }) }
}

/** A file of one node that reads and keeps what it read. */
const reading = (text: string, cache = 'true', head = '', tail = '') =>
  parseDocument(
    `name: one\n${head}nodes:\n  - {name: a, uses: test.read, with: {text: ${JSON.stringify(text)}}, output: r, cache: ${cache}}\n${tail}`,
  )

describe('the result of a node with cache', () => {
  it('is kept from run to run for the same key', async () => {
    const { world, parts } = keeping()
    const document = await loadDocument('cache')
    const first = await runDocument(document, { n: 1 }, parts)
    const second = await runDocument(document, { n: 1 }, parts)
    const other = await runDocument(document, { n: 2 }, parts)
    expect(world.read).toEqual(['same', 'same', 'same'])
    expect(second.result).toEqual(first.result)
    expect(other.result.state.one).toEqual(first.result.state.one)
  })

  it.each(['true', '{key: k}'])(
    'is for no other file, workspace or environment: %s',
    async (rule) => {
      const { world, parts } = keeping()
      const run = async (given: AgentParts, text: string, environment = {}) =>
        (await runDocument(await reading(text, rule), {}, given, {}, { environment })).result
      await run(parts, 'x')
      await run(parts, 'x')
      expect(world.read).toHaveLength(1)
      await run(parts, 'y')
      await run({ ...parts, workspace: 'elsewhere' }, 'x')
      await run(parts, 'x', { PLACE: 'Bern' })
      await runDocument(await reading('x', rule, '', 'variables: {n: 1}\n'), {}, parts)
      expect(world.read).toHaveLength(5)
    },
  )

  it('is of its action and its code: a step of the same name and key has its own', async () => {
    const { parts } = keeping()
    const document = await parseDocument(`name: two
nodes:
  - name: first
    steps: [{name: a, uses: test.read, with: {text: x}, output: one, cache: {key: k}}]
  - name: second
    steps: [{name: a, uses: test.read, with: {text: y}, output: two, cache: {key: k}}]
`)
    const { result } = await runDocument(document, {}, parts)
    expect(result.state).toMatchObject({ one: { text: 'x' }, two: { text: 'y' } })
  })

  it('that failed is made again', async () => {
    const { kept, parts } = keeping()
    const document = await parseDocument(
      'name: soft\nnodes:\n  - {name: a, uses: test.soft, output: r, cache: true}\n',
    )
    await runDocument(document, {}, parts)
    expect([...kept.keys()]).toEqual([])
  })

  it('is of the state where an action sees that next to its parameters', async () => {
    const { parts } = keeping()
    const document = await parseDocument(
      'name: late\nnodes:\n  - {name: a, uses: test.map, with: {items: [1], text: "{{ item + state.n }}"}, output: r, cache: true}\n',
    )
    const of = async (n: number) => (await runDocument(document, { n }, parts)).result.state.r
    expect([await of(1), await of(2)]).toEqual([[2], [3]])
  })
})

describe('what a secret goes into', () => {
  const head = 'secrets: {TOKEN: "$' + '{MY_TOKEN}"}\nsettings: {token: "{{ secrets.TOKEN }}"}\n'
  const texts = [
    '{{ secrets.TOKEN }}',
    '{{ env.MY_TOKEN }}',
    '$' + '{MY_TOKEN}',
    'a {{ settings.token }}',
    '{% if secrets.TOKEN %}x{% endif %}',
  ]

  it.each(texts)('is not kept, and the run says so once: %s', async (text) => {
    const { world, kept, parts } = keeping({ secrets: { MY_TOKEN: 'sk-correct-horse' } })
    const document = await reading(text, 'true', head)
    const { events } = await runDocument(document, {}, parts)
    await runDocument(document, {}, parts)
    expect(world.read).toHaveLength(2)
    expect([...kept.keys()]).toEqual([])
    const told = events.filter(({ type, data }) => type === 'notice' && says(data, 'is not cached'))
    expect(told).toHaveLength(1)
  })

  it('keeps nothing else from being kept', async () => {
    const { kept, parts } = keeping({ secrets: { MY_TOKEN: 'sk-correct-horse' } })
    const { events } = await runDocument(await reading('x', 'true', head), {}, parts)
    expect(kept.size).toBe(1)
    expect(events.filter(({ data }) => says(data, 'is not cached'))).toEqual([])
  })
})

const says = ({ text = '' }: JsonObject, words: string) => String(text).includes(words)
