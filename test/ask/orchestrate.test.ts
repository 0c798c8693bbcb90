import { describe, expect, it } from 'vitest'
import { orchestrate, routeFromOrchestrator } from '../../src/ask/orchestrate.ts'
import {
  type AskPatch,
  type AskState,
  channels,
  mergePatches,
  withFields,
} from '../../src/ask/state.ts'
import { initialState } from '../../src/graph/graph.ts'
import type { JsonObject, RunContext, RunEvent } from '../../src/kernel/index.ts'
import { messageText } from '../../src/kernel/index.ts'
import { useRuns } from '../kernel/runs.ts'

const current = useRuns()

const plan: AskPatch = {
  plan: { researchSteps: ['first', 'second'], expertSteps: ['think'] },
}

function stateWith(...changes: readonly AskPatch[]): AskState {
  const question = { question: { text: 'What is it?' } }
  return initialState<AskState>(channels, mergePatches(question, ...changes))
}

/** What the orchestrator makes of a state. */
async function orchestrated(...changes: readonly AskPatch[]): Promise<AskState> {
  const state = stateWith(...changes)
  const patch = await current().start(
    async (context: RunContext) => (await orchestrate(state, context)) as JsonObject,
  )
  return withFields(state, patch as AskPatch)
}

/** The message that it sent. */
function sent({ control: { messages } }: AskState) {
  expect(messages).toHaveLength(1)
  const [message] = messages
  return { ...message?.meta, text: message === undefined ? '' : messageText(message) }
}

const review = { decision: 'reject', feedback: 'Be exact.' } as const

describe('the next step', () => {
  it.each([
    ['', 'planner'],
    ['input', 'planner'],
    ['planner', 'critic_planner'],
    ['researcher', 'critic_researcher'],
    ['expert', 'critic_expert'],
  ])('after "%s" is %s', async (atAgent, nextAgent) => {
    const next = await orchestrated(plan, { control: { atAgent }, research: { index: 0 } })
    expect(next).toMatchObject({ control: { atAgent: nextAgent, rejectionCount: 0 } })
  })

  it('after an approved plan is the researcher, who begins anew', async () => {
    const next = await orchestrated(plan, {
      control: { atAgent: 'critic_planner' },
      plan: { decision: 'approve' },
      research: {
        results: [{ request: 'old', result: 'old' }],
        researchers: { 0: { stepIndex: 0, conversation: [], failedSearch: '' } },
      },
    })
    expect(next).toMatchObject({
      control: { atAgent: 'researcher' },
      research: { index: 0, results: [] },
    })
    expect(next.research.researchers).toEqual({})
  })

  it('after an approved plan without research is the expert', async () => {
    const next = await orchestrated(plan, {
      plan: { researchSteps: [], decision: 'approve' },
      control: { atAgent: 'critic_planner' },
    })
    expect(next).toMatchObject({
      control: { atAgent: 'expert' },
      research: { index: -1, results: [], researchers: {} },
    })
  })

  it.each([
    [0, 'researcher', 1],
    [1, 'expert', 2],
  ])('after approved research %i is the %s', async (index, nextAgent, nextIndex) => {
    const next = await orchestrated(plan, {
      control: { atAgent: 'critic_researcher' },
      research: { index, decision: 'approve' },
    })
    expect(next).toMatchObject({
      control: { atAgent: nextAgent, rejectionCount: 0 },
      research: { index: nextIndex },
    })
    // The next result is another one, of which its critic has not spoken yet.
    expect(next.research.decision).toBe('')
  })

  it('after an approved answer is the finalizer', async () => {
    const next = await orchestrated(plan, {
      control: { atAgent: 'critic_expert' },
      research: { index: 2 },
      answer: { decision: 'approve' },
    })
    expect(next).toMatchObject({
      control: { atAgent: 'finalizer' },
      answer: { text: '' },
      research: { index: 2 },
    })
  })

  it.each([
    ['planner', { plan: review }],
    ['researcher', { research: review }],
    ['expert', { answer: review }],
  ] as const)('after rejected work is the same %s, told why', async (worker, critique) => {
    const atAgent = `critic_${worker}`
    const next = await orchestrated(plan, critique, {
      control: { atAgent },
      research: { index: 1 },
    })
    expect(next).toMatchObject({
      control: {
        atAgent: worker,
        rejectionCount: 1,
        rejections: { planner: 0, researcher: 0, expert: 0, [worker]: 1 },
      },
      research: { index: 1 },
    })
    expect(sent(next)).toMatchObject({
      receiver: worker,
      text: expect.stringMatching(/Your critic rejected the last attempt: Be exact\.$/),
    })
  })

  it('after an answer without form is the same role, one retry later', async () => {
    const next = await orchestrated(plan, {
      control: { atAgent: 'expert', malformed: 'expert', rejectionCount: 2 },
    })
    expect(next).toMatchObject({ control: { atAgent: 'expert', malformed: '', rejectionCount: 3 } })
  })
})

