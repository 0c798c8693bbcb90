import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ScriptedModel, scriptTeam, startScriptedModel } from '../../src/testing/index.ts'
import { CommandLine, jsonOf, thorough } from './command.ts'

const melting = 'Glimmerstone melts at 412 degrees Celsius [1].'
const wrong = 'Glimmerstone melts at 512 degrees Celsius [1].'
const finder = 'It was found by Ada Quill in 1907 [1].'

describe('diff', () => {
  const cli = new CommandLine(thorough)
  let model: ScriptedModel
  const ids: string[] = []
  beforeAll(async () => {
    cli.write(
      'stone.md',
      '# Stone\n\nGlimmerstone melts at 412 degrees Celsius. It was found by Ada Quill in 1907.\n',
    )
    for (const answer of [`${melting} ${finder}`, `${finder} ${wrong}`]) {
      model = await startScriptedModel(
        scriptTeam({ finalizer: { json: { final_answer: answer, final_reasoning_trace: '' } } }),
      )
      const names = ['--model', 'openai-compatible:scripted', '--model', 'verifier=extractive']
      const args = ['ask', 'At what temperature does it melt?', '--source', 'stone.md', '--json']
      const outcome = await cli.run([...args, ...names], { env: { OPENAI_BASE_URL: model.url } })
      ids.push(jsonOf(outcome).runId as string)
      await model.close()
    }
  })
  afterAll(() => cli.remove())

  it('shows claims that differ with their verdicts, and counts those that are the same', async () => {
    const { exitCode, stdout } = await cli.run(['diff', ids[0] as string, ids[1] as string])
    expect(exitCode).toBe(1)
    expect(stdout).toContain(`- ${melting} (verbatim)\n+ ${wrong} (altered)\n`)
    expect(stdout).toContain('The same in both: 1 claim of 2 and 2')
    expect(stdout).not.toContain('Ada Quill')
  })

  it('ends with 0 for the same answers, and gives every pair as JSON', async () => {
    const outcome = await cli.run(['diff', 'last', 'last', '--json'])
    expect(outcome.exitCode).toBe(0)
    expect(jsonOf(outcome)).toMatchObject({
      schema: 'scholium.diff/1',
      isSame: true,
      claims: [{ differences: [] }, { differences: [] }],
      sources: { both: [{ title: 'Stone' }], firstOnly: [], secondOnly: [] },
    })
  })

  it('refuses a run without claims, and says which kinds have some', async () => {
    cli.write(
      'agent.yaml',
      'name: returns\nnodes:\n  - {name: a, uses: core.return, with: {value: done}}\n',
    )
    await cli.run(['run', 'agent.yaml'])
    const { exitCode, stderr } = await cli.run(['diff', ids[0] as string, 'last'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('Only questions and reviews of papers can be compared.')
  })
})
