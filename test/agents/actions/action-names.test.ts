import { describe, expect, it } from 'vitest'
import { createComposedActions } from '../../../src/agents/actions/composed/create-composed-actions.ts'
import { refusedActions } from '../../../src/agents/actions/refused-actions.ts'
import { createToolActions } from '../../../src/agents/actions/tools/create-tool-actions.ts'
import { createStateActions } from '../../../src/agents/actions/tools/state-actions.ts'
import { toDottedName } from '../../../src/agents/document/agent-document.ts'
import { createToolRegistry } from '../../../src/kernel/agent/tool.ts'
import { createReactRegistry } from '../../../src/reasoning/react-tools.ts'
import { nameOf } from '../test-actions.ts'
import { ActionWorld } from './action-world.ts'
import { registeredNames } from './registered-names.ts'

const tools = createToolActions({})
const names = [...tools, ...createStateActions(), ...createComposedActions({ providers: [] })].map(
  nameOf,
)
const refused = refusedActions()

describe('the actions of agent files', () => {
  it('are there or refused, each name of the format once', () => {
    expect(registeredNames.length).toBeGreaterThan(270)
    const unknown = registeredNames.filter((name) => !names.includes(name) && !refused.has(name))
    expect(unknown).toEqual([])
    expect(names.filter((name) => refused.has(name))).toEqual([])
    expect(names.filter((name, index) => names.indexOf(name) < index)).toEqual([])
  })

  it('have a second name', async () => {
    const dotted = registeredNames.filter((name) => name.includes('.') && name !== 'actions.notify')
    const second = dotted.map((name) => `actions.${name.replaceAll('.', '_')}`)
    expect(second.map(toDottedName)).toEqual(dotted)
    const world = new ActionWorld()
    const text = `name: second
nodes:
  - {name: a, uses: actions.json_parse, with: {text: '[1]'}, output: list}
  - name: b
    uses: actions.cache_wrap
    with: {action: actions.json_stringify, args: {data: "{{ state.list.data }}"}}
    output: kept`
    expect(await world.run(text)).toMatchObject({ list: { data: [1] }, kept: { text: '[1]' } })
    expect((await world.problems(text.replace('json_parse', 'graph_query'))).join()).toContain(
      'graph.query, which is not supported: it would need a graph database',
    )
  })

  it('say what refused ones would need, as a part of a sentence', () => {
    for (const needs of refused.values()) expect(needs).toMatch(/^[\w'{].*[^.]$/)
  })

  it('can all be given to a model', () => {
    const registry = createToolRegistry(tools.map(({ tool }) => tool))
    expect(createReactRegistry(registry.tools).tools).toHaveLength(tools.length + 1)
    for (const { tool } of tools) {
      expect(tool.parameters).toMatchObject({ type: 'object', additionalProperties: false })
      const { properties = {} } = tool.parameters as {
        properties?: Record<string, { description?: string }>
      }
      const untold = Object.entries(properties).filter(
        ([, schema]) => schema.description === undefined,
      )
      expect(untold.map(([name]) => `${tool.name}: ${name}`)).toEqual([])
    }
  })

  it('let in no text from elsewhere without saying so', () => {
    const trusted = tools.filter(({ tool }) => tool.untrusted === undefined).map(({ tool }) => tool)
    const readers = trusted.filter(({ effect }) => effect === 'read').map(({ name }) => name)
    expect(readers.sort()).toEqual(['code.execute', 'rag.llamaindex.load_index'])
  })
})
