import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ScriptedModel, scriptTeam, startScriptedModel } from '../../src/testing/index.ts'
import { CommandLine, jsonOf, linesOf, thorough } from './command.ts'

const cli = new CommandLine(thorough)
let server: ScriptedModel
/** What was asked of which model since the run. */
let asked: string[] = []
/** What was said to it last, each time. */
let told: string[] = []
let runId = ''
const question = 'What does CRISPR stand for?'
const env = () => ({ OPENAI_BASE_URL: server.url })

beforeAll(async () => {
  const team = scriptTeam()
  server = await startScriptedModel((seen) => {
    asked.push(seen.model)
    told.push(seen.lastText)
    return team(seen)
  })
  const args = ['ask', question, '--json', '--model', 'openai-compatible:first']
  const answer = jsonOf(await cli.run(args, { env: env() }))
  expect(answer.status).toBe('answered')
  runId = answer.runId
})
beforeEach(() => {
  asked = []
  told = []
})
afterEach(async () => {
  const [, ...forks] = (jsonOf(await cli.run(['runs', 'list', '--json'])) as { runId: string }[])
    .map((run) => run.runId)
    .toReversed()
  for (const fork of forks.toReversed()) await cli.run(['runs', 'remove', fork])
})
afterAll(async () => {
  cli.remove()
  await server.close()
})

