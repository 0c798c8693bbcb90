import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CommandLine, jsonOf } from './command.ts'

const cli = new CommandLine()
const back = (value: string) =>
  `  - {name: t, uses: core.return, with: {value: "{{ ${value} }}"}}\n`
beforeAll(() => {
  const store = 'uses: memory.store, with: {key: k, value: "{{ state.v }}"}'
  cli.write('store.yaml', `name: s\nnodes:\n  - {name: a, ${store}}\n`)
  const retrieve = '  - {name: a, uses: memory.retrieve, with: {key: k}, output: r}\n'
  cli.write('look.yaml', `name: l\nnodes:\n${retrieve}${back('state.r.value')}`)
  const read = '  - {name: a, uses: file.read, with: {path: n.txt}, cache: true, output: r}\n'
  cli.write('read.yaml', `name: r\nnodes:\n${read}${back('state.r.content')}`)
  const keep = '  - {name: a, uses: vector.store, with: {texts: "Granite weighs 412 kg."}}\n'
  cli.write('keep.yaml', `name: c\nnodes:\n${keep}`)
  const find =
    '  - {name: a, uses: vector.query, with: {query: granite, collection: default}, output: r}\n'
  cli.write('find.yaml', `name: f\nnodes:\n${find}${back('state.r.results | length')}`)
  for (const folder of ['one', 'two']) {
    mkdirSync(join(cli.folder, folder))
    writeFileSync(join(cli.folder, folder, 'n.txt'), folder)
  }
})
afterAll(() => cli.remove())

const run = async (...words: readonly string[]) => {
  const outcome = await cli.run(['run', ...words, '--json'], {
    env: { MY_TOKEN: 'sk-correct-horse' },
  })
  expect(outcome.exitCode, outcome.stderr).toBe(0)
  return jsonOf(outcome).output
}

describe('what a file keeps from run to run', () => {
  it('is its own, unless the operator has files share it', async () => {
    await run('store.yaml', 'v=own')
    expect(await run('look.yaml')).toBe(null)
    await run('store.yaml', 'v=shared', '--memory', 'team')
    expect(await run('look.yaml', '--memory', 'team')).toBe('shared')
    const refused = await cli.run(['run', 'look.yaml', '--memory', 'a b'])
    expect(refused.exitCode).toBe(2)
    expect(refused.stderr).toContain('"a b" is not a valid memory name')
  })

  it('is no secret, whatever keeps it', async () => {
    const text = '"{{ env.MY_TOKEN }}"'
    const ways = {
      'memory.store': `{key: k, value: ${text}}`,
      'ltm.store': `{key: k, value: ${text}}`,
      'vector.store': `{texts: ${text}}`,
      'rag.llamaindex.create_index': `{documents: [${text}]}`,
      'rag.llamaindex.add_documents': `{documents: [{text: a, metadata: {by: ${text}}}]}`,
    }
    for (const [uses, given] of Object.entries(ways)) {
      cli.write(
        'keeps.yaml',
        `name: k\nnodes:\n  - {name: a, uses: ${uses}, with: ${given}, output: r}\n${back('state.r.error')}`,
      )
      expect(await run('keeps.yaml', '--secret', 'MY_TOKEN'), uses).toContain('value of a secret')
    }
  })

  it('is a result of the same workspace', async () => {
    expect(await run('read.yaml', '--workspace', 'one')).toBe('one')
    expect(await run('read.yaml', '--workspace', 'two')).toBe('two')
    writeFileSync(join(cli.folder, 'one/n.txt'), 'changed')
    expect(await run('read.yaml', '--workspace', 'one')).toBe('one')
  })

  it('is a collection of the same workspace, for other files too', async () => {
    await run('keep.yaml', '--workspace', 'one')
    expect(await run('find.yaml', '--workspace', 'one')).toBe(1)
    expect(await run('find.yaml', '--workspace', 'two')).toBe(0)
  })
})
