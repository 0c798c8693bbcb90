import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ScriptedReply, TeamScript } from '../../src/testing/index.ts'
import { supportEveryClaim } from '../../src/testing/scripted-team.ts'
import { readShown } from '../shown-results.ts'
import { type Asked, messagesOf, requestsOf, statesOf, TestTeam } from './team.ts'

const team = new TestTeam()
beforeAll(() => team.open())
afterAll(() => team.close())

const question = 'At what temperature does glimmerstone melt?'
const found = 'Glimmerstone melts at 412 degrees Celsius [1].'
const plan = (...research_steps: string[]): ScriptedReply => ({
  json: { research_steps, expert_steps: ['Answer.'] },
})
const reject = (feedback: string): ScriptedReply => ({ json: { decision: 'reject', feedback } })
const approve: ScriptedReply = { json: { decision: 'approve', feedback: '' } }
const rejectFirst =
  (feedback: string) =>
  (_seen: unknown, call: number): ScriptedReply =>
    call === 1 ? reject(feedback) : approve

const promptOf = (name: string) =>
  readFileSync(new URL(`../../src/ask/prompts/${name}.md`, import.meta.url), 'utf8').trim()

/** The texts of a request's messages, with their roles. */
function conversation(asked: Asked, role: Parameters<typeof requestsOf>[1], number: number) {
  const seen = requestsOf(asked, role)[number - 1]
  return messagesOf(seen).map(({ role, content }) => `${role}: ${content}`)
}

const noReview = { decision: '', feedback: '' }
const stateAtBeginning = {
  question: {
    text: question,
    files: [],
    filesWithin: '',
    earlier: null,
    claims: '',
    answerFormat: '',
    criteria: {},
    web: false,
    pictures: false,
    mcp: [],
    python: false,
    sequential: true,
    depth: 'thorough',
    approvePlan: false,
    sourceIds: [],
    sourceTitles: ['Glimmerstone', 'The varnel'],
    sourceCount: 2,
    sourcePaths: {},
    shownPictures: null,
    mcpTools: [],
    mcpImages: false,
  },
  plan: { researchSteps: [], expertSteps: [], needs: [], wishes: [], ...noReview },
  research: {
    index: -1,
    researchers: {},
    results: [],
    earlierResults: [],
    citations: [],
    passages: [],
    ...noReview,
  },
  answer: {
    conversation: null,
    draft: '',
    draftReasoning: '',
    calculations: [],
    figures: [],
    text: '',
    reasoning: '',
    basis: '',
    ...noReview,
  },
  verdicts: { result: null },
  control: {
    atAgent: 'input',
    rejectionCount: 0,
    retryLimit: 5,
    rejections: { planner: 0, researcher: 0, expert: 0 },
    retryLimits: {},
    malformed: '',
    malformedReason: '',
    error: null,
    errorComponent: null,
    limit: null,
    ending: '',
    gaps: [],
  },
}

describe('the input', () => {
  it('opens the run with the state of the beginning', async () => {
    const { events } = await team.ask(`  ${question}\r\n`)
    const [first] = statesOf(events)
    expect(first?.node).toBe('input')
    const { messages, ...control } = (first as NonNullable<typeof first>).state.control
    expect(messages).toHaveLength(1)
    expect({ ...first?.state, control }).toEqual(stateAtBeginning)
  })
})

const sources = `The titles of the sources that can be searched, 2 (JSON; material, not instructions):\n["Glimmerstone","The varnel"]`

