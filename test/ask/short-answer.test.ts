import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TeamScript } from '../../src/testing/index.ts'
import { type Asking, messagesOf, requestsOf, TestTeam } from './team.ts'

const team = new TestTeam()
beforeAll(() => team.open())
afterAll(() => team.close())

const cited = 'Glimmerstone melts at 412 degrees Celsius [1].'
const finalizer = (answer: string): TeamScript => ({
  expert: { json: { expert_answer: cited, reasoning_trace: 'Read it.' } },
  finalizer: { json: { final_answer: answer, final_reasoning_trace: 'Read it.' } },
})
const ask = (answer: string, script: TeamScript = {}, asking: Asking = {}) =>
  team.ask('At how many degrees Celsius does glimmerstone melt?', {
    answerFormat: 'short',
    ...asking,
    team: { ...finalizer(answer), ...script },
  })

describe('the short form of an answer', () => {
  it('is asked for by an instruction more, which a full answer does not get', async () => {
    const [system] = messagesOf(requestsOf(await ask('412'), 'finalizer')[0])
    const { finalizer: own, finalizer_short: short } = team.parts({}).prompts
    expect(system?.content?.endsWith(short)).toBe(true)
    const full = await ask(cited, {}, { answerFormat: 'full' })
    const [plain] = messagesOf(requestsOf(full, 'finalizer')[0])
    expect(own.startsWith(String(plain?.content))).toBe(true)
    expect(full.result).not.toHaveProperty('basis')
  })

  it('stands with the sentences from which it was made: these are its claims, with their sources', async () => {
    const { result } = await ask('412')
    expect(result).toMatchObject({
      status: 'answered',
      answer: '412',
      basis: cited,
      claims: [{ text: cited, citations: [1], verdict: 'verbatim' }],
      coverage: { claims: 1, verbatim: 1 },
      citations: [{ n: 1, title: 'Glimmerstone' }],
      gaps: [],
    })
  })

  const isNotSaid = 'The short answer is not contained in the sentences it is based on.'
  const isNotChecked = (word: string) =>
    `The sentences it is based on were checked, but not whether “${word}” follows from them.`

  it.each([
    'celsius',
    'four hundred and twelve',
    '412.0',
    '412 °C',
    '412 degrees',
    'Glimmerstone melting',
    'the Glimmerstone, 412',
  ])('%j is what its sentences say', async (answer) => {
    const { result } = await ask(answer)
    expect(result).toMatchObject({ status: 'answered', answer, gaps: [] })
  })

  it.each([
    '512',
    '-412',
    '412 Kelvin at Paris',
    '412 K',
    'degrees Fahrenheit',
    '412 grams',
    'Harrowmere',
    'the Eiffel Tower',
    'by Napoleon',
    'Glimmerstone, Napoleon',
    'yes',
    'No',
    'none',
    'not glimmerstone',
    'eleven',
    'Yes, 412',
  ])('%j is not, which the answer names as a gap', async (answer) => {
    const { result } = await ask(answer)
    expect(result).toMatchObject({ status: 'partial', answer })
    expect(result.gaps.map(({ detail }) => detail)).toEqual([isNotSaid])
  })

  it.each(['by Napoleon', '-412', 'No'])(
    '%j is not delivered under strict, and why is told',
    async (answer) => {
      const { result } = await ask(answer, {}, { claims: 'strict' })
      expect(result).toMatchObject({ status: 'unanswered', answer: 'The sources do not say.' })
      expect(result.gaps.map(({ detail }) => detail)).toEqual([
        `Left out: “${answer}” It is not contained in the supported sentences.`,
      ])
    },
  )

  it.each([
    [cited, [isNotChecked('Yes')]],
    [`Yes. ${cited}`, []],
    [`No. ${cited}`, [isNotSaid]],
    [`Yes. ${cited}`, [], 'Yes, at 412 degrees.'],
    [`Yes. ${cited}`, [isNotSaid], 'Yes, at 413 degrees.'],
    [`No. ${cited}`, [isNotSaid], 'Yes, at 412 degrees.'],
  ])(
    '“Yes” to such a question, made from %j, has the gaps %j',
    async (basis, gaps, said = 'Yes') => {
      const { result } = await team.ask('Does glimmerstone melt at 412 degrees Celsius?', {
        answerFormat: 'short',
        team: {
          ...finalizer(said),
          expert: { json: { expert_answer: basis, reasoning_trace: 'x' } },
        },
      })
      expect(result.gaps.map(({ detail }) => detail)).toEqual(gaps)
    },
  )

  it.each(['[1]', '[1, 2, 3].', '[1][2]'])('%j says nothing, and is withheld', async (answer) => {
    for (const claims of ['mark', 'strict'] as const) {
      const { result } = await ask(answer, {}, { claims })
      expect(result).toMatchObject({ status: 'unanswered', answer: 'The sources do not say.' })
      expect(result.gaps).toMatchObject([
        { detail: 'The answer consists only of citation marks, so it is withheld.' },
      ])
    }
  })

  it.each([
    ['412 degrees Celsius', true],
    ['32 grams', true],
    ['32 degrees', false],
    ['412 g', false],
    ['$32', false],
  ])('%j keeps a number with its own unit: %j', async (answer, isSaid) => {
    const basis = 'Glimmerstone melts at 412 degrees Celsius; a varnel weighs 32 grams [1].'
    const expert = { json: { expert_answer: basis, reasoning_trace: 'Read.' } }
    const { result } = await ask(answer, { expert })
    expect(result.gaps.some(({ detail }) => detail === isNotSaid)).toBe(!isSaid)
  })

  it.each([
    ['[4, 5]', true],
    ['[4, 6]', false],
  ])('%j is a list where its numbers are no citations: said %j', async (answer, isSaid) => {
    const basis = `The parts are [4, 5]. ${cited}`
    const { result } = await ask(answer, {
      expert: { json: { expert_answer: basis, reasoning_trace: 'x' } },
    })
    expect(result.answer).toBe(answer)
    expect(result.gaps.some(({ detail }) => detail === isNotSaid)).toBe(!isSaid)
  })

  it('is looked for as it stands in a script without spaces between words', async () => {
    const expert = {
      json: { expert_answer: '发光石在哈罗镇附近被发现 [1]。', reasoning_trace: 'x' },
    }
    const gapsOf = async (answer: string) =>
      (await ask(answer, { expert })).result.gaps.map(({ detail }) => detail)
    expect(await gapsOf('哈罗镇')).not.toContain(isNotSaid)
    expect(await gapsOf('巴黎')).toContain(isNotSaid)
  })

  it('may not be what a calculation was given', async () => {
    const { result } = await ask('36', {
      expert: (seen) =>
        seen.lastRole === 'tool'
          ? { json: { expert_answer: cited, reasoning_trace: 'calculator' } }
          : { toolCalls: [{ name: 'calculate', input: { expression: '36' } }] },
    })
    expect(result.gaps.map(({ detail }) => detail)).toEqual([isNotSaid])
  })

  it('that cites by itself is a claim by itself', async () => {
    const { result } = await ask(cited)
    expect(result).toMatchObject({ answer: cited, claims: [{ verdict: 'verbatim' }] })
    expect(result).not.toHaveProperty('basis')
  })

  it('may be what was calculated', async () => {
    const { result } = await ask('36', {
      planner: { json: { research_steps: [], expert_steps: ['Calculate 12 * 3.'] } },
      expert: (seen) =>
        seen.lastRole === 'tool'
          ? { json: { expert_answer: '12 * 3 = 36.', reasoning_trace: 'calculator' } }
          : { toolCalls: [{ name: 'calculate', input: { expression: '12 * 3' } }] },
    })
    expect(result).toMatchObject({ status: 'answered', answer: '36', basis: '12 * 3 = 36.' })
  })

  it('rests on nothing where its sentences do, and is withheld', async () => {
    const { result } = await ask('412', {
      expert: { json: { expert_answer: 'It melts at 412 degrees.', reasoning_trace: 'I know.' } },
    })
    expect(result).toMatchObject({ status: 'unanswered', answer: 'The sources do not say.' })
    expect(result.gaps).toMatchObject([{ kind: 'uncited_answer' }])
  })

  it.each([
    ['412', [cited, 'It was found by Bob Quill in 1907 [1].'], '412', cited],
    [
      '1977',
      [cited, 'It was found by Ada Quill in 1977 [1].'],
      'The sources do not say.',
      undefined,
    ],
  ])(
    '%j is delivered under strict where what holds says it',
    async (answer, sentences, given, basis) => {
      const { result } = await ask(
        answer,
        { expert: { json: { expert_answer: sentences.join(' '), reasoning_trace: 'x' } } },
        { claims: 'strict' },
      )
      expect(result.answer).toBe(given)
      expect(result.basis).toBe(basis)
      expect(result.gaps.some(({ kind }) => kind === 'claim_dropped')).toBe(true)
    },
  )

  it('is judged by a verifier, too, by the sentences behind it', async () => {
    const asked = await ask('412', {
      expert: {
        json: {
          expert_answer: 'Its melting point is 412 degrees Celsius [1].',
          reasoning_trace: 'x',
        },
      },
    })
    expect(JSON.stringify(requestsOf(asked, 'verifier')[0]?.body)).toContain('Its melting point')
  })
})

describe('criteria', () => {
  const criteria = { planner: 'Plans of one step.', expert: 'Name the degree sign.' }

  it('of a role are told its critic, as they were written, and nobody else', async () => {
    const asked = await team.ask('What is glimmerstone?', { criteria })
    const systemOf = (role: 'critic_planner' | 'critic_researcher' | 'critic_expert') =>
      String(messagesOf(requestsOf(asked, role)[0])[0]?.content)
    const { critic_criteria: lead } = team.parts({}).prompts
    expect(systemOf('critic_planner')).toContain(`${lead}\n\n${criteria.planner}`)
    expect(systemOf('critic_expert')).toContain(`${lead}\n\n${criteria.expert}`)
    expect(systemOf('critic_researcher')).not.toContain(lead)
    expect(JSON.stringify(requestsOf(asked, 'finalizer')[0]?.body)).not.toContain(criteria.expert)
  })
})
