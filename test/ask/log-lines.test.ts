import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { orchestrate } from '../../src/ask/orchestrate.ts'
import type { JsonObject, LiveEvent, RunContext } from '../../src/kernel/index.ts'
import { createLog } from '../../src/observe/log.ts'
import type { ScriptedRole } from '../../src/testing/index.ts'
import { useRuns } from '../kernel/runs.ts'
import { type Asking, TestTeam } from './team.ts'

const current = useRuns()
const team = new TestTeam()
beforeAll(() => team.open())
afterAll(() => team.close())

const question = 'At what temperature does glimmerstone melt?'

/** A listener that keeps the lines of a log at level `info`. */
function keepLines() {
  const lines: string[] = []
  const listen = createLog({ level: 'info', write: (line) => lines.push(line), now: () => 0 })
  return { lines, listeners: [listen] as ((event: LiveEvent) => void)[] }
}

/** The lines that a question leaves. */
async function linesOf(asking: Asking = {}): Promise<readonly string[]> {
  const { lines, listeners } = keepLines()
  await team.ask(question, { ...asking, execution: { listeners } })
  return lines
}

const about = (lines: readonly string[], words: string) =>
  lines.findIndex((line) => line.includes(words))

describe('the log lines of a question', () => {
  it.each([
    'input',
    'orchestrator',
    'planner',
    'critic',
    'researcher',
    'expert',
    'finalizer',
    'verify',
  ])('tell when the %s begins, and when it is done', async (node) => {
    const lines = await linesOf()
    const begun = about(lines, ` INFO  ask/${node}[1] node start run=`)
    const done = about(lines, ` INFO  ask/${node}[1] node done run=`)
    expect(begun).toBeGreaterThan(0)
    expect(done).toBeGreaterThan(begun)
    expect(lines.filter((line) => / (?:WARN|ERROR) /.test(line))).toEqual([])
  })

  it('begin and end with the run, and name run and trace in every line', async () => {
    const lines = await linesOf()
    const ids = new RegExp(` run=${team.lastRunId} trace=[0-9a-f]{32}`)
    for (const line of lines) expect(line).toMatch(ids)
    expect(lines[0]).toMatch(/ INFO {2}run .*started /)
    expect(lines.at(-1)).toMatch(/ INFO {2}run .*finished .* status=answered$/)
  })

  it.each<[ScriptedRole, string]>([
    ['planner', 'planner[1]'],
    ['critic_planner', 'critic[1]'],
    ['researcher', 'researcher[1]'],
    ['critic_researcher', 'critic[2]'],
    ['expert', 'expert[1]'],
    ['critic_expert', 'critic[3]'],
    ['finalizer', 'finalizer[1]'],
  ])('tell at level error that the %s failed, where and why', async (role, node) => {
    const lines = await linesOf({ team: { [role]: { status: 500 } } })
    const failed = lines.filter((line) => line.includes(` ERROR ask/${node}`))
    expect(failed.some((line) => / model call failed .*code=model_unavailable/.test(line))).toBe(
      true,
    )
    const noticed = failed.find((line) => line.includes(' node failed '))
    expect(noticed).toContain(`reason="${role}: openai-compatible:scripted failed`)
    expect(lines.at(-1)).toMatch(/ ERROR run .*finished .* status=failed$/)
  })

  it('tell at level error which answer had no usable form, and why', async () => {
    const formless = { text: 'I would rather not.' }
    const lines = await linesOf({ team: { expert: formless }, retryLimit: 1 })
    const line = lines[about(lines, ' ERROR ask/expert[1] node failed ')]
    expect(line).toMatch(/reason="expert: .*JSON/)
  })

  it('warn of a critique without form and of a state that is not sound', async () => {
    const lines = await linesOf({ team: { critic_expert: { text: 'Fine.' } }, retryLimit: 1 })
    expect(about(lines, ' WARN  ask/critic[3] notice ')).toBeGreaterThan(0)
    const { lines: warned, listeners } = keepLines()
    const body = async (context: RunContext) =>
      (await orchestrate({ error: null, limit: null } as never, context)) as JsonObject
    await current()
      .start(body, { listeners })
      .catch(() => undefined)
    const line = warned[about(warned, ' WARN ')]
    expect(line).toMatch(/The state is not valid: question\.\w+ is missing; /)
  })
})

describe('the log line of a tool that fails', () => {
  const plan = { json: { research_steps: [], expert_steps: ['Calculate.'] } }
  const answer = { json: { expert_answer: 'I cannot tell.', reasoning_trace: '' } }

  it.each([
    ['calculate', { expression: '1 / 0' }, 'division by zero'],
    ['convert_units', { quantity: '5 m', to: 'kg' }, 'measure different things'],
  ])('names %s, where it was called and why it failed', async (name, input, reason) => {
    const lines = await linesOf({
      team: {
        planner: plan,
        expert: (seen) => (seen.lastRole === 'tool' ? answer : { toolCalls: [{ name, input }] }),
      },
    })
    const line = lines[about(lines, 'tool call failed')]
    expect(line).toContain(' ERROR ask/expert[1] tool call failed ')
    expect(line).toContain(`step=ask/expert[1]/converse[1]/react/1/tool[1]:${name}/call`)
    expect(line).toContain(`tool=${name} `)
    expect(line).toContain('code=tool_failed')
    expect(line).toContain(reason)
  })

  it('names the search, too', async () => {
    const library = new Proxy(team.library, {
      get: (target, name) =>
        name === 'search'
          ? () => Promise.reject(new Error('index gone'))
          : Reflect.get(target, name).bind(target),
    })
    const lines = await linesOf({ parts: { library } })
    const line = lines[about(lines, 'tool call failed')]
    expect(line).toContain(' ERROR ask/researcher[1] tool call failed ')
    expect(line).toContain('tool=search_library')
    expect(line).toContain('index gone')
  })
})
