import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  type ModelRequestSeen,
  type ScriptedModel,
  type ScriptedReply,
  scriptTeam,
  startScriptedModel,
  type TeamScript,
} from '../../src/testing/index.ts'
import { Editor } from '../acp/editor.ts'
import { CommandLine, jsonOf, thorough } from '../cli/command.ts'
import { SessionWorld } from '../code/session-world.ts'
import { sparsePapers } from '../papers/workflow-papers.ts'
import { type PapersScript, PapersWorld } from '../papers/workflow-world.ts'

const cli = new CommandLine(thorough)
let model: ScriptedModel
let script: (seen: ModelRequestSeen) => ScriptedReply | Promise<ScriptedReply>
beforeAll(async () => {
  model = await startScriptedModel((seen) => script(seen))
  cli.write('stone.md', '# Glimmerstone\n\nGlimmerstone melts at 412 degrees Celsius.\n')
  for (const [name, node] of Object.entries(nodes))
    cli.write(`${name}.yaml`, `name: ${name}\nnodes:\n  - name: a\n    ${node}\n    output: said\n`)
})
afterAll(async () => {
  await model.close()
  cli.remove()
})

const cut = (text: string): ScriptedReply => ({ text, finishReason: 'length' })
const finalizer: ScriptedReply = {
  json: {
    final_reasoning_trace: '',
    final_answer: 'Glimmerstone melts at 412 degrees Celsius [1].',
  },
}
/** Roles of the team that are stopped in the middle, whenever they are asked; a new case is one line. */
const roles: readonly (readonly [what: string, team: TeamScript, told: RegExp])[] = [
  [
    'the final answer',
    {
      finalizer: cut('{"final_reasoning_trace": "", "final_answer": "It melts at 412 °C [1]. And'),
    },
    /The final answer was cut off/,
  ],
  [
    'what the expert says',
    {
      expert: cut('{"reasoning_trace": "", "expert_answer": "It melts at 412 degrees [1]. And'),
      finalizer,
    },
    /The expert’s answer was cut off/,
  ],
  [
    'the plan',
    { planner: cut('{"expert_steps": ["Answer."], "research_steps": ["glimmerstone melts') },
    /The plan was cut off/,
  ],
  [
    'what was found',
    {
      researcher: ({ lastRole, lastText }) =>
        lastRole === 'tool' || lastText.includes('Answer now')
          ? cut('{"result": "Glimmerstone melts at 412 degrees Celsius [1]. And')
          : { toolCalls: [{ name: 'search_library', input: { query: 'glimmerstone' } }] },
      finalizer,
    },
    /What was found on “.*” was cut off/,
  ],
]
const unusable = cut('Let me think about it. First of all')

/** Nodes of agent files whose model is stopped in the middle; a new case is one line. */
const nodes: Readonly<Record<string, string>> = {
  call: 'uses: llm.call\n    with: {prompt: Tell it.}',
  chat: 'uses: llm.chat\n    with: {messages: [{role: user, content: Tell it.}]}',
  tools: 'uses: llm.tools\n    with: {prompt: Tell it., tools: [json.parse]}',
  cot: 'uses: reason.cot\n    with: {problem: Tell it.}',
  react: 'uses: reason.react\n    with: {goal: Tell it., tools: [json.parse]}',
  correct: 'uses: reason.self_correct\n    with: {task: Tell it., improvement_rounds: 0}',
}
/** What is JSON is asked for again; what is cut off again is used as far as it goes. */
const written: Readonly<Record<string, string>> = {
  cot: '{"thinking": "so", "answer": "half of a sent',
}

const run = (args: readonly string[]) =>
  cli.run([...args, '--model', 'openai-compatible:scripted'], {
    env: { OPENAI_BASE_URL: model.url },
  })

async function verified(runId: string) {
  const bundle = `${runId}.scholium`
  await cli.run(['export', runId, bundle])
  return cli.run(['verify', bundle])
}