describe('the retry limit', () => {
  const rejected: AskPatch = {
    ...plan,
    answer: { decision: 'reject' },
    control: { atAgent: 'critic_expert' },
  }
  const given = 'The question could not be answered.'

  it.each([
    [4, 5, 5],
    [0, 1, 1],
    [0, 0, 1],
    [7, 5, 8],
    [1_000_000, 5, 1_000_001],
  ])(
    '%i rejections before this one, limit %i: over',
    async (rejectionCount, retryLimit, counted) => {
      const next = await orchestrated(rejected, { control: { rejectionCount, retryLimit } })
      expect(next).toMatchObject({
        control: { atAgent: 'finalizer', rejectionCount: counted },
        answer: { text: given, reasoning: given },
      })
    },
  )

  it.each([
    [3, 5],
    [0, 2],
    [-3, 5],
    [5, 1_000_000],
  ])('%i rejections before this one, limit %i: tried again', async (rejectionCount, retryLimit) => {
    const next = await orchestrated(rejected, { control: { rejectionCount, retryLimit } })
    expect(next).toMatchObject({
      control: { atAgent: 'expert', rejectionCount: rejectionCount + 1 },
      answer: { text: '' },
    })
  })

  it('of a role ends the work when that role reaches it, whatever the others had', async () => {
    const rejections = { planner: 3, researcher: 0, expert: 1 }
    const over = await orchestrated(rejected, {
      control: { rejectionCount: 4, retryLimit: 50, rejections, retryLimits: { expert: 2 } },
    })
    expect(over).toMatchObject({ control: { atAgent: 'finalizer' }, answer: { text: given } })
    expect(over.control.rejections).toEqual({ planner: 3, researcher: 0, expert: 2 })
  })

  it('of another role does not', async () => {
    const next = await orchestrated(rejected, {
      control: { retryLimits: { planner: 0, researcher: 0 } },
    })
    expect(next.control.atAgent).toBe('expert')
  })

  it('is not tripped by an approval, however many rejections there were', async () => {
    const next = await orchestrated(rejected, {
      answer: { decision: 'approve' },
      control: { rejectionCount: 5, retryLimit: 5 },
    })
    expect(next).toMatchObject({
      control: { atAgent: 'finalizer', rejectionCount: 5 },
      answer: { text: '' },
    })
  })
})