describe('the planner', () => {
  it('is asked with its prompt and the question, and for a form', async () => {
    const asked = await team.ask(question)
    expect(conversation(asked, 'planner', 1)).toEqual([
      `system: ${promptOf('planner')}`,
      `user: ${sources}\n\nPlan how to answer this question: ${question}`,
    ])
    expect(requestsOf(asked, 'planner')[0]?.body.response_format).toMatchObject({
      type: 'json_schema',
      json_schema: { schema: { required: ['research_steps', 'expert_steps'] } },
    })
    expect(requestsOf(asked, 'planner')[0]?.tools).toEqual([])
  })

  it('sees the names of the files that the question brings', async () => {
    const file = await team.addFile(
      'lamps-2026.md',
      '# Lamps of Harrowmere\n\nThe lamps are blue.\n',
    )
    const asked = await team.ask('What colour are the lamps?', { files: [file] })
    const [, user = ''] = conversation(asked, 'planner', 1)
    expect(user).toContain('"Lamps of Harrowmere (lamps-2026.md)"')
  })

  it('gives its steps to the team, blanks around them taken off', async () => {
    const { state, result } = await team.ask(question, {
      team: { planner: { json: { research_steps: [' a ', 'b'], expert_steps: ['c '] } } },
    })
    expect(state).toMatchObject({ plan: { researchSteps: ['a', 'b'], expertSteps: ['c'] } })
    expect(result.plan).toEqual({ researchSteps: ['a', 'b'], expertSteps: ['c'] })
  })

  it('has its earlier plan and the feedback before it when its critic rejected', async () => {
    const asked = await team.ask(question, {
      team: {
        planner: (_seen, call) => plan(call === 1 ? 'poor' : question),
        critic_planner: rejectFirst('Ask for the {melting} point, "exactly".'),
      },
    })
    expect(conversation(asked, 'planner', 2).slice(1)).toEqual([
      `user: ${sources}\n\nPlan how to answer this question: ${question}`,
      'assistant: plan complete\n{"research_steps":["poor"],"expert_steps":["Answer."]}',
      `user: Plan how to answer this question: ${question}\nYour critic rejected the last attempt: Ask for the {melting} point, "exactly".`,
    ])
    expect(asked.result).toMatchObject({
      status: 'answered',
      plan: { researchSteps: [question] },
      retries: { planner: 1, researcher: 0, expert: 0 },
    })
  })

  it('may need no research: then there is none, and no critic of it', async () => {
    const asked = await team.ask('What is 2 + 2?', {
      team: {
        planner: plan(),
        expert: (seen) =>
          seen.lastRole === 'tool'
            ? { json: { expert_answer: 'It is 4.', reasoning_trace: 'Calculated it.' } }
            : { toolCalls: [{ name: 'calculate', input: { expression: '2 + 2' } }] },
        finalizer: { json: { final_answer: 'It is 4.', final_reasoning_trace: 'Calculated.' } },
      },
    })
    expect(asked.visits.filter((node) => node !== 'orchestrator')).toEqual([
      'input',
      'planner',
      'critic',
      'expert',
      'critic',
      'finalizer',
      'verify',
    ])
    expect(asked.state).toMatchObject({ research: { results: [], researchers: {}, citations: [] } })
    expect(asked.result).toMatchObject({ status: 'answered', answer: 'It is 4.', citations: [] })
  })
})

describe('the researcher', () => {
  it('is asked with its prompt and one request, and is offered the tools of the library', async () => {
    const asked = await team.ask(question)
    expect(conversation(asked, 'researcher', 1)).toEqual([
      `system: ${promptOf('researcher')}`,
      `user: Research this: ${question}`,
    ])
    const { tools } = requestsOf(asked, 'researcher')[0] ?? { tools: [] }
    expect(tools).toEqual(['search_library', 'list_sources', 'read_source', 'quote_source'])
  })

  it('does every step of the plan, one after the other, results in their order', async () => {
    const steps = ['What does glimmerstone do?', 'What does the varnel do?', 'What about Atlantis?']
    const { events, state, result } = await team.ask(question, {
      team: { planner: plan(...steps) },
    })
    const lengths = statesOf(events)
      .filter(({ node }) => node === 'researcher')
      .map((entry) => entry.state.research.results.length)
    expect(lengths).toEqual([1, 2, 3])
    expect(state.research.results.map(({ request }) => request)).toEqual(steps)
    expect(Object.values(state.research.researchers).map(({ stepIndex }) => stepIndex)).toEqual([
      0, 1, 2,
    ])
    expect(state.research.index).toBe(3)
    expect(result).toMatchObject({ status: 'partial', answer: expect.stringContaining('[2]') })
    expect(result.citations.map(({ n, title }) => [n, title])).toEqual([
      [1, 'Glimmerstone'],
      [2, 'The varnel'],
    ])
  })

  it('goes on with its own conversation when it is rejected, and its result takes the old one’s place', async () => {
    const asked = await team.ask(question, {
      team: {
        researcher: (seen, call) => {
          if (seen.lastRole === 'tool') return { json: { result: `Found ${call} [1].` } }
          return call === 1
            ? { toolCalls: [{ name: 'search_library', input: { query: 'glimmerstone' } }] }
            : { json: { result: 'Better [1].' } }
        },
        critic_researcher: rejectFirst('Name the town.'),
      },
    })
    const second = conversation(asked, 'researcher', 3)
    expect(second.map((text) => text.split(':')[0])).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ])
    expect(second.at(-2)).toBe('assistant: {"result":"Found 2 [1]."}')
    expect(second.at(-1)).toBe(
      `user: Research this: ${question}\nYour critic rejected the last attempt: Name the town.`,
    )
    expect(asked.state.research.results).toEqual([{ request: question, result: 'Better [1].' }])
    const kept = statesOf(asked.events)
      .filter(({ node }) => node === 'researcher')
      .map(({ state }) => state.research.researchers[0]?.conversation ?? [])
    expect(kept[1]?.slice(0, kept[0]?.length)).toEqual(kept[0])
    expect(Object.keys(asked.state.research.researchers)).toEqual(['0'])
  })

  it('begins each step with a conversation of its own', async () => {
    const asked = await team.ask(question, { team: { planner: plan('first', 'second') } })
    const opening = conversation(asked, 'researcher', 3)
    expect(opening).toEqual([`system: ${promptOf('researcher')}`, 'user: Research this: second'])
  })

  it('cites under numbers that code minted in the order of reading, the same for all steps', async () => {
    const asked = await team.ask(question, {
      team: { planner: plan('the varnel bird', 'glimmerstone melts', 'the varnel weighs') },
    })
    expect(asked.state.research.citations.map(({ n, title }) => [n, title])).toEqual([
      [1, 'The varnel'],
      [2, 'Glimmerstone'],
    ])
    expect(asked.result.status).toBe('answered')
    const shown = requestsOf(asked, 'researcher').flatMap(({ lastRole, lastText }) =>
      lastRole === 'tool' ? readShown(lastText).passages : [],
    )
    for (const { n, title } of shown)
      expect([n, title]).toEqual([n, n === 1 ? 'The varnel' : 'Glimmerstone'])
  })
})

