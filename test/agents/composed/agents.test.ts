import { describe, expect, it } from 'vitest'
import { oneNode, useComposedWorld } from './composed-world.ts'

const world = useComposedWorld()

const team = `settings:
  agents:
    ann: {system_prompt: You are Ann., temperature: 0.1}
    bob: {system_prompt: You are Bob., model: "openai-compatible:bob"}
    cy: {system_prompt: You are Cy.}
    reader: {system_prompt: You read., tools: [page.read]}`

/** Each agent says what stands here under its name. */
function by(answers: Readonly<Record<string, string>>) {
  return ({ system }: { readonly system: string }) => {
    const name = Object.keys(answers).find((one) => system.includes(one)) ?? ''
    return { text: answers[name] ?? 'nothing' }
  }
}

describe('agent.dispatch', () => {
  it('gives a task to an agent as the file describes it', async () => {
    world().says({ text: 'Done.' })
    const { r } = await world().state('agent.dispatch', { agent: 'bob', task: 'Work.' }, team)
    expect(r).toMatchObject({
      response: 'Done.',
      content: 'Done.',
      agent: 'bob',
      success: true,
      attempts: 1,
      model: 'openai-compatible:bob',
      usage: { total_tokens: expect.any(Number) },
    })
    expect(world().requests[0]).toMatchObject({
      model: 'bob',
      system: 'You are Bob.',
      lastText: 'Work.',
    })
  })

  it('says of an agent that is not there whom it may have meant', async () => {
    const { r } = await world().state('agent.dispatch', { agent: 'anne', task: 't' }, team)
    expect(r).toMatchObject({
      success: false,
      agent: 'anne',
      error: expect.stringContaining('"ann"'),
    })
    expect(world().requests).toEqual([])
  })

  it('tries again as often as it may, and then gives the failure as data', async () => {
    world().answers(() => ({ status: 503 }))
    const { r } = await world().state(
      'agent.dispatch',
      { agent: 'ann', task: 't', max_retries: 1 },
      team,
    )
    expect(r).toMatchObject({ success: false, attempts: 2, agent: 'ann' })
    const patient = 'settings: {agents: {eve: {timeout: 5, retry: {max_attempts: 3, backoff: 1}}}}'
    const { r: tried } = await world().state('agent.dispatch', { agent: 'eve', task: 't' }, patient)
    expect(tried).toMatchObject({ success: false, attempts: 3 })
    const retry = { max_attempts: 1 }
    const once = await world().state('agent.dispatch', { agent: 'eve', task: 't', retry }, patient)
    expect(once.r).toMatchObject({ success: false, attempts: 1 })
  })

  it('lets an agent use its tools, and knows what that brought', async () => {
    world().says(
      { toolCalls: [{ name: 'page_read', input: { text: 'owls' } }] },
      { text: 'Owls fly.' },
      { toolCalls: [{ name: 'note_write', input: { text: 'x' } }] },
      { text: 'No.' },
    )
    const { result } = await world().run(`name: test
settings: {agents: {reader: {tools: [page.read]}, writer: {tools: [note.write]}}}
nodes:
  - {name: a, uses: agent.dispatch, with: {agent: reader, task: t}, output: a}
  - {name: b, uses: agent.dispatch, with: {agent: writer, task: t}, output: b}`)
    expect(result.state).toMatchObject({ a: { response: 'Owls fly.' }, b: { response: 'No.' } })
    expect(world().called).toEqual(['page.read owls'])
  })

  it('works within the limits of the run', async () => {
    const { result } = await world().run(
      oneNode(
        'agent.parallel',
        { agents: ['ann', 'bob', 'cy'], task: 't', max_concurrent: 1 },
        team,
      ),
      {},
      { changes: { limits: { maxSteps: 2 } } },
    )
    expect(result).toMatchObject({ status: 'partial', stopReason: 'limit' })
    expect(world().requests).toHaveLength(2)
  })
})

describe('agent.parallel', () => {
  const agents = ['ann', 'nobody', 'bob', 'cy']
  const asked = (more: object) =>
    world().state('agent.parallel', { agents, task: 't', ...more }, team)

  it('collects answers in the order of the agents, without those that there are not', async () => {
    world().answers(by({ Ann: 'a', Bob: 'b', Cy: 'c' }))
    expect((await asked({})).r).toMatchObject({
      responses: ['a', 'b', 'c'],
      count: 3,
      success: true,
      agents_called: ['ann', 'bob', 'cy'],
    })
  })

  it('counts votes', async () => {
    world().answers(by({ Ann: 'Yes', Bob: 'no', Cy: 'yes.' }))
    expect((await asked({ aggregation: 'vote' })).r).toMatchObject({
      result: 'Yes',
      votes: { Yes: 2, no: 1 },
      unanimous: false,
    })
  })

  it('takes the first that succeeded', async () => {
    world().answers((seen) =>
      seen.system.includes('Ann') ? { status: 400 } : by({ Bob: 'b' })(seen),
    )
    expect((await asked({ aggregation: 'first' })).r).toMatchObject({ result: 'b', agent: 'bob' })
  })

  it('asks again until enough agree, and shows what was said', async () => {
    world().answers((seen) =>
      seen.lastText.includes('<answer>')
        ? { text: 'same' }
        : by({ Ann: 'a', Bob: 'b', Cy: 'c' })(seen),
    )
    expect((await asked({ aggregation: 'consensus' })).r).toMatchObject({
      result: 'same',
      agreement: 1,
      consensus_reached: true,
      rounds: 2,
    })
  })

  it('says that there is no consensus after its rounds', async () => {
    world().answers(by({ Ann: 'a', Bob: 'b', Cy: 'c' }))
    const { r } = await asked({ aggregation: 'consensus', consensus_max_rounds: 2 })
    expect(r).toMatchObject({ result: null, consensus_reached: false, rounds: 2 })
    expect(world().requests).toHaveLength(6)
  })

  it('says that no agent is known', async () => {
    const { r } = await world().state('agent.parallel', { agents: ['x'], task: 't' }, team)
    expect(r).toMatchObject({
      error: 'No valid agents found',
      agents_requested: ['x'],
      success: false,
    })
  })
})