describe('an answer that ends at its maximum length is told as such, and ends with 3', () => {
  it.each(roles)('in ask: %s', async (_what, team, told) => {
    script = scriptTeam(team)
    const asked = ['ask', 'At what temperature does glimmerstone melt?', '--source', 'stone.md']
    const shown = await run(asked)
    expect(shown.stdout).toMatch(told)
    expect(shown.exitCode).toBe(3)
    const outcome = await run([...asked, '--json'])
    expect(outcome.exitCode).toBe(3)
    const { status, stopReason, gaps, runId } = jsonOf(outcome)
    expect([status, stopReason]).toEqual(['partial', 'gaps'])
    expect(gaps).toContainEqual({ kind: 'cut_off', detail: expect.stringMatching(told) })
    expect((await cli.run(['replay', runId])).stdout).toContain('identical: yes')
    expect((await verified(runId)).exitCode).toBe(0)
  })

  it('in code', async () => {
    script = () => cut('The first half of it is this, and')
    const shown = await run(['code', '-p', 'Tell it.'])
    expect(shown.stdout).toBe('The first half of it is this, and\n')
    expect(shown.stderr).toContain('The answer was cut off at its maximum length.')
    expect(shown.exitCode).toBe(3)
    const outcome = await run(['code', '-p', 'Tell it.', '--json', '-q'])
    expect(outcome.exitCode).toBe(3)
    const answer = jsonOf(outcome)
    expect(answer).toMatchObject({ status: 'partial', stopReason: 'length' })
    expect(answer.notices).toEqual([expect.stringContaining('Say "continue"')])
    expect((await cli.run(['replay', answer.runId])).stdout).toContain('identical: yes')
    expect((await verified(answer.runId)).exitCode).toBe(0)
  })

  it.each(Object.keys(nodes))('in an agent file: %s', async (name) => {
    script = () => cut(written[name] ?? 'The first half of it is this, and')
    const shown = await run(['run', `${name}.yaml`])
    expect(shown.stderr).toMatch(/Incomplete: .*was cut off at its maximum length/)
    expect(shown.exitCode).toBe(3)
    const outcome = await run(['run', `${name}.yaml`, '--json', '-q'])
    expect(outcome.exitCode).toBe(3)
    const { status, stopReason, gaps, runId } = jsonOf(outcome)
    expect([status, stopReason]).toEqual(['partial', 'finished'])
    expect(gaps).toEqual([
      { kind: 'cut_off', detail: expect.stringContaining('scripted was cut off') },
    ])
    expect((await cli.run(['replay', runId])).stdout).toContain('identical: yes')
    expect((await verified(runId)).exitCode).toBe(0)
  })

  it('but not where the model says it whole when it is asked again', async () => {
    let count = 0
    script = scriptTeam({
      finalizer: () =>
        ++count === 1 ? cut('{"final_reasoning_trace": "", "final_answer": "Glimmerst') : finalizer,
    })
    const outcome = await run([
      'ask',
      'When does glimmerstone melt?',
      '--source',
      'stone.md',
      '--json',
    ])
    expect(jsonOf(outcome)).toMatchObject({ status: 'answered', gaps: [] })
    expect(count).toBe(2)
  })
})

describe('answers of which nothing can be used, since each is cut off', () => {
  it.each(['planner', 'researcher', 'expert'] as const)(
    'by the %s end the question with that as the reason',
    async (role) => {
      script = scriptTeam({ [role]: unusable })
      const asked = ['ask', 'At what temperature does glimmerstone melt?', '--source', 'stone.md']
      const { exitCode, stdout, stderr } = await run(asked)
      expect(exitCode).toBe(3)
      expect(stdout).toContain(`The last answer of the ${role} was cut off at its maximum length`)
      expect(stdout).toContain('maxOutputTokens')
      expect(stdout).not.toContain('Small models')
      if (role === 'planner') expect(stderr).toContain('its maximum length and is called again.')
    },
  )
})

describe('an answer that ends at its maximum length', () => {
  const papers = new PapersWorld(sparsePapers)
  afterAll(() => papers.close())

  it.each([
    [
      'synthesizer',
      '{"consensus": [], "contradictions": [], "gaps": [], "summary": "Sparse attention redu',
    ],
    ['analyzer', '{"key_findings": ["Sparse attention reduces memory use on long docu'],
  ])('of the %s of papers leaves them partial', async (role, text) => {
    const own: PapersScript = (seen) =>
      seen.role === role ? { text, finishReason: 'length' } : undefined
    const { result, runId } = await papers.run('Does sparse attention save memory?', {
      script: own,
    })
    expect(result.gaps).toContainEqual({
      kind: 'cut_off',
      detail: expect.stringContaining('was cut off'),
    })
    expect(result.status === 'answered').toBe(false)
    expect((await papers.replay(runId)).result).toEqual(result)
  })
})

describe('a session whose answer ends at its maximum length', () => {
  let world: SessionWorld | undefined
  let editor: Editor | undefined
  afterEach(async () => {
    await world?.close()
    await editor?.close()
    world = undefined
    editor = undefined
  })

  it('says so to a program that holds it, and continues', async () => {
    world = new SessionWorld()
    world.say([cut('half'), { text: 'and the rest' }])
    const session = await (await world.app()).code({}, { onEvent: world.hear })
    expect(await session.send('Tell it.')).toMatchObject({ outcome: 'length', answer: 'half' })
    const notices = world.heard('notice')
    expect(notices).toMatchObject([{ level: 'warning', text: expect.stringContaining('cut off') }])
    expect(await session.send('go on')).toMatchObject({ outcome: 'answer' })
    expect(JSON.stringify(world.sent(2))).toContain('half')
    expect(await session.finish()).toMatchObject({ status: 'answered' })
  })

  it('says so to an editor', async () => {
    editor = new Editor()
    await editor.start()
    editor.script = () => cut('half')
    const sessionId = await editor.open()
    expect(await editor.prompt(sessionId, 'Tell it.')).toEqual({ stopReason: 'max_tokens' })
    expect(editor.said('agent_message_chunk')).toContain('cut off at its maximum length')
  })
})