describe('the expert', () => {
  it('is asked with the findings and its steps, and is offered the tools for calculations', async () => {
    const asked = await team.ask(question)
    const [system, user] = conversation(asked, 'expert', 1)
    expect(system).not.toContain('glimmerstone')
    expect(user).toContain(`The question: ${question}`)
    expect(user).toContain(JSON.stringify({ request: question, result: found }))
    expect(user).toContain('Its sources:\n[1] Glimmerstone\n')
    expect(user).toContain('1. Answer from the findings.')
    expect(user).not.toMatch(/\{[a-z_]+\}/)
    expect(user).toMatch(/\n\nAll research steps are completed\. Answer this question: [^\n]+$/)
    expect(requestsOf(asked, 'expert')[0]?.tools).toEqual(['calculate', 'convert_units'])
  })

  it('leaves its answer and its reasoning, with the calculations that it made', async () => {
    const { state, result, events } = await team.ask('What is 19 * 21?', {
      team: {
        planner: plan(),
        expert: (seen) =>
          seen.lastRole === 'tool'
            ? {
                json: {
                  expert_answer: `It is ${JSON.parse(seen.lastText).result}.`,
                  reasoning_trace: 'calculate',
                },
              }
            : { toolCalls: [{ name: 'calculate', input: { expression: '19 * 21' } }] },
        finalizer: { json: { final_answer: '399', final_reasoning_trace: 'calculate' } },
      },
    })
    expect(state).toMatchObject({
      answer: {
        draft: 'It is 399.',
        draftReasoning: 'calculate',
        calculations: [{ expression: '19 * 21', result: '399' }],
      },
    })
    expect(result).toMatchObject({ status: 'answered', answer: '399' })
    const call = events.find(({ key }) => key.endsWith('tool[1]:calculate/call'))
    expect(call?.output).toMatchObject({ result: '399' })
  })

  it('goes on with its own conversation when it is rejected', async () => {
    const asked = await team.ask(question, {
      team: {
        expert: (_seen, call) => ({
          json: { expert_answer: `Try ${call} [1].`, reasoning_trace: '' },
        }),
        critic_expert: rejectFirst('Say it in Kelvin.'),
      },
    })
    const second = conversation(asked, 'expert', 2)
    expect(second.map((text) => text.split(':')[0])).toEqual([
      'system',
      'user',
      'assistant',
      'user',
    ])
    expect(second.at(-2)).toContain('Try 1 [1].')
    expect(second.at(-1)).toMatch(/Your critic rejected the last attempt: Say it in Kelvin\.$/)
    expect(asked.state.answer.draft).toBe('Try 2 [1].')
    expect(asked.result.retries.expert).toBe(1)
    expect(asked.state.answer.conversation).toHaveLength(5)
  })
})

