import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ToolWorld, toolWorld } from '../../../test/code/tool-world.ts'
import type { WebSources } from '../../tools/web/web-sources.ts'
import { createCodeToolRegistry } from './code-tools.ts'
import { codeToolNames } from './tool-names.ts'

let world: ToolWorld
beforeEach(async () => {
  const web = {
    pages: { fetch: async () => page() },
    clock: { now: () => 0 },
  } as unknown as WebSources
  world = await toolWorld({ web })
})
afterEach(() => world.close())

let body = ''
function page() {
  const bytes = new TextEncoder().encode(body)
  return {
    ok: true,
    url: 'https://example.org/end',
    bytes,
    headers: { 'content-type': 'text/plain' },
  }
}

describe('the tools of a coding agent', () => {
  it('are offered once, and found by the names of others', () => {
    const registry = createCodeToolRegistry(world.tools)
    const others = registry.tools.filter(({ name }) => !codeToolNames.some((one) => one === name))
    expect(others).toEqual([])
    expect(registry.tools.map(({ name }) => name)).toEqual([
      'read',
      'write',
      'edit',
      'list',
      'glob',
      'grep',
      'bash',
      'job_output',
      'job_stop',
      'todo',
      'fetch',
    ])
    const aliases = {
      run_command: 'bash',
      bash: 'bash',
      read_file: 'read',
      write_file: 'write',
      update_file: 'edit',
      list_dir: 'list',
      grep: 'grep',
    }
    for (const [alias, name] of Object.entries(aliases))
      expect(registry.get(alias)?.name).toBe(name)
    expect(registry.get('toString')).toBeUndefined()
  })

  it.each(['path', 'file_path', 'filepath', 'filename'])('take a path as %s', (name) => {
    expect(world.tool('read').parse({ [name]: 'a.txt' })).toMatchObject({
      ok: true,
      value: { path: 'a.txt' },
    })
    expect(world.tool('edit').readsFiles?.({ path: 'a.txt' })).toEqual(['a.txt'])
  })

  it('say what arguments lack', () => {
    expect(world.tool('read').parse({})).toMatchObject({ ok: false })
    expect(world.tool('read').parse('a.txt')).toMatchObject({ ok: false })
  })

  it('put down what is to be done, and keep nothing', async () => {
    const todos = [
      'look',
      { content: 'mend', status: 'in_progress' },
      { text: 'tell', status: 'completed' },
    ]
    expect(await world.call('todo', { todos })).toEqual({
      todos: [
        { text: 'look', status: 'pending' },
        { text: 'mend', status: 'in_progress' },
        { text: 'tell', status: 'done' },
      ],
    })
    expect(await world.text('todo', { todos })).toBe('[ ] look\n[>] mend\n[x] tell')
    expect(await world.text('todo', { todos: [] })).toBe('(nothing to do)')
  })

  it('read pages a part at a time, as words of somebody else', async () => {
    body = `${'word '.repeat(10_000)}end`
    const text = await world.text('fetch', { url: 'https://example.org/' })
    expect(text).toContain('https://example.org/end')
    expect(text).toMatch(/\(read on with offset 40000 of 5000[23]\)$/)
    expect(world.tool('fetch')).toMatchObject({ effect: 'read', untrusted: 'results' })
    expect(world.tool('fetch').parse({ url: 'file:///etc/passwd' })).toMatchObject({ ok: false })
    expect(world.tool('fetch').reaches?.({ url: 'https://a.example/' })).toEqual({
      address: 'https://a.example/',
      saysMore: false,
    })
  })
})
