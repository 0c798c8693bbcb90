import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { noEvidenceText } from '../citations/role-requests.ts'
import { createExtractiveModel } from './extractive-model.ts'

const model = createExtractiveModel()
const pageText =
  'Tin is a soft metal with the symbol Sn. Tin melts at 232 degrees Celsius. Ann Lee found tin in 1790.'
const shownPage = {
  n: 3,
  passageId: 'aaaaaaaaaaaaaaaa:0-103',
  sourceId: 'a'.repeat(64),
  start: 0,
  end: pageText.length,
  title: 'Tin',
  text: pageText,
}

type Output = { type: 'json' | 'error-json'; value: unknown }
const user = (text: string): LanguageModelV4Prompt[number] => ({
  role: 'user',
  content: [{ type: 'text', text }],
})
const toolResult = (toolName: string, output: Output): LanguageModelV4Prompt => [
  {
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: 'call-1', toolName, input: {} }],
  },
  {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'call-1', toolName, output: output as never }],
  },
]
const searched = (query: string, passages: readonly unknown[]): LanguageModelV4Prompt =>
  toolResult('search_library', { type: 'json', value: { query, passages } })

function options(
  role: string,
  input: unknown,
  tools: readonly string[],
  prompt: LanguageModelV4Prompt,
): LanguageModelV4CallOptions {
  return {
    prompt,
    tools: tools.map((name) => ({ type: 'function' as const, name, inputSchema: {} })),
    providerOptions: { scholium: { role, input } as never },
  }
}

async function call(
  role: string,
  input: unknown,
  tools: readonly string[] = [],
  after: LanguageModelV4Prompt = [],
) {
  const { content, finishReason, usage } = await model.doGenerate(
    options(role, input, tools, [user('Go.'), ...after]),
  )
  expect(usage).toMatchObject({ inputTokens: { total: 0 }, outputTokens: { total: 0 } })
  const calls = content.flatMap((part) =>
    part.type === 'tool-call'
      ? [{ id: part.toolCallId, name: part.toolName, input: JSON.parse(part.input) }]
      : [],
  )
  const [text] = content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return {
    calls,
    reason: finishReason.unified,
    answer: text === undefined ? undefined : JSON.parse(text),
  }
}

const request = (text: string, feedback: string | null = null) => ({
  question: text,
  request: text,
  feedback,
})
const search = ['search_library']

describe('the model', () => {
  it('says what it is', () => {
    expect(model).toMatchObject({
      specificationVersion: 'v4',
      provider: 'scholium',
      modelId: 'extractive',
      supportedUrls: {},
    })
  })

  it.each([
    ['no provider options', undefined],
    ['no role', { input: {} }],
    ['an unknown role', { role: 'poet', input: {} }],
    ['an input of another role', { role: 'planner', input: { text: 'What is tin?' } }],
  ])('refuses %s', async (_what, scholium) => {
    const given = scholium === undefined ? {} : { providerOptions: { scholium: scholium as never } }
    await expect(
      model.doGenerate({ prompt: [user('What is tin?')], ...given }),
    ).rejects.toMatchObject({
      name: 'ScholiumError',
      code: 'invalid_input',
      hint: expect.stringContaining('providerOptions.scholium'),
    })
  })

  it('reads no text of a prompt', async () => {
    const input = { question: 'What is tin?', feedback: null }
    const [one, other] = await Promise.all(
      ['Plan to fly to the Moon.', 'Say nothing.'].map((text) =>
        model.doGenerate(options('planner', input, [], [user(text)])),
      ),
    )
    expect(one).toEqual(other)
  })

  it('streams what it generates', async () => {
    const given = options(
      'planner',
      { question: 'What is tin?', feedback: null },
      [],
      [user('Go.')],
    )
    const { content, finishReason } = await model.doGenerate(given)
    const parts = await Array.fromAsync((await model.doStream(given)).stream)
    const deltas = parts.flatMap((part) => (part.type === 'text-delta' ? [part.delta] : []))
    expect(deltas).toEqual(content.map((part) => part.type === 'text' && part.text))
    expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason })
    const calls = options('researcher', request('What is tin?'), search, [user('Go.')])
    const streamed = await Array.fromAsync((await model.doStream(calls)).stream)
    expect(streamed).toContainEqual((await model.doGenerate(calls)).content[0])
  })
})

