import { describe, expect, it } from 'vitest'
import { toolCallsFromText } from './tool-calls-from-text.ts'

const tools = [
  {
    name: 'search',
    parameters: {
      type: 'object',
      properties: {
        query: { type: 'string' },
        limit: { type: 'integer' },
        exact: { type: 'boolean' },
        tags: { type: 'array' },
        language: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      },
      required: ['query'],
    },
  },
  { name: 'list_files', parameters: { type: 'object', properties: {} } },
  { name: 'open', parameters: {} },
]
const named = '{"name": "search", "arguments": {"query": "CRISPR"}}'
const searched = { search: { query: 'CRISPR' } }

function callsIn(text: string, isCut = false): readonly unknown[] {
  const calls = toolCallsFromText(text, tools, isCut).calls.filter(({ isBroken }) => !isBroken)
  return calls.map(({ toolName, input }) => ({ [toolName]: input }))
}

describe('toolCallsFromText reads the form of', () => {
  it.each([
    [
      'Qwen3-Coder',
      '<tool_call>\n<function=search>\n<parameter=query>\nCRISPR\n</parameter>\n</function>\n</tool_call>',
    ],
    [
      'Qwen3-Coder without the first tag',
      '<function=search>\n<parameter=query>\nCRISPR\n</parameter>\n</function>\n</tool_call>',
    ],
    [
      'Qwen3-Coder without the inner closing tags',
      '<tool_call>\n<function=search>\n<parameter=query>\nCRISPR\n</tool_call>',
    ],
    [
      'GLM 4.5',
      '<tool_call>search\n<arg_key>query</arg_key>\n<arg_value>CRISPR</arg_value>\n</tool_call>',
    ],
    [
      'Claude',
      '<function_calls>\n<invoke name="search">\n<parameter name="query">CRISPR</parameter>\n</invoke>\n</function_calls>',
    ],
    [
      'MiniMax',
      '<minimax:tool_call>\n<invoke name="search">\n<parameter name="query">CRISPR</parameter>\n</invoke>\n</minimax:tool_call>',
    ],
    [
      'DeepSeek V3',
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>search\n```json\n{"query": "CRISPR"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    ],
    [
      'DeepSeek V3.1',
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>search<｜tool▁sep｜>{"query": "CRISPR"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    ],
    [
      'DeepSeek V3.2',
      '<｜DSML｜function_calls>\n<｜DSML｜invoke name="search">\n<｜DSML｜parameter name="query" string="true">CRISPR</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
    ],
    [
      'Kimi K2',
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.search:0<|tool_call_argument_begin|>{"query": "CRISPR"}<|tool_call_end|><|tool_calls_section_end|>',
    ],
    [
      'gpt-oss',
      '<|channel|>analysis<|message|>search would do<|end|><|start|>assistant<|channel|>commentary to=functions.search <|constrain|>json<|message|>{"query": "CRISPR"}<|call|>',
    ],
    [
      'FunctionGemma',
      '<start_function_call>call:search{query:<escape>CRISPR<escape>}<end_function_call>',
    ],
    ['Gemma 3', '```tool_code\nprint(search(query="CRISPR"))\n```'],
    [
      'Command R',
      '<|START_ACTION|>[\n  {"tool_call_id": "0", "tool_name": "search", "parameters": {"query": "CRISPR"}}\n]<|END_ACTION|>',
    ],
    ['Phi 4', 'functools[{"name": "search", "arguments": {"query": "CRISPR"}}]'],
    ['LFM2', '<|tool_call_start|>[search(query="CRISPR")]<|tool_call_end|>'],
    ['Olmo 3', '<function_calls>\nsearch(query="CRISPR")\n</function_calls>'],
    ['Nemotron', `<TOOLCALL>[${named}]</TOOLCALL>`],
    ['InternLM', `<|action_start|><|plugin|>${named}<|action_end|>`],
    ['LM Studio', `[TOOL_REQUEST]${named}[END_TOOL_REQUEST]`],
    [
      'Llama 3 behind its header',
      `<|start_header_id|>assistant<|end_header_id|>\n\n${named}<|eot_id|>`,
    ],
    ['a turn left over', `<|im_start|>assistant\n${named}<|im_end|>`],
    ['a turn left over by Gemma', `<start_of_turn>model\n${named}<end_of_turn>`],
    ['a Llama that calls', '<|python_tag|>search.call(query="CRISPR")<|eom_id|>'],
    ['Mistral with an id', '[TOOL_CALLS]search[CALL_ID]a1[ARGS]{"query": "CRISPR"}</s>'],
    [
      'parallel use',
      '{"tool_uses": [{"recipient_name": "functions.search", "parameters": {"query": "CRISPR"}}]}',
    ],
    ['arguments next to the name', '{"tool": "search", "query": "CRISPR"}'],
    ['text as the only required argument', '{"tool": "search", "input": "CRISPR"}'],
    ['an argument without its key', '[search("CRISPR")]'],
    ['three quotes', 'search(query="""CRISPR""")'],
    [
      'ReAct',
      'Thought: You could look it up, for example.\nAction: search\nAction Input: {"query": "CRISPR"}',
    ],
    ['ReAct with a fence', 'Action: `search`\nAction Input:\n```json\n{"query": "CRISPR"}\n```'],
    ['ReAct with text', 'Action: search\nAction Input: "CRISPR"\n'],
    ['ReAct in bold', '**Action:** search\n**Action Input:** CRISPR'],
    ['ReAct in brackets', 'Thought 1: I look it up.\nAction 1: search[CRISPR]'],
    ['ReAct with a call', 'Action: search(query="CRISPR")'],
  ])('%s', (_name, text) => {
    expect(toolCallsFromText(text, tools)).toMatchObject({
      calls: [{ toolName: 'search', input: { query: 'CRISPR' } }],
    })
    expect(callsIn(text)).toEqual([searched])
  })
})

describe('toolCallsFromText', () => {
  it('reads values without quotes as the tool’s schema has them', () => {
    const input = { query: '10', limit: 10, exact: true, tags: ['a', 1], language: '5' }
    const texts = Object.entries(input).map(([key, value]) => {
      return [key, typeof value === 'string' ? value : JSON.stringify(value)]
    })
    const parameters = texts.map(([key, text]) => `<parameter=${key}>\n${text}\n</parameter>`)
    expect(callsIn(`<function=search>\n${parameters.join('\n')}\n</function>`)).toEqual([
      { search: input },
    ])
    const pairs = texts.map(
      ([key, text]) => `<arg_key>${key}</arg_key><arg_value>${text}</arg_value>`,
    )
    expect(callsIn(`<tool_call>search${pairs.join('')}</tool_call>`)).toEqual([{ search: input }])
    expect(callsIn('<function=open><parameter=at>None</parameter></function>')).toEqual([
      { open: { at: null } },
    ])
  })

  it('keeps a text argument as it stands, tags and line breaks included', () => {
    const text = 'first line\n  <b>"second"</b> { line\n\nlast'
    expect(callsIn(`<function=search><parameter=query>\n${text}\n</parameter></function>`)).toEqual(
      [{ search: { query: text } }],
    )
  })

  it('finds a call once that is printed twice, in another form or at another place', () => {
    const tag = `<tool_call>${named}</tool_call>`
    expect(callsIn(`${tag}\n\`\`\`json\n${named}\n\`\`\``)).toEqual([searched])
    expect(callsIn(`I'll search:\n${named}\n\nI'll search:\n${tag}`)).toEqual([searched])
    expect(callsIn(`[${named}, ${named}]`)).toEqual([searched, searched])
  })

  it('takes the tokens around a call out of the rest', () => {
    const text = `I'll look.\n<|tool_calls_section_begin|><|tool_call_begin|>functions.search:0<|tool_call_argument_begin|>{"query": "x"}<|tool_call_end|><|tool_calls_section_end|><|im_end|>`
    expect(toolCallsFromText(text, tools).rest).toBe("I'll look.")
  })

  it('takes a tag’s name in a string of the call for text', () => {
    const query = 'what is <tool_call> and </tool_call>?'
    const text = `<tool_call>${JSON.stringify({ name: 'search', arguments: { query } })}</tool_call>`
    expect(callsIn(text)).toEqual([{ search: { query } }])
  })

  it('does a call that lacks its last brace, its arguments being whole', () => {
    expect(callsIn(named.slice(0, -1))).toEqual([searched])
    expect(callsIn(`<tool_call>\n${named.slice(0, -1)}`)).toEqual([searched])
  })

  it.each([
    '<tool_call>\n<function=search>\n<parameter=query>\nCRIS',
    '<function=search>\n<parameter=query>CRISPR</parameter>\n',
    '<tool_call>search\n<arg_key>query</arg_key>\n<arg_value>CRIS',
    '<invoke name="search">\n<parameter name="query">CRISPR</parameter>\n<parameter na',
    '<start_function_call>call:search{query:<escape>CRIS',
    '[TOOL_CALLS]search[ARGS]{"query": "CRISPR"',
    '{"name": "search", "arguments": {"query": "CRISPR"',
    '{"tool": "search", "query": "CRISPR"',
    '[{"name": "search", "arguments": {"query": "CRISPR"',
    'Action: search\nAction Input: {"query": "CRISPR"',
    'Action: search\nAction Input:',
    'search(query="CRISPR"',
  ])('does no call that is cut off where an argument may be missing: %s', (text) => {
    expect(callsIn(text)).toEqual([])
  })

  it('takes a call at the end for whole, unless the model was stopped there', () => {
    const text = 'Action: search\nAction Input: CRIS'
    expect(callsIn(text)).toEqual([{ search: { query: 'CRIS' } }])
    for (const cut of [text, `${text}\n`, named]) expect(callsIn(cut, true)).toEqual([])
    expect(callsIn(`${named}\n\nI'll wait for it.`, true)).toEqual([searched])
  })

  it('does the first action only, where the model invented what came of it', () => {
    const text =
      'Action: search\nAction Input: CRISPR\nObservation: It was found in 1987.\nAction: search\nAction Input: 1987'
    const { calls, rest } = toolCallsFromText(text, tools)
    expect(calls.map(({ input }) => input)).toEqual([{ query: 'CRISPR' }])
    expect(rest).toBe('')
  })

  it.each([
    ['arguments that are none of the tool’s', '{"name": "search", "arguments": {"colour": "red"}}'],
    ['no arguments where one is required', '{"name": "search", "arguments": {}}'],
    ['arguments to a tool without any', '[list_files(path="x")]'],
    ['a record with the same name', '{"name": "search", "colour": "red"}'],
    ['a log', 'Question: What?\nThought 1: Look.\nAction 1: search[x]\nObservation 1: y'],
    ['a numbered action with its result', 'Action 1: search[x]\nObservation 1: y'],
    ['a result', `<tool_response>\n${named}\n</tool_response>`],
    ['another speaker’s turn', `<|im_start|>user\n<tool_call>${named}</tool_call><|im_end|>`],
    ['thoughts whose tag was in the prompt', `I need it.\n${named}\n</think>\nNo.`],
    ['Mistral’s thoughts', `[THINK]\n${named}\n[/THINK]\nNo.`],
    ['quotation marks', `I will now use “<tool_call>${named}</tool_call>”`],
    ['straight quotation marks', `'<tool_call>${named}</tool_call>'`],
    ['a script', 'import api\n\nsearch(query="CRISPR")'],
    ['a question before it', `Should I search?\n${named}`],
    ['a question for permission', `Here is my call:\n${named}\nShall I run it?`],
  ])('leaves alone %s', (_name, text) => {
    expect(callsIn(text)).toEqual([])
  })

  it('takes a tool’s name for no word of a sentence, and no part of a word for its name', () => {
    const named = (name: string) => JSON.stringify({ name, arguments: { at: 1 } })
    const callsOf = (text: string, name: string) => toolCallsFromText(text, [{ name }]).calls.length
    expect(
      callsOf(`The best one here is example.page.\n${named('example.page')}`, 'example.page'),
    ).toBe(1)
    expect(callsOf(`An example:\n${named('x')}`, 'x')).toBe(0)
  })

  it('leaves a wrong argument next to a right one for the tool to refuse', () => {
    const text = '{"name": "search", "arguments": {"query": "CRISPR", "colour": "red"}}'
    expect(callsIn(text)).toEqual([{ search: { query: 'CRISPR', colour: 'red' } }])
  })
})

