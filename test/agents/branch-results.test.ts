import { describe, expect, it } from 'vitest'
import { createSandbox } from '../../src/tools/sandbox/sandbox.ts'
import { newWorld, parseDocument, runDocument, testParts } from './run-document.ts'

const fanIn = (items: string, steps: string, join: string) =>
  [
    'name: s',
    'nodes:',
    `  - {name: e, type: dynamic_parallel, items: "${items}", output: rows, fan_in: f, steps: [{name: g, ${steps}}]}`,
    `  - {name: f, fan_in: true, ${join}}`,
  ].join('\n')

const set = (values: string) => `uses: state.set, with: {${values}}`

describe('results of branches', () => {
  it('keep what a branch changed, and give the members of the state around it where they are read', async () => {
    const join = [
      `at: "{{ parallel_results[1].state.blob | length }} {{ parallel_results[1].blob | length }}"`,
      `last: "{{ rows | default('') }}{{ state.rows[0].state.blob | length }} {{ state.rows[0].x }}"`,
    ].join(', ')
    const document = await parseDocument(
      fanIn('{{ range(3) }}', set(`x: "{{ item }}!"`), set(join)),
    )
    const blob = 'x'.repeat(10_000)
    const { result } = await runDocument(document, { blob })
    expect(result.state).toMatchObject({ at: '10000 10000', last: '10000 0!' })
    const records = result.state.parallel_results as readonly { readonly state: unknown }[]
    expect(records.map(({ state }) => state)).toEqual(
      [0, 1, 2].map((index) => ({ item: index, index, x: `${index}!` })),
    )
  })

  it('may be many around a large state', async () => {
    const document = await parseDocument(
      fanIn('{{ range(1000) }}', set('x: 1'), set(`n: "{{ parallel_results | length }}"`)),
    )
    const { result } = await runDocument(document, { blob: 'x'.repeat(900_000) })
    expect(result.state.n).toBe(1_000)
    expect(JSON.stringify(result.state.parallel_results).length).toBeLessThan(500_000)
  })

  it.each([
    ['together', fanIn('{{ range(100) }}', set('x: "{{ state.blob }}{{ item }}"'), set('n: 1'))],
    [
      'written out with the state around them',
      fanIn('{{ range(100) }}', set('x: 1'), set('all: "{{ parallel_results }}"')),
    ],
  ])('that are too large %s end with what to do', async (_name, text) => {
    const { result } = await runDocument(await parseDocument(text), { blob: 'x'.repeat(900_000) })
    expect(result).toMatchObject({
      status: 'failed',
      failure: {
        code: 'invalid_input',
        message: expect.stringContaining('more than 64 million characters'),
        hint: expect.stringContaining('Return less from each branch'),
      },
    })
  })

  it.each([
    ['python', `run: "return {'t': parallel_results[0].t + state['rows'][0]['state']['t']}"`],
    [
      'lua',
      `language: lua, run: "return {t = parallel_results[1].state.t .. state.rows[1].state.t}"`,
    ],
    [
      'javascript',
      `language: javascript, run: "return {t: parallel_results[0].t + state.rows[0].state.t}"`,
    ],
  ])('are the same in %s', async (_language, join) => {
    const sandbox = createSandbox()
    try {
      const document = await parseDocument(fanIn('{{ [1] }}', set('x: 1'), join))
      const { result } = await runDocument(
        document,
        { t: 'abc' },
        testParts(newWorld(), { sandbox }),
      )
      expect(result.state.t).toBe('abcabc')
    } finally {
      await sandbox.close()
    }
  })
})