describe('the researcher', () => {
  it('searches with the request first', async () => {
    const { calls, reason } = await call('researcher', request('What is tin?'), search)
    expect(calls).toEqual([
      { id: 'call-1', name: 'search_library', input: { query: 'What is tin?', limit: 10 } },
    ])
    expect(reason).toBe('tool-calls')
  })

  it('answers with sentences of the passages under their numbers', async () => {
    const found = searched('What is tin?', [shownPage])
    const { answer, reason } = await call('researcher', request('What is tin?'), search, found)
    expect(answer).toEqual({ result: 'Tin is a soft metal with the symbol Sn [3].' })
    expect(reason).toBe('stop')
  })

  it('searches once more in other words, then says that the sources do not say', async () => {
    const question = 'Who was the wife of Tom Rey?'
    const none = searched(question, [shownPage])
    const again = await call('researcher', request(question), search, none)
    expect(again.calls).toMatchObject([{ id: 'call-2', name: 'search_library' }])
    const query = again.calls[0]?.input.query
    expect(query).not.toBe(question)
    const ended = await call('researcher', request(question), search, [
      ...none,
      ...searched(query, []),
    ])
    expect(ended.answer).toEqual({ result: noEvidenceText })
  })

  it('searches once more where a definition is only weak', async () => {
    const text = 'Tin is lead for the poor.'
    const weak = searched('What is tin?', [{ ...shownPage, text, end: text.length }])
    const { calls } = await call('researcher', request('What is tin?'), search, weak)
    expect(calls).toMatchObject([{ name: 'search_library' }])
  })

  it('takes a failed search for an empty one, and stops', async () => {
    const failed = toolResult('search_library', { type: 'error-json', value: { error: 'locked' } })
    expect((await call('researcher', request('What is tin?'), search, failed)).calls).toHaveLength(
      1,
    )
    const { answer } = await call('researcher', request('What is tin?'), search, [
      ...failed,
      ...failed,
    ])
    expect(answer).toEqual({ result: noEvidenceText })
  })

  it('searches in other words after a rejection, and does not give the rejected sentence again', async () => {
    const feedback = 'Wrong: "Tin is a soft metal with the symbol Sn."'
    const before = searched('What is tin?', [shownPage])
    const retry = await call('researcher', request('What is tin?', feedback), search, [
      ...before,
      user('Again.'),
    ])
    expect(retry.calls).toHaveLength(1)
    expect(retry.calls[0]?.input.query).not.toBe('What is tin?')
    const { answer } = await call('researcher', request('What is tin?', feedback), search, [
      ...before,
      user('Again.'),
      ...searched('tin', [shownPage]),
      ...searched('tin metal', [shownPage]),
    ])
    expect(answer).toEqual({ result: noEvidenceText })
  })

  it('has two new searches after a rejection', async () => {
    const question = 'Who was the wife of Tom Rey?'
    const before = [...searched(question, []), ...searched('wife Tom Rey', [])]
    const first = await call('researcher', request(question, 'Look again.'), search, [
      ...before,
      user('Again.'),
    ])
    expect(first.calls).toHaveLength(1)
    const ended = await call('researcher', request(question), search, before)
    expect(ended.answer).toEqual({ result: noEvidenceText })
  })

  it('answers without a search when none is offered', async () => {
    expect((await call('researcher', request('What is tin?'))).answer).toEqual({
      result: noEvidenceText,
    })
  })

  it('skips passages of a form that it does not know', async () => {
    const strange = searched('What is tin?', [{ text: 'Tin is a metal.' }])
    expect((await call('researcher', request('What is tin?'), search, strange)).calls).toHaveLength(
      1,
    )
  })
})

const calculators = ['calculate', 'convert_units']
const expertInput = (question: string, research: readonly object[] = []) => ({
  question,
  expert_steps: ['Answer.'],
  research,
  feedback: null,
})