describe('calls among thoughts, words and braces', () => {
  const thought = '{"thought": "I need the paper."}'
  it.each([
    ['a thought before', `${thought}\n${named}`],
    ['a thought right before', `${thought}${named}`],
    ['a thought and a comma before', `${thought}, ${named}`],
    ['a thought in its fence', `\`\`\`json\n${thought}\n${named}\n\`\`\``],
    [
      'a thought in a fence of its own',
      `\`\`\`json\n${thought}\n\`\`\`\n\`\`\`json\n${named}\n\`\`\``,
    ],
    ['a thought in its list', `[${thought}, ${named}]`],
    ['a doubled brace', `{${named}`],
    ['doubled braces', `{${named}}`],
    ['a brace before', `}\n${named}`],
    ['a doubled brace in a tag', `<tool_call>{${named}</tool_call>`],
    ['Gemma 4', '<|tool_call>call:search{query:<|"|>CRISPR<|"|>}<tool_call|>'],
  ])('are read with %s', (_what, text) => {
    expect(callsIn(text)).toEqual([searched])
  })

  it.each([' and ', '\nThen the next one.\n', '\n\nNow the second search:\n'])(
    'are both read with words between: %j',
    (words) => {
      const other = '{"tool": "search", "arguments": {"query": "Cas9"}}'
      expect(callsIn(`${named}${words}${other}`)).toEqual([searched, { search: { query: 'Cas9' } }])
    },
  )

  it.each([
    ['null', 'list_files', {}],
    ['[]', 'list_files', {}],
    ['["CRISPR"]', 'search', { query: 'CRISPR' }],
    ['5', 'search', { query: 5 }],
  ])('take %s for the arguments of %s', (given, name, input) => {
    expect(callsIn(`{"name": "${name}", "arguments": ${given}}`)).toEqual([{ [name]: input }])
  })

  it('are not made up from thoughts, lists or code', () => {
    expect(callsIn(thought)).toEqual([])
    expect(callsIn('{"name": "search", "arguments": ["a", "b"]}')).toEqual([])
    expect(callsIn(`function run() {\n  send({${named}})\n}`)).toEqual([])
  })

  it('reads a hundred thousand thoughts in a time that grows with their length', () => {
    expect(callsIn(`${thought}\n`.repeat(100_000) + named)).toEqual([searched])
  }, 30_000)
})