describe('fork', () => {
  it('does a step and what follows anew, with the models of the run, and says where it begins', async () => {
    const { exitCode, stdout, stderr } = await cli.run(
      ['fork', runId, '--at', 'expert[1]', '--json'],
      { env: env() },
    )
    expect(exitCode).toBe(0)
    expect(stderr).toMatch(
      /continues from \S+ after ask\/orchestrator\[\d+\]: ask\/expert\[1\]\S* and everything after it is redone\./,
    )
    const answer = jsonOf({ exitCode, stdout, stderr })
    expect(answer.runId).not.toBe(runId)
    expect(answer.question).toBe(question)
    // The expert, its critic and the finalizer; the plan and the research are shared.
    expect(asked).toEqual(['first', 'first', 'first'])
    expect(answer.usage.modelCalls).toBe(3)
  })

  it('asks another question from there on', async () => {
    const other = 'Who invented CRISPR?'
    const args = ['fork', runId, '--question', other, '--json']
    const answer = jsonOf(await cli.run(args, { env: env() }))
    expect(answer.question).toBe(other)
    expect(jsonOf(await cli.run(['runs', 'list', '--json']))[0]).toMatchObject({
      title: other,
      parent: { runId },
    })
  })

  it('has a gap where what was done before its place was for another question', async () => {
    const fork = async (run: string, at: string, other: string) =>
      jsonOf(
        await cli.run(['fork', run, '--at', at, '--question', other, '--json'], { env: env() }),
      )
    const args = ['fork', runId, '--at', 'expert[1]', '--question', 'Who invented CRISPR?']
    expect((await cli.run(args, { env: env() })).stderr).toContain('for the original question')
    const { stdout } = await cli.run(['runs', 'show', 'last'])
    expect(stdout).toContain(`- The research was done for another question: ${question}\n`)
    expect(stdout).toContain('- A fork changed question.text\n')
    const gap = (what: string) => ({
      kind: 'forked_question',
      detail: `${what} for another question: ${question}`,
    })
    const first = await fork(runId, 'expert[1]', 'Who invented CRISPR?')
    expect(first.gaps).toEqual([gap('The research was done')])
    // A fork of it takes over what was made for the first question, also where it asks a third.
    expect((await fork(first.runId, 'critic[3]', 'Why CRISPR?')).gaps).toEqual(first.gaps)
    expect((await fork(first.runId, 'expert[1]', question)).gaps).toEqual([])
    expect((await fork(runId, 'researcher[1]', 'Why?')).gaps).toEqual([gap('The plan was made')])
    expect((await fork(runId, 'planner[1]', 'Why CRISPR?')).gaps).toEqual([])
    await cli.run(['export', first.runId, 'other.scholium'])
    expect((await cli.run(['verify', 'other.scholium'])).exitCode).toBe(0)
  })

  it('begins before the last node where nothing follows, and says what has no effect there', async () => {
    const events = linesOf(await cli.run(['runs', 'show', runId, '--events']))
    const end = `#${events.length}`
    const other = ['--model', 'expert=openai-compatible:second']
    const { exitCode, stderr } = await cli.run(['fork', runId, '--at', end, ...other], {
      env: env(),
    })
    expect(exitCode).toBe(0)
    expect(stderr).toMatch(/after ask\/finalizer\[1\]: ask\/verify\[1\] and everything after/)
    expect(stderr).toContain(`Nothing follows ${end}: the fork starts before the last node.`)
    expect(stderr).toContain('The expert is not called after this step: its model has no effect.')
    expect(asked).toEqual([])
    const late = await cli.run(['fork', runId, '--at', end, '--question', 'Who?'], { env: env() })
    expect(late).toMatchObject({ exitCode: 2, stdout: '' })
    expect(late.stderr).toContain('The question is not used after this step')
  })

  it('keeps the limits of its run', async () => {
    const args = ['fork', runId, '--at', 'expert[1]', '--max-steps', '9', '--json']
    const first = jsonOf(await cli.run(args, { env: env() })).runId
    await cli.run(['fork', first, '--at', 'expert[1]', '-q'], { env: env() })
    const events = linesOf(await cli.run(['runs', 'show', 'last', '--events']))
    expect(events.find(({ type }) => type === 'run.forked')?.data.limits).toEqual({ maxSteps: 9 })
    expect((await cli.run(['fork', '--help'])).stdout).toMatch(/keeps the run's models and limits/)
  })

  it('changes the state, which is shown', async () => {
    const set = 'plan.expertSteps=["say it in one word"]'
    const args = ['fork', runId, '--at', 'expert[1]', '--set', set, '--json']
    const answer = jsonOf(await cli.run(args, { env: env() }))
    expect(answer.plan.expertSteps).toEqual(['say it in one word'])
    const shown = await cli.run(['runs', 'show', runId, '--state', '--at', 'expert[1]', '--json'])
    expect(jsonOf(shown).state).toMatchObject({
      question: { text: question },
      research: { index: 1 },
    })
    expect(jsonOf(shown).state.plan.expertSteps).not.toEqual(['say it in one word'])
  })

  it('tells the agent at its place what was changed, not what its run was told', async () => {
    const other = 'How does CRISPR cut?'
    const steps = ['--at', 'researcher[1]', '--set', `plan.researchSteps=["${other}"]`]
    const { stderr } = await cli.run(['fork', runId, ...steps], { env: env() })
    expect(stderr).toContain(`Researching 1 of 1: ${other}`)
    expect(stderr).not.toContain(`Researching 1 of 1: ${question}`)
    expect((await cli.run(['runs', 'show', 'last'])).stdout).toContain(
      '- A fork changed plan.researchSteps\n',
    )
    expect(told[0]).toBe(`Research this: ${other}`)
    told = []
    const asking = ['--at', 'planner[1]', '--question', other]
    await cli.run(['fork', runId, ...asking, '-q'], { env: env() })
    expect(told[0]).toContain(`this question: ${other}`)
    expect(told.filter((text) => text.includes(question))).toEqual([])
  })

  it.each([
    [['--set', 'control.retryLimit=5'], /control\.retryLimit already has this value/],
    [['--question', question], /question\.text already has this value/],
    [['--set', 'plan.researchSteps=["a"]'], /plan\.researchSteps is overwritten by the planner/],
    [['--set', 'control.atAgent=expert'], /control\.atAgent is overwritten by reading the sources/],
    [['--at', 'critic[1]', '--set', 'research.index=1'], /by the start of research/],
    [['--at', 'expert[1]', '--set', 'answer.draft=x'], /overwritten by the expert/],
    [
      ['--at', 'expert[1]', '--set', 'question.files=["a.md"]'],
      /question\.files is not used after this step/,
    ],
    [
      ['--at', 'finalizer[1]', '--set', 'control.retryLimit=2'],
      /control\.retryLimit is not used after/,
    ],
  ])('says of %j that it changes nothing', async (args, message) => {
    const { exitCode, stderr } = await cli.run(['fork', runId, ...args], { env: env() })
    expect(exitCode).toBe(0)
    expect(stderr).toMatch(message)
  })

  it.each([
    ['--at', 'expert[1]', '--set', 'plan.expertSteps=["a"]'],
    ['--at', 'researcher[1]', '--set', 'plan.researchSteps=["a"]'],
    ['--at', 'finalizer[1]', '--set', 'answer.draft=x'],
    ['--set', 'control.retryLimits.planner=2'],
  ])('says nothing of changes that have an effect: %j', async (...args) => {
    const { stderr } = await cli.run(['fork', runId, ...args], { env: env() })
    expect(stderr).not.toMatch(/Note: (?!Your library)/)
  })

  it.each([
    [['--at', 'nowhere[1]'], /no step "nowhere\[1\]".*\n.*planner\[1\]/],
    [['--set', 'colour=1'], /no field "colour".*\nIts fields: question/],
    [
      ['--set', 'researchStep=[]'],
      /no field "researchStep".*\nDid you mean "plan\.researchSteps"\?/,
    ],
    [
      ['--set', 'control.rejections.plannr=1'],
      /has no "plannr".*\nDid you mean "control.rejections.planner"\?/,
    ],
    [
      ['--set', 'control.retryLimits.expart=1'],
      /has no "expart".*\nDid you mean "control.retryLimits.expert"\?/,
    ],
    [['--set', 'question.text=null'], /"question\.text" cannot be null/],
    [['--set', 'question.text= '], /The question is empty/],
    [
      ['--at', 'expert[1]', '--set', 'plan.researchSteps[0]=5'],
      /"plan\.researchSteps\[0\]" must be a string/,
    ],
    [['--set', 'control.retryLimit'], /Invalid value for --set: "control\.retryLimit"/],
    [
      ['--set', 'control.retryLimit=many'],
      /"control\.retryLimit" must be a whole number of at least 0, not "many"/,
    ],
    [['--set', 'control.retryLimit=1.5'], /a whole number of at least 0, not 1\.5/],
    [['--set', 'control.retryLimits.expert=-1'], /a whole number of at least 0, not -1/],
    [
      ['--at', 'expert[1]', '--set', 'plan.expertSteps=[1]'],
      /"plan\.expertSteps" must be a list of texts/,
    ],
    [['--at', 'expert[1]', '--set', 'control.atAgent=nowhere'], /must be one of input, planner/],
    [['--at', 'researcher[1]', '--set', 'plan.researchSteps=[]'], /0 research steps, but the run/],
    [['--at', 'researcher[1]', '--set', 'research.index=7'], /would be at step 8/],
    [
      ['--set', 'question.claims=foo'],
      /"question\.claims" must be one of mark, strict, off, not "foo"/,
    ],
    [
      ['--at', 'expert[1]', '--set', 'plan.decision=maybe'],
      /one of "", approve, reject, not "maybe"/,
    ],
    [['--set', 'control.retryLimits={"expart":1}'], /Did you mean "control.retryLimits.expert"\?/],
    [['--set', 'question.web=true'], /with the web, which is not granted now/],
    [['--set', 'question.text=a', '--question', 'b'], /The question was given twice/],
    [['--at', 'model'], /"model" matches \d+ steps: ask\/planner\[1\]\/model, /],
    [['--at', 'ask'], /no step "ask".*\nThat is the whole run/],
    [['--at', '5'], /Invalid value for --at: "5".*\n.*--at '#5'/],
    [['--at', ''], /Invalid value for --at: ""/],
  ])('refuses %j and leaves no run behind', async (args, message) => {
    const { exitCode, stderr } = await cli.run(['fork', runId, ...args], { env: env() })
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(message)
    expect(jsonOf(await cli.run(['runs', 'list', '--json']))).toHaveLength(1)
  })

  it('keeps the question of the fork that it is forked from', async () => {
    const other = 'Who invented CRISPR?'
    const args = ['fork', runId, '--question', other, '--json']
    const first = jsonOf(await cli.run(args, { env: env() })).runId
    const again = ['fork', first, '--set', 'control.retryLimit=2', '--json']
    const second = jsonOf(await cli.run(again, { env: env() }))
    expect(second.question).toBe(other)
    expect(jsonOf(await cli.run(['runs', 'list', '--json']))[0]).toMatchObject({ title: other })
    expect((await cli.run(['replay', second.runId])).stdout).toMatch(/^identical: yes/)
    const { exitCode } = await cli.run(['export', second.runId, 'second.scholium'])
    expect(exitCode).toBe(0)
    expect((await cli.run(['verify', 'second.scholium'])).exitCode).toBe(0)
  })

  it('is listed below its run, replayed and removed before it', async () => {
    const fork = jsonOf(
      await cli.run(['fork', runId, '--at', 'expert[1]', '--json'], { env: env() }),
    ).runId
    const deeper = jsonOf(
      await cli.run(['fork', fork, '--at', 'finalizer[1]', '--json'], { env: env() }),
    ).runId
    const { stdout } = await cli.run(['runs', 'list'])
    const ids = stdout.split('\n').map((line) => line.match(/^ *(?:└ )?\S+/)?.[0])
    expect(ids.slice(1, 4)).toEqual([runId, `└ ${fork}`, `  └ ${deeper}`])
    expect((await cli.run(['replay', deeper])).stdout).toMatch(/^identical: yes/)
    expect((await cli.run(['runs', 'show', deeper])).stdout).toContain(`Fork of   ${fork}`)
    const kept = await cli.run(['runs', 'remove', runId])
    expect(kept.exitCode).not.toBe(0)
    expect(kept.stderr).toContain(fork)
  })
})

describe('resume with another model', () => {
  it('points to a fork from where the run stopped', async () => {
    const down = ['--model', 'expert=openai-compatible:down']
    const failed = jsonOf(
      await cli.run(['fork', runId, '--at', 'expert[1]', ...down, '--json'], {
        env: { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' },
      }),
    )
    expect(failed.status).toBe('failed')
    const args = ['resume', failed.runId, '--model', 'expert=openai-compatible:second']
    const { exitCode, stderr } = await cli.run(args, { env: env() })
    expect(exitCode).toBe(2)
    expect(stderr).not.toContain('{')
    const command = `scholium fork ${failed.runId} --at 'expert[1]' --model expert=openai-compatible:second`
    expect(stderr).toContain(command)
    const words = command.replaceAll("'", '').split(' ').slice(1)
    expect((await cli.run(words, { env: env() })).exitCode).toBe(0)
  })
})

describe('replay with another model', () => {
  it('takes everything before the first call of that role from the record', async () => {
    const args = ['replay', runId, '--model', 'expert=openai-compatible:second', '--json']
    const answer = jsonOf(await cli.run(args, { env: env() }))
    expect(asked).toEqual(['second', 'first', 'first'])
    expect(answer.models).toMatchObject({
      planner: 'openai-compatible:first',
      expert: 'openai-compatible:second',
    })
  })

  it.each(['trace-file', 'max-steps', 'max-seconds'])(
    'wants no --%s, as long as it drives nothing',
    async (name) => {
      const { exitCode, stderr } = await cli.run(['replay', runId, `--${name}`, '1'])
      expect(exitCode).toBe(2)
      expect(stderr).toContain(`--${name} has no effect`)
    },
  )

  it('says so when the models are those of the record', async () => {
    const args = ['replay', runId, '--model', 'openai-compatible:first']
    const { exitCode, stderr } = await cli.run(args, { env: env() })
    expect(exitCode).toBe(2)
    expect(stderr).toContain('The run was recorded with these models.')
    expect(asked).toEqual([])
  })

  it('streams the events of the fork alone', async () => {
    const args = ['fork', runId, '--at', 'expert[1]', '--output-format', 'stream-json']
    const lines = linesOf(await cli.run(args, { env: env() }))
    const types = lines.map(({ type }) => type)
    expect(types).toContain('run.forked')
    expect(types).not.toContain('run.started')
  })
})