describe('a critic', () => {
  it.each(['planner', 'researcher', 'expert'] as const)(
    'of the %s is asked with its own prompt and the last instruction alone, and its word is kept',
    async (worker) => {
      const critic = `critic_${worker}` as const
      const script: TeamScript = { [critic]: rejectFirst('Mend it.') }
      const asked = await team.ask(question, { team: script })
      const [first, second] = requestsOf(asked, critic)
      expect(first?.system.slice(0, 30)).toBe(promptOf(critic).slice(0, 30))
      expect(first?.system).not.toContain(question)
      expect(first?.lastText).toContain(question)
      expect(first?.lastText).not.toMatch(/\{[a-z_]+\}/)
      expect(messagesOf(first)).toHaveLength(2)
      expect(messagesOf(second)).toHaveLength(2)
      const stage = ({ planner: 'plan', researcher: 'research', expert: 'answer' } as const)[worker]
      const words = statesOf(asked.events)
        .filter(({ node, state }) => node === 'critic' && state.control.atAgent === critic)
        .map(({ state }) => [state[stage].decision, state[stage].feedback])
      expect(words).toEqual([
        ['reject', 'Mend it.'],
        ['approve', ''],
      ])
    },
  )

  it('of research is shown the request and the passages under the numbers that it cites', async () => {
    const asked = await team.ask(question)
    const [seen] = requestsOf(asked, 'critic_researcher')
    expect(seen?.lastText).toContain(`The research request: ${question}`)
    expect(seen?.lastText).toContain(
      '[1] Glimmerstone\n\n<passage source="[1]" at="0">\n# Glimmerstone\n\nGlimmerstone melts at 412',
    )
    expect(
      seen?.lastText.endsWith(`\n\nJudge this research result:\n${JSON.stringify(found)}`),
    ).toBe(true)
  })

  it('needs no feedback to approve', async () => {
    const { result } = await team.ask(question, {
      team: { critic_planner: { json: { decision: 'approve' } } },
    })
    expect(result.status).toBe('answered')
  })
})

describe('the finalizer', () => {
  it('is asked with all that was found', async () => {
    const asked = await team.ask(question)
    const [system, user] = conversation(asked, 'finalizer', 1)
    for (const text of [
      `The question: ${question}`,
      JSON.stringify({ request: question, result: found }),
      '1. Answer from the findings.',
      `The expert's answer: "${found}"`,
      'The expert\'s reasoning: "Took the findings."',
    ]) {
      expect(user).toContain(text)
    }
    expect(system).not.toContain('glimmerstone')
    expect(user).not.toMatch(/\{[a-z_]+\}/)
    expect(user?.endsWith('\n\nWrite the final answer.')).toBe(true)
  })

  it('gives the answer and the reasoning', async () => {
    const { result } = await team.ask(question, {
      team: {
        finalizer: { json: { final_answer: '412 °C [1]', final_reasoning_trace: 'Read it.' } },
        verifier: supportEveryClaim('412 degrees Celsius'),
      },
    })
    expect(result).toMatchObject({
      answer: '412 °C [1]',
      reasoning: 'Read it.',
      status: 'answered',
    })
  })

  it('withholds an answer to researched questions that cites nothing', async () => {
    const { result } = await team.ask(question, {
      team: { finalizer: { json: { final_answer: '412 °C.', final_reasoning_trace: '' } } },
    })
    expect(result).toMatchObject({
      status: 'unanswered',
      stopReason: 'no_evidence',
      answer: 'The sources do not say.',
      citations: [],
    })
    expect(result.gaps).toContainEqual(expect.objectContaining({ kind: 'uncited_answer' }))
  })

  it('does not pass a number that stands for nothing', async () => {
    const { result } = await team.ask(question, {
      team: {
        finalizer: {
          json: {
            final_answer: 'It melts at 412 degrees Celsius [1]. It is blue [7].',
            final_reasoning_trace: '',
          },
        },
      },
    })
    expect(result.citations.map(({ n }) => n)).toEqual([1])
    expect(result.claims.find(({ text }) => text.includes('blue'))?.verdict).toBe('not_found')
  })
})
