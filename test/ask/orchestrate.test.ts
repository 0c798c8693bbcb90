import { describe, expect, it } from 'vitest'
import { orchestrate, routeFromOrchestrator } from '../../src/ask/orchestrate.ts'
import { type AskState, channels } from '../../src/ask/state.ts'
import { initialState, type Patch } from '../../src/graph/graph.ts'
import type { JsonObject, RunContext, RunEvent } from '../../src/kernel/index.ts'
import { messageText } from '../../src/kernel/index.ts'
import { useRuns } from '../kernel/runs.ts'

const current = useRuns()

const plan = { researchSteps: ['first', 'second'], expertSteps: ['think'] }

function stateWith(changes: Patch<AskState>): AskState {
  return initialState<AskState>(channels, { question: 'What is it?', ...changes })
}

/** What the orchestrator makes of a state. */
async function orchestrated(changes: Patch<AskState>): Promise<AskState> {
  const state = stateWith(changes)
  const patch = await current().start(
    async (context: RunContext) => (await orchestrate(state, context)) as JsonObject,
  )
  return { ...state, ...(patch as Patch<AskState>) } as AskState
}

/** The message that it sent. */
function sent({ agentMessages }: AskState) {
  expect(agentMessages).toHaveLength(1)
  const [message] = agentMessages
  return { ...message?.meta, text: message === undefined ? '' : messageText(message) }
}

describe('the next step', () => {
  it.each([
    ['', 'planner'],
    ['input', 'planner'],
    ['planner', 'critic_planner'],
    ['researcher', 'critic_researcher'],
    ['expert', 'critic_expert'],
  ])('after "%s" is %s', async (currentStep, nextStep) => {
    const next = await orchestrated({ ...plan, currentStep, currentResearchIndex: 0 })
    expect(next).toMatchObject({ nextStep, currentStep: nextStep, retryCount: 0 })
  })

  it('after an approved plan is the researcher, who begins anew', async () => {
    const next = await orchestrated({
      ...plan,
      currentStep: 'critic_planner',
      criticPlannerDecision: 'approve',
      researchResults: [{ request: 'old', result: 'old' }],
      researcherStates: { 0: { stepIndex: 0, conversation: [], failedSearch: '' } },
    })
    expect(next).toMatchObject({
      nextStep: 'researcher',
      currentResearchIndex: 0,
      researchResults: [],
    })
    expect(next.researcherStates).toEqual({})
  })

  it('after an approved plan without research is the expert', async () => {
    const next = await orchestrated({
      ...plan,
      researchSteps: [],
      currentStep: 'critic_planner',
      criticPlannerDecision: 'approve',
    })
    expect(next).toMatchObject({
      nextStep: 'expert',
      currentResearchIndex: -1,
      researchResults: [],
      researcherStates: {},
    })
  })

  it.each([
    [0, 'researcher', 1],
    [1, 'expert', 2],
  ])('after approved research %i is the %s', async (index, nextStep, nextIndex) => {
    const next = await orchestrated({
      ...plan,
      currentStep: 'critic_researcher',
      currentResearchIndex: index,
      criticResearcherDecision: 'approve',
    })
    expect(next).toMatchObject({ nextStep, currentResearchIndex: nextIndex, retryCount: 0 })
    // The next result is another one, of which its critic has not spoken yet.
    expect(next.criticResearcherDecision).toBe('')
  })

  it('after an approved answer is the finalizer', async () => {
    const next = await orchestrated({
      ...plan,
      currentStep: 'critic_expert',
      currentResearchIndex: 2,
      criticExpertDecision: 'approve',
    })
    expect(next).toMatchObject({ nextStep: 'finalizer', finalAnswer: '', currentResearchIndex: 2 })
  })

  it.each([
    ['planner', { criticPlannerDecision: 'reject', criticPlannerFeedback: 'Be exact.' }],
    ['researcher', { criticResearcherDecision: 'reject', criticResearcherFeedback: 'Be exact.' }],
    ['expert', { criticExpertDecision: 'reject', criticExpertFeedback: 'Be exact.' }],
  ] as const)('after rejected work is the same %s, told why', async (worker, critique) => {
    const currentStep = `critic_${worker}`
    const next = await orchestrated({ ...plan, ...critique, currentStep, currentResearchIndex: 1 })
    expect(next).toMatchObject({
      nextStep: worker,
      retryCount: 1,
      currentResearchIndex: 1,
      retries: { planner: 0, researcher: 0, expert: 0, [worker]: 1 },
    })
    expect(sent(next)).toMatchObject({
      receiver: worker,
      text: expect.stringMatching(/Your critic rejected the last attempt: Be exact\.$/),
    })
  })

  it('after an answer without form is the same role, one retry later', async () => {
    const next = await orchestrated({
      ...plan,
      currentStep: 'expert',
      malformed: 'expert',
      retryCount: 2,
    })
    expect(next).toMatchObject({ nextStep: 'expert', malformed: '', retryCount: 3 })
  })
})