describe('the message to the next agent', () => {
  it('goes from the orchestrator to that agent', async () => {
    expect(sent(await orchestrated({}))).toEqual({
      sender: 'orchestrator',
      receiver: 'planner',
      kind: 'instruction',
      stepId: null,
      text: 'Plan how to answer this question: What is it?',
    })
  })

  it.each([
    [0, 'first'],
    [1, 'second'],
  ])('for research step %i names its request and its index', async (index, request) => {
    const step = index === 0 ? 'critic_planner' : 'critic_researcher'
    const next = await orchestrated(plan, {
      control: { atAgent: step },
      research: { index: index - 1, decision: 'approve' },
      plan: { decision: 'approve' },
    })
    expect(sent(next)).toMatchObject({
      receiver: 'researcher',
      stepId: index,
      text: `Research this: ${request}`,
    })
  })

  it.each([
    [
      'planner',
      null,
      'Judge this plan:\n{"research_steps":["first","second"],"expert_steps":["think"]}',
    ],
    ['researcher', 0, 'Judge this research result:\n"It is so [1]."'],
    [
      'expert',
      null,
      'Judge this answer:\n{"expert_answer":"So [1].","reasoning_trace":"Because."}',
    ],
  ])('shows the critic the work of the %s', async (worker, stepId, text) => {
    const next = await orchestrated(plan, {
      control: { atAgent: worker },
      research: { index: 0, results: [{ request: 'first', result: 'It is so [1].' }] },
      answer: { draft: 'So [1].', draftReasoning: 'Because.' },
    })
    expect(sent(next)).toMatchObject({ receiver: `critic_${worker}`, stepId, text })
  })

  it('tells the expert that research is complete, where there was any', async () => {
    const approved: AskPatch = {
      research: { decision: 'approve', index: 1 },
      control: { atAgent: 'critic_researcher' },
    }
    expect(sent(await orchestrated(plan, approved)).text).toBe(
      'All research steps are completed. Answer this question: What is it?',
    )
  })
})

describe('a failure', () => {
  const error = { code: 'model_unavailable', message: 'no answer', retryable: true } as const

  it('leads to the finalizer, and the answer says what failed', async () => {
    const next = await orchestrated(plan, {
      control: { atAgent: 'expert', error, errorComponent: 'expert' },
    })
    expect(next).toMatchObject({
      control: { atAgent: 'finalizer', rejectionCount: 0 },
      answer: { text: 'expert failed: no answer', reasoning: 'expert failed: no answer' },
    })
  })

  it.each<[string, AskPatch]>([
    ['a failure', { control: { error, errorComponent: 'critic_expert' } }],
    [
      'a limit',
      { control: { limit: { code: 'limit_reached', message: 'enough', retryable: false } } },
    ],
  ])('leads there before anything else: %s', async (_what, ended) => {
    const rejected: AskPatch = {
      answer: { decision: 'reject' },
      control: { atAgent: 'critic_expert', malformed: 'expert' },
    }
    const next = await orchestrated(plan, rejected, ended)
    expect(next).toMatchObject({ control: { atAgent: 'finalizer', rejectionCount: 0 } })
  })
})

describe('a state that is not sound', () => {
  it('is said to be so in the log, and the work goes on', async () => {
    const { plan: steps, control, ...others } = stateWith(plan)
    const state = {
      ...others,
      plan: { ...steps, researchSteps: 'none' },
      control: { ...control, rejectionCount: undefined },
    } as never
    const body = async (context: RunContext) => (await orchestrate(state, context)) as JsonObject
    expect(await current().start(body)).toMatchObject({ control: { atAgent: 'planner' } })
    const notice = (await current().events()).find(({ type }: RunEvent) => type === 'notice')
    expect(notice?.data).toMatchObject({
      level: 'warning',
      text: 'The state is not valid: plan.researchSteps is string; control.rejectionCount is missing.',
    })
  })

  it('is not said of a sound one', async () => {
    await orchestrated(plan)
    expect((await current().log()).filter((line) => line.startsWith('notice'))).toEqual([])
  })
})

describe('the way from the orchestrator', () => {
  it.each([
    ['planner', 'planner'],
    ['researcher', 'researcher'],
    ['expert', 'expert'],
    ['critic_planner', 'critic'],
    ['critic_researcher', 'critic'],
    ['critic_expert', 'critic'],
    ['finalizer', 'finalizer'],
  ])('to %s is the node %s', (atAgent, node) => {
    expect(routeFromOrchestrator(stateWith({ control: { atAgent } }))).toBe(node)
  })

  it.each(['', 'input', 'verify', 'poet', 'toString'])('to "%s" is none', (atAgent) => {
    expect(() => routeFromOrchestrator(stateWith({ control: { atAgent } }))).toThrow(
      expect.objectContaining({
        code: 'internal',
        message: expect.stringContaining(`"${atAgent}"`),
      }),
    )
  })
})