describe('agent.sequential', () => {
  it('hands each answer to the next', async () => {
    world().says({ text: 'one' }, { text: 'two' })
    const { r } = await world().state(
      'agent.sequential',
      {
        agents: ['ann', 'bob'],
        tasks: ['Begin.', 'Go on from {{ previous_response }}.'],
        transform: '<<{{ current_response }}>>',
        output_key: 'whole',
      },
      team,
    )
    expect(r).toMatchObject({
      result: '<<two>>',
      whole: '<<two>>',
      chain: [
        { agent: 'ann', response: 'one' },
        { agent: 'bob', response: 'two' },
      ],
      stage_0: 'one',
      success: true,
    })
    expect(world().requests[1]?.lastText).toBe('Go on from <<one>>.')
  })

  it('gives an initial task to the first alone', async () => {
    world().says({ text: 'one' }, { text: 'two' })
    const given = { agents: ['ann', 'bob'], initial_task: 'Begin.', thread_state: true }
    expect((await world().state('agent.sequential', given, team)).r).toMatchObject({
      stage_0: 'one',
      stage_1: 'two',
    })
    expect(world().requests.map(({ lastText }) => lastText)).toEqual(['Begin.', 'one'])
  })

  it('reads nothing of an answer as a template', async () => {
    world().says({ text: '{{ 7 * 7 }}' }, { text: 'two' })
    await world().state('agent.sequential', { agents: ['ann', 'bob'], task: 'Do it.' }, team)
    expect(world().requests[1]?.lastText).toContain('{{ 7 * 7 }}')
  })

  it('ends where an agent fails, or continues', async () => {
    world().answers((seen) => (seen.system.includes('Ann') ? { status: 400 } : { text: 'b' }))
    const given = { agents: ['ann', 'bob'], task: 't' }
    expect((await world().state('agent.sequential', given, team)).r).toMatchObject({
      success: false,
      failed_at: 0,
    })
    const patient = { ...given, early_exit_on_failure: false }
    expect((await world().state('agent.sequential', patient, team)).r).toMatchObject({
      result: 'b',
    })
  })

  it('wants a task for each agent', async () => {
    const { r } = await world().state(
      'agent.sequential',
      { agents: ['ann', 'bob'], tasks: ['t'] },
      team,
    )
    expect(r).toMatchObject({ success: false, error: 'There are 1 tasks for 2 agents.', chain: [] })
  })
})

describe('agent.coordinate', () => {
  const given = { leader: 'ann', workers: ['bob', 'cy'], task: 'Build.' }

  it('splits, works and joins', async () => {
    world().answers(({ system, lastText }) => {
      if (!system.includes('Ann')) return { text: `did ${lastText}` }
      return lastText.startsWith('Split') ? { json: ['part 1', 'part 2'] } : { text: 'whole' }
    })
    const { r } = await world().state('agent.coordinate', given, team)
    expect(r).toMatchObject({
      result: 'whole',
      rounds: 1,
      worker_results: [
        { round: 1, worker: 'bob', subtask: 'part 1', response: 'did part 1', success: true },
        { round: 1, worker: 'cy', subtask: 'part 2', response: 'did part 2', success: true },
      ],
      success: true,
    })
  })

  it('works again with what the leader found wrong, as often as it may', async () => {
    world().answers(({ system, lastText }) => {
      if (!system.includes('Ann')) return { text: 'did' }
      if (lastText.startsWith('Split')) return { json: ['a', 'b'] }
      return { json: { approved: false, result: 'half', feedback: 'more salt' } }
    })
    const { r } = await world().state(
      'agent.coordinate',
      { ...given, validation_prompt: 'Is it salty?', max_rounds: 2 },
      team,
    )
    expect(r).toMatchObject({ result: 'half', rounds: 2, validated: false, success: true })
    const splits = world().requests.filter(({ lastText }) => lastText.startsWith('Split'))
    expect(splits[1]?.lastText).toContain('more salt')
  })

  it('says that there is no such leader', async () => {
    const { r } = await world().state('agent.coordinate', { ...given, leader: 'zoe' }, team)
    expect(r).toMatchObject({ success: false })
  })
})
