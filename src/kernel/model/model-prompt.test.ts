import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { Message, Origin, Part, Role } from '../agent/message.ts'
import { defineTool } from '../agent/tool.ts'
import type { Json } from '../json.ts'
import { toModelPrompt, toModelTool } from './model-prompt.ts'

const model = 'anthropic:claude'
const text = (words: string): Part => ({ type: 'text', text: words })
const thought = (words: string, metadata?: Origin['metadata']): Part => ({
  type: 'reasoning',
  text: words,
  ...(metadata === undefined ? {} : { origin: { model, metadata } }),
})
const call = (toolCallId: string, toolName = 'search', input: Json = {}): Part => ({
  type: 'tool-call',
  toolCallId,
  toolName,
  input,
  origin: { model },
})
const wire = (toolCallId: string, input: Json) => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'search',
  input,
})
const result = (toolCallId: string, output: Json = 'found'): Part => ({
  type: 'tool-result',
  toolCallId,
  toolName: 'search',
  output,
})
const say = (role: Role, ...parts: Part[]): Message => ({
  id: 'm',
  role,
  parts,
  createdAt: 0,
})
const ask = say('user', text('Why?'))
const signed = { anthropic: { signature: 'sig' } }

/** The prompt without its members that are not looked at: each turn as its role and its parts. */
function promptOf(...messages: Message[]): unknown {
  return toModelPrompt(messages, model).map(({ role, content }) => [role, content])
}

describe('toModelPrompt', () => {
  it('gives a plain conversation as it is', () => {
    const answered = say('assistant', text('I look.'), call('c1', 'search', { query: 'why' }))
    expect(
      promptOf(say('system', text('Rules.')), ask, answered, say('tool', result('c1'))),
    ).toEqual([
      ['system', 'Rules.'],
      ['user', [text('Why?')]],
      ['assistant', [text('I look.'), wire('c1', { query: 'why' })]],
      [
        'tool',
        [
          {
            type: 'tool-result',
            toolCallId: 'c1',
            toolName: 'search',
            output: { type: 'text', value: 'found' },
          },
        ],
      ],
    ])
  })

  it('puts instructions first, as one, and joins neighbours of one role', () => {
    const messages = [
      ask,
      say('system', text('A')),
      say('user', text('Now?')),
      say('system', text('B')),
    ]
    expect(promptOf(...messages)).toEqual([
      ['system', 'A\n\nB'],
      ['user', [text('Why?\n\nNow?')]],
    ])
    expect(
      promptOf(ask, say('assistant', text('One')), say('assistant', text('two'), call('c'))),
    ).toMatchObject([
      ['user', {}],
      ['assistant', [text('One\n\ntwo'), { type: 'tool-call' }]],
      ['user', [text('Go on.')]],
    ])
  })

  it('lets the user begin and end, whatever is left', () => {
    expect(promptOf()).toEqual([['user', [text('Go on.')]]])
    expect(promptOf(say('assistant', text('Yes.')))).toEqual([
      ['user', [text('(Earlier messages are missing.)')]],
      ['assistant', [text('Yes.')]],
      ['user', [text('Go on.')]],
    ])
  })

  it('leaves out what is blank, and keeps white space inside a text', () => {
    const blank = say('assistant', text(' \n'), thought('hm'))
    expect(promptOf(say('user', text(' ')), ask, blank, say('user', text('x')))).toEqual([
      ['user', [text('Why?\n\nx')]],
    ])
    const streamed = say('assistant', text('a'), text('\n\n'), text('b'), call('c'))
    expect(promptOf(ask, streamed)).toMatchObject([{}, ['assistant', [text('a\n\nb'), {}]], {}])
  })

  it('replaces half characters, in the arguments and results of tools as well', () => {
    const half = 'x\ud83d'
    const prompt = promptOf(
      say('user', text(half)),
      say('assistant', text(half), call('c', 'search', { [half]: [half] })),
      say('tool', result('c', { deep: [half, 1, null] })),
    )
    const sent = JSON.stringify(prompt)
    expect(sent).not.toContain('\\ud83d')
    expect(sent.match(/x\ufffd/g)).toHaveLength(5)
  })

  it('keeps arguments that are no object where they can be seen', () => {
    const [, assistant] = toModelPrompt(
      [ask, say('assistant', call('c', 'search', '{"que'))],
      model,
    )
    expect(assistant?.content).toMatchObject([{ input: { invalid_arguments: '{"que' } }])
  })
})

describe('reasoning', () => {
  const turn = (metadata?: Origin['metadata']) =>
    say('assistant', thought('hm', metadata), text('so'), call('c'))
  const isShown = (to: string, ...messages: Message[]) =>
    JSON.stringify(toModelPrompt(messages, to)).includes('"reasoning"')

  it('goes back, signed, to the model that wrote it while its calls are answered', () => {
    const [, assistant] = toModelPrompt([ask, turn(signed), say('tool', result('c'))], model)
    expect(assistant?.content).toMatchObject([
      { type: 'reasoning', text: 'hm', providerOptions: signed },
      text('so'),
      { type: 'tool-call' },
    ])
  })

  it.each([
    ['another model', 'openai:gpt-5', [ask, turn(signed)]],
    ['a later question', model, [ask, turn(signed), say('tool', result('c')), ask]],
    ['an answer without calls', model, [ask, say('assistant', thought('hm', signed), text('so'))]],
    ['reasoning without a signature', model, [ask, turn()]],
    ['an item kept by the provider', model, [ask, turn({ openai: { itemId: 'rs_1', x: null } })]],
    [
      'a turn in which it does not come first',
      model,
      [ask, say('assistant', text('Well')), turn(signed)],
    ],
  ] as const)('is left out for %s', (_, to, messages) => {
    expect(isShown(to, ...messages)).toBe(false)
  })
})

describe('toModelTool', () => {
  it('names a tool as models are allowed to call it', () => {
    const tool = defineTool({
      name: 'web.fetch',
      description: 'Fetches.',
      input: z.object({ url: z.string() }),
      effect: 'read',
      execute: async () => null,
    })
    expect(toModelTool(tool)).toMatchObject({
      type: 'function',
      name: 'web_fetch',
      description: 'Fetches.',
      inputSchema: { type: 'object', required: ['url'] },
    })
    const [, assistant] = toModelPrompt([ask, say('assistant', call('c', 'web.fetch'))], model)
    expect(assistant?.content).toMatchObject([{ toolName: 'web_fetch' }])
  })
})

describe('toModelTool', () => {
  it('says of arguments what a model can use, and nothing else', () => {
    const tool = defineTool({
      name: 'read',
      description: 'Reads.',
      input: z.object({ page: z.number().int(), limit: z.number().int().min(1).max(20) }),
      effect: 'read',
      execute: async () => null,
    })
    expect(toModelTool(tool).inputSchema).toEqual({
      type: 'object',
      properties: {
        page: { type: 'integer' },
        limit: { type: 'integer', minimum: 1, maximum: 20 },
      },
      required: ['page', 'limit'],
    })
  })
})
