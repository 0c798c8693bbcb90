import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ScriptedModel, scriptTeam, startScriptedModel } from '../../src/testing/index.ts'
import { TestTeam } from '../ask/team.ts'
import { CommandLine, jsonOf, thorough } from '../cli/command.ts'

const found = 'Glimmerstone melts at 412 degrees Celsius [1].'
const question = 'At what temperature does glimmerstone melt?'

describe('a question that ended at a limit, resumed with a higher one', () => {
  const team = new TestTeam()
  beforeAll(() => team.open())
  afterAll(() => team.close())

  // A plain run makes 9 calls, and the last one is set aside for: see test/ask/limits.test.ts.
  it.each([1, 3, 5, 7, 8, 9])(
    'of %i steps comes to its whole answer, paying nothing twice',
    async (maxSteps) => {
      const stopped = await team.ask(question, { execution: { limits: { maxSteps } } })
      expect(stopped.result.stopReason).toBe('limit')
      const same = await team.resume(stopped.runId)
      expect(same.result).toEqual(stopped.result)
      const lower = await team.resume(stopped.runId, { execution: { limits: { maxSteps: 1 } } })
      expect(lower.result).toEqual(stopped.result)
      expect(lower.requests).toEqual([])

      const raised = await team.resume(stopped.runId, { execution: { limits: { maxSteps: 50 } } })
      expect(raised.result).toMatchObject({ status: 'answered', answer: found, gaps: [] })
      const bodies = [...stopped.requests, ...raised.requests].map(({ bodyHash }) => bodyHash)
      expect(new Set(bodies).size).toBe(bodies.length)
      const replay = await team.replay(stopped.runId)
      expect(replay.result).toEqual(replay.recorded)
      const again = await team.resume(stopped.runId, { execution: { limits: { maxSteps: 500 } } })
      expect(again.requests).toEqual([])
    },
  )

  it('can be raised several times', async () => {
    const { runId } = await team.ask(question, { execution: { limits: { maxSteps: 1 } } })
    const statuses = []
    for (const maxSteps of [3, 8, 8, 12]) {
      const { result } = await team.resume(runId, { execution: { limits: { maxSteps } } })
      statuses.push(result.status)
    }
    expect(statuses).toEqual(['unanswered', 'partial', 'partial', 'answered'])
  })

  it('of another kind is not resumed', async () => {
    const limits = { maxSteps: 5, maxTokens: 900_000 }
    const stopped = await team.ask(question, { execution: { limits } })
    const other = { execution: { limits: { maxTokens: 9_000_000 } } }
    expect((await team.resume(stopped.runId, other)).requests).toEqual([])
  })
})

describe('the command line at a limit', () => {
  const cli = new CommandLine(thorough)
  let model: ScriptedModel
  beforeAll(async () => {
    model = await startScriptedModel(scriptTeam())
    cli.write('glimmerstone.md', '# Glimmerstone\n\nGlimmerstone melts at 412 degrees Celsius.\n')
    expect((await cli.run(['library', 'add', 'glimmerstone.md'])).exitCode).toBe(0)
  })
  afterAll(async () => {
    await model.close()
    cli.remove()
  })
  const run = (...args: string[]) =>
    cli.run([...args, '--json'], { env: { OPENAI_BASE_URL: model.url } })

  it('gives a partial answer with its citations and exit code 3; resumed with more, the whole answer and 0', async () => {
    const named = ['--model', 'openai-compatible:scripted']
    const stopped = await run('ask', question, ...named, '--max-steps', '8')
    expect(stopped.exitCode).toBe(3)
    const partial = jsonOf(stopped)
    expect(partial).toMatchObject({
      status: 'partial',
      stopReason: 'limit',
      answer: found,
      citations: [{ n: 1, title: 'Glimmerstone' }],
      gaps: [{ kind: 'limit', detail: expect.stringContaining('calls was reached') }],
    })
    const same = await run('resume', partial.runId)
    expect([same.exitCode, jsonOf(same).answer]).toEqual([3, found])
    const raised = await run('resume', partial.runId, '--max-steps', '50')
    expect(jsonOf(raised)).toMatchObject({ status: 'answered', runId: partial.runId, gaps: [] })
    expect(raised.exitCode).toBe(0)
    const replayed = await run('replay', partial.runId)
    expect([replayed.exitCode, jsonOf(replayed).isIdentical]).toEqual([0, true])
  })
})
