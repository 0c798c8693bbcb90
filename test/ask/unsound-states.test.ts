import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { orchestrate } from '../../src/ask/orchestrate.ts'
import { selectConversation } from '../../src/ask/roles.ts'
import { type AskState, channels, findInvalidFields } from '../../src/ask/state.ts'
import { initialState, type Patch } from '../../src/graph/graph.ts'
import {
  type JsonObject,
  type Message,
  messageText,
  type RunContext,
} from '../../src/kernel/index.ts'
import { useRuns } from '../kernel/runs.ts'
import { TestTeam } from './team.ts'

const current = useRuns()
const team = new TestTeam()
let runId = ''
beforeAll(async () => {
  await team.open()
  runId = (await team.ask(question)).runId
})
afterAll(() => team.close())

const question = 'At what temperature does glimmerstone melt?'
const stateWith = (changes: Patch<AskState>) =>
  initialState<AskState>(channels, { question: { text: question }, ...changes })

/** What the orchestrator makes of a state, and what it notes. */
async function orchestrated(state: AskState) {
  const patch = (await current().start(
    async (context: RunContext) => (await orchestrate(state, context)) as JsonObject,
  )) as unknown as AskState
  const notices = (await current().events()).filter((event) => event.type === 'notice')
  return { patch, notices: notices.map(({ data }) => `${data.level}: ${data.text}`) }
}

describe('a step that the orchestrator does not know', () => {
  it('ends the work as a failure of the orchestrator, and the log says so', async () => {
    const { patch, notices } = await orchestrated(stateWith({ control: { atAgent: 'poet' } }))
    const reason = 'The orchestrator does not know the agent "poet".'
    expect(patch).toMatchObject({
      control: {
        error: { code: 'internal', message: reason, retryable: false },
        errorComponent: 'orchestrator',
        atAgent: 'finalizer',
      },
      answer: {
        text: `orchestrator failed: ${reason}`,
        reasoning: `orchestrator failed: ${reason}`,
      },
    })
    expect(patch.control.messages.map(({ meta }) => meta?.receiver)).toEqual(['finalizer'])
    expect(notices).toEqual([`error: orchestrator: ${reason}`])
  })

  it('ends a run as failed, its other nodes undone', async () => {
    const asked = await team.fork(runId, 'orchestrator[4]', [
      { path: 'control.atAgent', value: 'poet' },
    ])
    expect(asked.result).toMatchObject({
      status: 'failed',
      stopReason: 'error',
      answer: 'orchestrator failed: The orchestrator does not know the agent "poet".',
    })
    expect(asked.requests).toEqual([])
    expect(asked.visits.slice(-3)).toEqual(['orchestrator', 'finalizer', 'verify'])
  })
})

describe('a state that is not sound', () => {
  it.each([
    'input',
    'planner',
    'critic_planner',
    'researcher',
    'critic_researcher',
    'expert',
    'critic_expert',
  ])('is noticed after the %s, as a warning that names the field', async (atAgent) => {
    const { plan, control, ...state } = stateWith({
      control: { atAgent },
      research: { index: 0 },
    })
    const { retryLimit: _retryLimit, ...others } = control
    const unsound = { ...state, plan: { ...plan, expertSteps: 'think' }, control: others }
    const { notices } = await orchestrated(unsound as never)
    expect(notices).toEqual([
      'warning: The state is not valid: plan.expertSteps is string; control.retryLimit is missing.',
    ])
  })

  it('cannot be made by a fork: a field keeps its kind, and there are no others', async () => {
    const fork = (path: string, value: string) => team.fork(runId, 'expert[1]', [{ path, value }])
    await expect(fork('plan.researchSteps', 'x')).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(fork('poems', 'x')).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(fork('plan.poems', 'x')).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(fork('plan', 'x')).rejects.toMatchObject({ code: 'invalid_input' })
  })

  it('that a fork makes inside of a field is a failure of the role that needs it', async () => {
    const value = { poem: 'x' }
    const asked = await team.fork(runId, 'expert[1]', [{ path: 'answer.conversation', value }])
    expect(asked.state).toMatchObject({
      control: { errorComponent: 'expert', error: { code: 'internal' } },
    })
    expect(asked.result).toMatchObject({ status: 'failed', stopReason: 'error' })
    expect((await team.store.get(asked.runId)).status).toBe('failed')
  })
})

describe('what is no message of the team', () => {
  const sound = {
    id: '1',
    role: 'assistant',
    parts: [{ type: 'text', text: 'plan complete' }],
    meta: { sender: 'planner', receiver: 'orchestrator', kind: 'response', stepId: null },
    createdAt: 0,
  } as const

  it.each<[string, unknown]>([
    ['a text', 'plan complete'],
    ['null', null],
    ['a message without parts', { ...sound, parts: undefined }],
    ['one without an envelope', { ...sound, meta: undefined }],
    ['one without a sender', { ...sound, meta: { ...sound.meta, sender: undefined } }],
    ['one of another kind', { ...sound, meta: { ...sound.meta, kind: 'poem' } }],
    ['one whose step is no number', { ...sound, meta: { ...sound.meta, stepId: '1' } }],
  ])('%s: it is named as unsound', (_what, message) => {
    const state = stateWith({ control: { messages: [sound, message as Message] } })
    expect(findInvalidFields(state)).toEqual(['control.messages[1] is not a message of the team'])
  })

  it.each<[string, unknown]>([
    ['without parts', { ...sound, parts: undefined }],
    ['of another kind', { ...sound, meta: { ...sound.meta, kind: 'poem' } }],
    ['whose step is no number', { ...sound, meta: { ...sound.meta, stepId: '1' } }],
  ])('a message %s is told to nobody', (_what, message) => {
    const told = selectConversation([message as never, sound], 'planner')
    expect(told.map(messageText)).toEqual(['plan complete'])
  })

  it('does not keep a run from its answer', async () => {
    const asked = await team.fork(runId, 'expert[1]', [
      { path: 'control.messages[2]', value: { text: 'plan complete' } },
    ])
    expect(asked.result.status).toBe('answered')
    const warnings = asked.events
      .filter((event) => event.type === 'notice')
      .filter(({ data }) => data.level === 'warning')
    expect(warnings[0]?.data.text).toContain('control.messages[2] is not a message of the team')
  })
})
