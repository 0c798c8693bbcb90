import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ScriptedModel, scriptTeam, startScriptedModel } from '../../src/testing/index.ts'
import { supportEveryClaim } from '../../src/testing/scripted-team.ts'
import { CommandLine, jsonOf, thorough } from './command.ts'

const verbatim = 'Glimmerstone melts at 412 degrees Celsius [1].'
const altered = 'Glimmerstone melts at 512 degrees Celsius [1].'
const disputed = 'It was found by Ada Vale in 1907 [1].'
const free = 'Nobody knew of the mineral before a woman came upon it in those years [1].'
const question = 'At what temperature does glimmerstone melt?'

describe('ask --claims', () => {
  const cli = new CommandLine(thorough)
  let model: ScriptedModel
  beforeAll(async () => {
    const answer = `${verbatim} ${altered} ${disputed} ${free}`
    model = await startScriptedModel(
      scriptTeam({
        finalizer: { json: { final_answer: answer, final_reasoning_trace: '' } },
        verifier: supportEveryClaim('It was found by Ada Quill in 1907'),
      }),
    )
    cli.write(
      'stone.md',
      '# Stone\n\nGlimmerstone melts at 412 degrees Celsius. It was found by Ada Quill in 1907.\n',
    )
  })
  afterAll(async () => {
    await model.close()
    cli.remove()
  })
  const ask = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    cli.run(
      ['ask', question, '--source', 'stone.md', '--model', 'openai-compatible:scripted', ...args],
      { env: { OPENAI_BASE_URL: model.url, ...env } },
    )

  it('marks what does not hold, and shows both opinions', async () => {
    const { exitCode, stdout } = await ask([])
    expect(exitCode).toBe(3)
    const text = stdout.replaceAll(/\s+/g, ' ')
    expect(text).toContain(
      'Claims: 4 · checked 4 · supported 3 (1 verbatim, 2 judged by openai-compatible:scripted) · altered 1',
    )
    expect(text).toMatch(/altered: “Glimmerstone melts at 512 .*"412" in the source\./)
    expect(text).toMatch(/supported: “It was found by Ada Vale .*But code says: altered\. "Vale"/)
    expect(text).not.toContain('--model verifier=')
  })

  it('says that a model could judge more where the built-in engine is the verifier', async () => {
    const { stdout } = await ask(['--model', 'verifier=extractive'])
    expect(stdout).toContain('--model verifier=NAME')
  })

  it('leaves out under strict, says what, and replays to the same', async () => {
    const outcome = await ask(['--claims', 'strict', '--json'])
    expect(outcome.exitCode).toBe(3)
    const answer = jsonOf(outcome)
    expect(answer.answer).toBe(`${verbatim} ${disputed} ${free}`)
    expect(answer.gaps).toMatchObject([{ kind: 'claim_dropped' }])
    expect(answer.models).toMatchObject({ verifier: 'openai-compatible:scripted' })
    const replay = await cli.run(['replay', answer.runId])
    expect(replay.exitCode).toBe(0)
    const text = (await cli.run(['runs', 'show', answer.runId])).stdout.replaceAll(/\s+/g, ' ')
    expect(text).toContain('Left out: “Glimmerstone melts at 512 degrees Celsius [1].”')
  })

  it('is set by the environment too, and checks nothing when off', async () => {
    const { exitCode, stdout } = await ask([], { SCHOLIUM_CLAIMS: 'off' })
    expect(exitCode).toBe(0)
    expect(stdout).toContain('Claims: 4 · checked 0 · not checked 4 (checking is turned off)')
  })

  it('is refused where it is none', async () => {
    const { exitCode, stderr } = await ask(['--claims', 'maybe'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('Invalid value for --claims: "maybe"')
    expect(stderr).toContain('mark, strict, off')
    const named = await ask([], { SCHOLIUM_CLAIMS: 'maybe' })
    expect(named.exitCode).toBe(2)
    expect(named.stderr).toContain('claims must be mark, strict or off')
  })
})