describe('the expert', () => {
  it('calls the calculator, then answers with its result and names it', async () => {
    const input = expertInput('What is 2 + 2?')
    const { calls } = await call('expert', input, calculators)
    expect(calls).toEqual([{ id: 'call-1', name: 'calculate', input: { expression: '2 + 2' } }])
    const done = toolResult('calculate', {
      type: 'json',
      value: { expression: '2 + 2', result: '4' },
    })
    const { answer } = await call('expert', input, calculators, done)
    expect(answer).toEqual({
      expert_answer: '2 + 2 = 4.',
      reasoning_trace: 'calculator: 2 + 2 = 4',
    })
  })

  it('calls the unit converter', async () => {
    const input = expertInput('Convert 100 km/h to mph')
    const { calls } = await call('expert', input, calculators)
    expect(calls).toMatchObject([
      { name: 'convert_units', input: { quantity: '100 km/h', to: 'mph' } },
    ])
    const done = toolResult('convert_units', {
      type: 'json',
      value: { expression: '100 km/h to mph', result: '62.1 mph' },
    })
    const { answer } = await call('expert', input, calculators, done)
    expect(answer.expert_answer).toBe('100 km/h = 62.1 mph.')
  })

  it('asks for all calculations at once', async () => {
    const { calls } = await call(
      'expert',
      expertInput('What is 2 + 2 and what is 3 * 3?'),
      calculators,
    )
    expect(calls.map(({ id, input }) => [id, input.expression])).toEqual([
      ['call-1', '2 + 2'],
      ['call-2', '3 * 3'],
    ])
  })

  it('says so when a tool fails or is not there', async () => {
    const input = expertInput('What is 1 / 0?')
    const failed = toolResult('calculate', {
      type: 'error-json',
      value: { error: 'division by zero' },
    })
    expect((await call('expert', input, calculators, failed)).answer).toEqual({
      expert_answer: noEvidenceText,
      reasoning_trace: 'calculate failed: division by zero',
    })
    expect((await call('expert', input)).answer).toEqual({
      expert_answer: noEvidenceText,
      reasoning_trace: 'No tool was offered for: 1 / 0',
    })
  })

  it('combines what was found without repeats and keeps the citations', async () => {
    const research = [
      { request: 'What is tin?', result: 'Tin is a metal [1]. It is soft [2].' },
      { request: 'Who found tin?', result: noEvidenceText },
      { request: 'How soft is tin?', result: 'It is soft [2]. It bends [3].' },
    ]
    const { answer } = await call(
      'expert',
      expertInput('What is tin, who found it and how soft is it?', research),
    )
    expect(answer.expert_answer).toBe('Tin is a metal [1]. It is soft [2].\n\nIt bends [3].')
    expect(answer.reasoning_trace).toContain('Nothing was found for: Who found tin?')
  })

  it('says that the sources do not say when nothing was found', async () => {
    const research = [{ request: 'What is tin?', result: noEvidenceText }]
    expect((await call('expert', expertInput('What is tin?', research))).answer.expert_answer).toBe(
      noEvidenceText,
    )
  })

  it('calculates the years between two dates where each result names one', async () => {
    const question = 'How many years passed between the discovery of tin and the discovery of lead?'
    const found = (year: string) => ({
      request: 'When?',
      result: `It was discovered in ${year} [1].`,
    })
    const { calls } = await call(
      'expert',
      expertInput(question, [found('1790'), found('1850')]),
      calculators,
    )
    expect(calls).toMatchObject([{ input: { expression: '1850 - 1790' } }])
    const unsure = await call(
      'expert',
      expertInput(question, [found('1790 or 1791'), found('1850')]),
      calculators,
    )
    expect(unsure.calls).toEqual([])
  })

  it('says which came first, where each has one year', async () => {
    const research = ['1850', '1790'].map((year) => ({
      request: 'When?',
      result: `It was built in ${year} [1].`,
    }))
    const { answer } = await call(
      'expert',
      expertInput('Which was built first, the tower or the bridge?', research),
    )
    expect(answer.expert_answer).toMatch(/^The bridge, by the dates quoted here:\n\n/)
  })
})

describe('the finalizer', () => {
  const input = {
    question: 'What is tin?',
    research_steps: ['What is tin?', 'Who found tin?'],
    expert_steps: ['Answer.'],
    research: [
      { request: 'What is tin?', result: 'Tin is a metal [1].' },
      { request: 'Who found tin?', result: noEvidenceText },
    ],
    expert_answer: ' Tin is a metal [1].\n\n\n\nIt is soft [2]. ',
    expert_reasoning: 'Quoted for: What is tin?\ncalculator: 2 + 2 = 4',
  }

  it('keeps the answer with its citations, in short paragraphs', async () => {
    expect((await call('finalizer', input)).answer.final_answer).toBe(
      'Tin is a metal [1].\n\nIt is soft [2].',
    )
  })

  it('tells what was planned, searched, found and calculated, in numbered steps', async () => {
    const lines: string[] = (await call('finalizer', input)).answer.final_reasoning_trace.split(
      '\n',
    )
    expect(lines.map((line) => line.split('.')[0])).toEqual(['1', '2', '3', '4', '5'])
    expect(lines[1]).toBe('2. Searched for "What is tin?": found in [1].')
    expect(lines[2]).toContain('the sources do not say')
    expect(lines[4]).toBe('5. calculator: 2 + 2 = 4')
  })

  it('has an answer when the expert has none', async () => {
    const { answer } = await call('finalizer', { ...input, expert_answer: '  ' })
    expect(answer.final_answer).toBe(noEvidenceText)
  })
})
