import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { defineTool } from '../kernel/index.ts'
import { isTerminalAction, parsePlainAnswer, readFinalAnswer } from './final-answer.ts'
import { callFromStep, parseReactStep } from './react-step.ts'
import { createReactRegistry } from './react-tools.ts'

const step = { thought: 'I need the page.', action: 'web.scrape', action_input: { url: 'x' } }
const json = JSON.stringify(step)
const tools = createReactRegistry([
  defineTool({
    name: 'web.scrape',
    description: 'Reads a page.',
    input: z.object({ url: z.string(), depth: z.number().optional() }),
    effect: 'read',
    execute: async () => null,
  }),
])

function read(text: string): unknown {
  const reading = parseReactStep(text)
  return reading.ok ? { ...reading.step, isWhole: reading.isWhole } : reading.error
}

function called(text: string): unknown {
  const found = callFromStep(text, tools)
  return found && [found.calls[0]?.toolName, found.calls[0]?.input, found.rest]
}

describe('parseReactStep', () => {
  const parsed = { thought: 'I need the page.', action: 'web.scrape', actionInput: { url: 'x' } }

  it.each([
    [json, true],
    [`\n\`\`\`json\n${json}\n\`\`\`\n`, true],
    [`I go on.\n${json}`, false],
    [`${json}\nObservation: the page`, false],
  ])('reads thought, action and action_input: %s', (text, isWhole) => {
    expect(read(text)).toEqual({ ...parsed, isWhole })
  })

  it('reads the first of several steps, since what follows is made up', () => {
    const text = `${json}\nObservation: made up\n{"thought": "so", "action": "finish", "action_input": "y"}`
    expect(read(text)).toMatchObject({ action: 'web.scrape' })
  })

  it.each([
    ['no JSON at all'],
    ['{"thought": "no action"}'],
    ['{"action": 5, "action_input": {}}'],
    ['{"action": "only a name"}'],
    ['["thought", "action"]'],
  ])('gives an error with the text for what is no step: %s', (text) => {
    expect(read(text)).toMatchObject({ code: 'model_output_malformed', details: { text } })
  })
})

describe('a step in text', () => {
  it.each<[unknown, unknown]>([
    [{ url: 'x' }, { url: 'x' }],
    ['{"url": "x"}', { url: 'x' }],
    ['x', { url: 'x' }],
    [['x'], ['x']],
    [7, 7],
    [undefined, {}],
  ])('gives its input as arguments: %j', (action_input, input) => {
    expect(called(JSON.stringify({ ...step, action_input }))).toEqual([
      'web.scrape',
      input,
      'I need the page.',
    ])
  })

  it('keeps the words before it next to its thought', () => {
    expect(called(`Well.\n\`\`\`json\n${json}\n\`\`\``)).toEqual([
      'web.scrape',
      { url: 'x' },
      'Well.\n\nI need the page.',
    ])
  })

  it('gives no half input to a tool', () => {
    const cut = json.slice(0, -4)
    expect(called(cut)).toEqual(['web.scrape', cut, 'I need the page.'])
  })

  it.each([
    [
      'Thought: I know.\nAction: finish\nAction Input: It is blue.',
      'finish',
      'It is blue.',
      'I know.',
    ],
    ['Action: foo.bar\nAction Input: {"a": 1}\nObservation: made up', 'foo.bar', { a: 1 }, ''],
    ['**Action:** ../../etc/passwd\n**Action Input:** x\ny', '../../etc/passwd', 'x\ny', ''],
  ])('may stand under labels, where it ends the work or names no tool: %s', (text, ...parts) => {
    expect(called(text)).toEqual(parts)
  })

  it.each([
    'Action: web.scrape\nAction Input: {"url": "x"}',
    'Action: reduce emissions',
    'It is blue.',
  ])('leaves other texts alone: %s', (text) => {
    expect(called(text)).toBeUndefined()
  })
})

describe('isTerminalAction', () => {
  it.each(['finish', 'final_answer', 'answer'])('knows %s as the end', (name) => {
    expect(isTerminalAction(name)).toBe(true)
  })

  it.each(['web.scrape', 'Finish', 'finished', ''])('takes %j for no end', (name) => {
    expect(isTerminalAction(name)).toBe(false)
  })
})

describe('a final answer', () => {
  it.each<[never, unknown]>([
    ['blue' as never, 'blue'],
    [{ answer: 42 } as never, 42],
    [{ result: ['a'] } as never, ['a']],
    [{ answer: 1, unit: 'm' } as never, { answer: 1, unit: 'm' }],
    [{ colour: 'blue' } as never, { colour: 'blue' }],
    [null as never, null],
  ])('is what stands in the input: %j', (input, answer) => {
    expect(readFinalAnswer(input)).toEqual(answer)
  })

  it.each([
    ['It is blue.', { thought: '', answer: 'It is blue.' }],
    ['{"thought": "t", "final_answer": 42}', { thought: 't', answer: 42 }],
    ['```json\n{"answer": "blue"}\n```', { thought: '', answer: 'blue' }],
    ['{"colour": "blue"}', { thought: '', answer: '{"colour": "blue"}' }],
    [
      'Thought: I know.\n**Final Answer:** 42\nmetres',
      { thought: 'I know.', answer: '42\nmetres' },
    ],
    ['See {"answer": 1}.', { thought: '', answer: 'See {"answer": 1}.' }],
  ])('stands in a plain text: %s', (text, answer) => {
    expect(parsePlainAnswer(text)).toEqual(answer)
  })
})