describe('the retry limit', () => {
  const rejected = {
    ...plan,
    currentStep: 'critic_expert',
    criticExpertDecision: 'reject',
  } as const
  const given = 'The question could not be answered.'

  it.each([
    [4, 5, 5],
    [0, 1, 1],
    [0, 0, 1],
    [7, 5, 8],
    [1_000_000, 5, 1_000_001],
  ])('%i rejections before this one, limit %i: over', async (retryCount, retryLimit, counted) => {
    const next = await orchestrated({ ...rejected, retryCount, retryLimit })
    expect(next).toMatchObject({
      nextStep: 'finalizer',
      currentStep: 'finalizer',
      retryCount: counted,
      finalAnswer: given,
      finalReasoningTrace: given,
    })
  })

  it.each([
    [3, 5],
    [0, 2],
    [-3, 5],
    [5, 1_000_000],
  ])('%i rejections before this one, limit %i: tried again', async (retryCount, retryLimit) => {
    const next = await orchestrated({ ...rejected, retryCount, retryLimit })
    expect(next).toMatchObject({ nextStep: 'expert', retryCount: retryCount + 1, finalAnswer: '' })
  })

  it('of a role ends the work when that role reaches it, whatever the others had', async () => {
    const retries = { planner: 3, researcher: 0, expert: 1 }
    const state = { ...rejected, retryCount: 4, retryLimit: 50, retries }
    const over = await orchestrated({ ...state, retryLimits: { expert: 2 } })
    expect(over).toMatchObject({ nextStep: 'finalizer', finalAnswer: given })
    expect(over.retries).toEqual({ planner: 3, researcher: 0, expert: 2 })
  })

  it('of another role does not', async () => {
    const next = await orchestrated({ ...rejected, retryLimits: { planner: 0, researcher: 0 } })
    expect(next.nextStep).toBe('expert')
  })

  it('is not tripped by an approval, however many rejections there were', async () => {
    const next = await orchestrated({
      ...rejected,
      criticExpertDecision: 'approve',
      retryCount: 5,
      retryLimit: 5,
    })
    expect(next).toMatchObject({ nextStep: 'finalizer', retryCount: 5, finalAnswer: '' })
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
    const next = await orchestrated({
      ...plan,
      currentStep: step,
      currentResearchIndex: index - 1,
      criticPlannerDecision: 'approve',
      criticResearcherDecision: 'approve',
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
    const next = await orchestrated({
      ...plan,
      currentStep: worker,
      currentResearchIndex: 0,
      researchResults: [{ request: 'first', result: 'It is so [1].' }],
      expertAnswer: 'So [1].',
      expertReasoning: 'Because.',
    })
    expect(sent(next)).toMatchObject({ receiver: `critic_${worker}`, stepId, text })
  })

  it('tells the expert that research is complete, where there was any', async () => {
    const approved = {
      ...plan,
      currentStep: 'critic_researcher',
      criticResearcherDecision: 'approve',
      currentResearchIndex: 1,
    } as const
    expect(sent(await orchestrated(approved)).text).toBe(
      'All research steps are completed. Answer this question: What is it?',
    )
  })
})

describe('a failure', () => {
  const error = { code: 'model_unavailable', message: 'no answer', retryable: true } as const

  it('leads to the finalizer, and the answer says what failed', async () => {
    const next = await orchestrated({
      ...plan,
      currentStep: 'expert',
      error,
      errorComponent: 'expert',
    })
    expect(next).toMatchObject({
      nextStep: 'finalizer',
      retryCount: 0,
      finalAnswer: 'expert failed: no answer',
      finalReasoningTrace: 'expert failed: no answer',
    })
  })

  it.each<[string, Patch<AskState>]>([
    ['a failure', { error, errorComponent: 'critic_expert' }],
    ['a limit', { limit: { code: 'limit_reached', message: 'enough', retryable: false } }],
  ])('leads there before anything else: %s', async (_what, ended) => {
    const rejected = { currentStep: 'critic_expert', criticExpertDecision: 'reject' } as const
    const next = await orchestrated({ ...plan, ...rejected, malformed: 'expert', ...ended })
    expect(next).toMatchObject({ nextStep: 'finalizer', retryCount: 0 })
  })
})

describe('a state that is not sound', () => {
  it('is said to be so in the log, and the work goes on', async () => {
    const state = { ...stateWith(plan), researchSteps: 'none', retryCount: undefined } as never
    const body = async (context: RunContext) => (await orchestrate(state, context)) as JsonObject
    expect(await current().start(body)).toMatchObject({ nextStep: 'planner' })
    const notice = (await current().events()).find(({ type }: RunEvent) => type === 'notice')
    expect(notice?.data).toMatchObject({
      level: 'warning',
      text: 'The state is not valid: researchSteps is string; retryCount is missing.',
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
  ])('to %s is the node %s', (currentStep, node) => {
    expect(routeFromOrchestrator(stateWith({ currentStep }))).toBe(node)
  })

  it.each(['', 'input', 'verify', 'poet', 'toString'])('to "%s" is none', (currentStep) => {
    expect(() => routeFromOrchestrator(stateWith({ currentStep }))).toThrow(
      expect.objectContaining({
        code: 'internal',
        message: expect.stringContaining(`"${currentStep}"`),
      }),
    )
  })
})
