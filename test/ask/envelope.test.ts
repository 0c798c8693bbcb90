import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createTeamMessage,
  findLastInstruction,
  maxMessageLength,
  selectConversation,
} from '../../src/ask/roles.ts'
import { channels } from '../../src/ask/state.ts'
import { type Message, messageText } from '../../src/kernel/index.ts'
import { useRuns } from '../kernel/runs.ts'
import { type Asked, TestTeam } from './team.ts'

const current = useRuns()
const team = new TestTeam()
let asked: Asked
beforeAll(async () => {
  await team.open()
  asked = await team.ask('What is glimmerstone?', {
    team: {
      planner: {
        json: {
          research_steps: ['What is glimmerstone?', 'What is the varnel?'],
          expert_steps: ['Answer.'],
        },
      },
      critic_researcher: (_seen, call) => ({
        json: { decision: call === 1 ? 'reject' : 'approve', feedback: call === 1 ? 'More.' : '' },
      }),
    },
  })
})
afterAll(() => team.close())

const short = ({ meta }: Message) => `${meta?.sender}>${meta?.receiver}:${meta?.stepId ?? ''}`

describe('the messages of a run', () => {
  it('tell the whole way in order, each agent once for each of its turns', () => {
    expect(asked.state.control.messages.map(short)).toEqual([
      'input>orchestrator:',
      'orchestrator>planner:',
      'planner>orchestrator:',
      'orchestrator>critic_planner:',
      'critic_planner>orchestrator:',
      'orchestrator>researcher:0',
      'researcher>orchestrator:0',
      'orchestrator>critic_researcher:0',
      'critic_researcher>orchestrator:0',
      'orchestrator>researcher:0',
      'researcher>orchestrator:0',
      'orchestrator>critic_researcher:0',
      'critic_researcher>orchestrator:0',
      'orchestrator>researcher:1',
      'researcher>orchestrator:1',
      'orchestrator>critic_researcher:1',
      'critic_researcher>orchestrator:1',
      'orchestrator>expert:',
      'expert>orchestrator:',
      'orchestrator>critic_expert:',
      'critic_expert>orchestrator:',
      'orchestrator>finalizer:',
      'finalizer>orchestrator:',
    ])
  })

  it('have all their fields, of the right types', () => {
    for (const message of asked.state.control.messages) {
      const { sender, receiver, kind, stepId } = message.meta ?? {}
      const isInstruction = sender === 'orchestrator'
      expect(message).toMatchObject({
        id: expect.stringMatching(/^[0-9a-f]{16}$/),
        role: isInstruction ? 'user' : 'assistant',
        createdAt: expect.any(Number),
      })
      expect(messageText(message)).not.toBe('')
      expect(kind).toBe(isInstruction ? 'instruction' : 'response')
      const isResearch = /researcher/.test(`${sender}${receiver}`)
      expect(typeof stepId).toBe(isResearch ? 'number' : 'object')
    }
  })

  it('have ids and contents of their own, and times that never go back', () => {
    const messages = asked.state.control.messages
    expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length)
    const contents = messages.map((message) => `${message.createdAt} ${messageText(message)}`)
    expect(new Set(contents).size).toBe(contents.length)
    const times = messages.map(({ createdAt }) => createdAt)
    expect(times).toEqual([...times].sort((left, right) => left - right))
    expect(times[0]).toBeGreaterThan(0)
  })

  it('are taken in once each, however often they are given', () => {
    const messages = asked.state.control.messages
    const reduce = (known: readonly Message[], added: readonly Message[]) =>
      channels.control.reduce({ ...asked.state.control, messages: known }, { messages: added })
        .messages
    expect(reduce(messages, messages.slice(3, 6))).toEqual(messages)
    const other = { ...(messages[0] as Message), id: 'other' }
    expect(reduce(messages, [other])).toEqual([...messages, other])
  })

  it('say what was done', () => {
    const said = (agent: string) =>
      selectConversation(asked.state.control.messages, agent, { kind: 'response' }).map(messageText)
    expect(said('planner')[0]).toMatch(/^plan complete\n\{"research_steps":\[/)
    expect(said('researcher')[0]).toMatch(/^research complete\nGlimmerstone melts/)
    const told = (text: string | undefined, opening: string) => {
      expect(text?.startsWith(opening)).toBe(true)
      return JSON.parse(text?.slice(opening.length) ?? '')
    }
    expect(told(said('expert')[0], 'expert complete\n')).toEqual({
      expert_answer: asked.state.answer.draft,
      reasoning_trace: asked.state.answer.draftReasoning,
    })
    expect(told(said('finalizer')[0], 'finalizer complete\n')).toEqual({
      final_answer: asked.result.answer,
      final_reasoning_trace: asked.result.reasoning,
    })
    expect(JSON.parse(said('critic_researcher')[0] ?? '')).toEqual({
      decision: 'reject',
      feedback: 'More.',
    })
  })
})

describe('the conversation with one agent', () => {
  it.each([
    'planner',
    'researcher',
    'expert',
    'critic_planner',
    'critic_researcher',
    'critic_expert',
    'finalizer',
  ])('%s: what it and the orchestrator said to each other, in order', (agent) => {
    const messages = asked.state.control.messages
    const conversation = selectConversation(messages, agent)
    expect(conversation.length).toBeGreaterThanOrEqual(2)
    for (const [index, { meta }] of conversation.entries()) {
      const [sender, receiver] = index % 2 === 0 ? ['orchestrator', agent] : [agent, 'orchestrator']
      expect(meta).toMatchObject({ sender, receiver })
    }
    const times = conversation.map(({ createdAt }) => createdAt)
    expect(times).toEqual([...times].sort((left, right) => left - right))
  })

  it('is narrowed to a research step and to a kind', () => {
    const messages = asked.state.control.messages
    const about = (stepId: number | null) => selectConversation(messages, 'researcher', { stepId })
    expect(about(0).map(short)).toHaveLength(4)
    expect(about(1).map(short)).toEqual(['orchestrator>researcher:1', 'researcher>orchestrator:1'])
    expect(about(2)).toEqual([])
    expect(about(null)).toEqual([])
    const told = selectConversation(messages, 'researcher', { stepId: 0, kind: 'instruction' })
    expect(told.map(short)).toEqual(['orchestrator>researcher:0', 'orchestrator>researcher:0'])
  })

  it('is empty for an agent that nobody spoke to, and for messages without an envelope', () => {
    expect(selectConversation(asked.state.control.messages, 'poet')).toEqual([])
    const bare = asked.state.control.messages.map(({ meta: _meta, ...message }) => message)
    expect(selectConversation(bare, 'planner')).toEqual([])
  })

  it('has a last instruction', () => {
    const messages = asked.state.control.messages
    expect(findLastInstruction(messages, 'finalizer')).toBe('Write the final answer.')
    expect(findLastInstruction(messages, 'researcher')).toBe('Research this: What is the varnel?')
    expect(findLastInstruction([], 'planner')).toBe('')
  })
})

describe('a message of the team', () => {
  const envelope = {
    sender: 'a',
    receiver: 'orchestrator',
    kind: 'response',
    stepId: null,
  } as const
  const textOf = async (text: string) =>
    (await current().start(async (context) =>
      messageText(createTeamMessage(context, envelope, text)),
    )) as string

  it.each([
    'plain',
    '"quotes", \\ backslashes\n\tand {"json": [1, "two"]}',
    '<script>alert("x")</script> ; DROP TABLE runs; -- $(rm -rf /)',
    '漢字 émoji 🧬👩‍🔬 \u202e rtl',
    'control \u0000\u0007\u001b[31m',
    'x'.repeat(maxMessageLength),
  ])('keeps its text as it is: %j', async (text) => {
    expect(await textOf(text)).toBe(text)
  })

  it('is cut where it is too long, and says by how much', async () => {
    const text = await textOf('ab'.repeat(maxMessageLength))
    expect(text.slice(0, maxMessageLength)).toBe('ab'.repeat(maxMessageLength / 2))
    expect(text.slice(maxMessageLength)).toBe(`\n[cut: ${maxMessageLength} more characters]`)
  })

  it('is not cut inside of a character', async () => {
    const text = await textOf(`x${'😀'.repeat(maxMessageLength)}`)
    expect(text.isWellFormed()).toBe(true)
    expect(text.indexOf('\n[cut: ')).toBe(maxMessageLength - 1)
  })
})
