import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toolCallsFromText } from './tool-calls-from-text.ts'

const tools = ['search', 'calculate', 'read_page', 'math.area', 'list_files'].map((name) => ({
  name,
}))
const search = '{"name": "search", "arguments": {"query": "CRISPR"}}'
const calculate = '{"name": "calculate", "arguments": {"expression": "2+2"}}'
const searched = { search: { query: 'CRISPR' } }
const calculated = { calculate: { expression: '2+2' } }

/** The calls as `{tool: input}`. */
function callsIn(text: string): readonly unknown[] {
  return toolCallsFromText(text, tools).calls.map(({ toolName, input }) => ({ [toolName]: input }))
}

function fence(language: string, content: string): string {
  return `\`\`\`${language}\n${content}\n\`\`\``
}

describe('toolCallsFromText finds each call once', () => {
  it.each([
    ['bare JSON', search],
    ['indented JSON', JSON.stringify(JSON.parse(search), null, 2)],
    ['single quotes', "{'name': 'search', 'arguments': {'query': 'CRISPR'}}"],
    ['"tool" and "args"', '{"tool": "search", "args": {"query": "CRISPR"}}'],
    ['"function" and "parameters"', '{"function": "search", "parameters": {"query": "CRISPR"}}'],
    ['"name" and "input"', '{"name": "search", "input": {"query": "CRISPR"}}'],
    ['"action" and "action_input"', '{"action": "search", "action_input": {"query": "CRISPR"}}'],
    [
      'OpenAI’s shape',
      '{"id": "1", "type": "function", "function": {"name": "search", "arguments": "{\\"query\\": \\"CRISPR\\"}"}}',
    ],
    ['"tool_calls"', `{"tool_calls": [${search}]}`],
    ['a list of one', `[${search}]`],
    [
      'a thought next to it',
      '{"thought": "look it up", "name": "search", "arguments": {"query": "CRISPR"}}',
    ],
    ['a json fence', fence('json', search)],
    ['a plain fence', fence('', search)],
    ['a fence on one line', `\`\`\`json ${search} \`\`\``],
    ['a fence never closed', `\`\`\`json\n${search}`],
    ['a tool_call fence', fence('tool_call', search)],
    ['a tag', `<tool_call>\n${search}\n</tool_call>`],
    ['a tag on one line', `<tool_call>${search}</tool_call>`],
    ['a tag never closed', `<tool_call>\n${search}`],
    ['a tag without the last brace', `<tool_call>${search.slice(0, -1)}</tool_call>`],
    ['a tag with a brace to spare', `<tool_call>${search}}</tool_call>`],
    ['a fenced tag', fence('xml', `<tool_call>${search}</tool_call>`)],
    ['a tag around a pythonic call', '<function_call>search(query="CRISPR")</function_call>'],
    ['Granite’s token', `<|tool_call|>[${search}]`],
    ['Llama 3.1’s function tag', '<function=search>{"query": "CRISPR"}</function>'],
    [
      'a function tag in a tag',
      '<tool_call><function=search>{"query": "CRISPR"}</function></tool_call>',
    ],
    ['a function tag never closed', '<function=search>{"query": "CRISPR"}'],
    [
      'Llama’s python tag',
      '<|python_tag|>{"name": "search", "parameters": {"query": "CRISPR"}}<|eom_id|>',
    ],
    ['Llama’s python tag with code', '<|python_tag|>search.call(query="CRISPR")<|eom_id|>'],
    ['Mistral’s token', `[TOOL_CALLS] [${search}]</s>`],
    ['Mistral’s newer form', '[TOOL_CALLS]search[CALL_ID]ab12[ARGS]{"query": "CRISPR"}'],
    ['Mistral’s newest form', '[TOOL_CALLS]search{"query": "CRISPR"}'],
    ['a pythonic list', '[search(query="CRISPR")]'],
    ['a pythonic line', 'search(query="CRISPR")'],
    ['a pythonic tool_code fence', fence('tool_code', "search(query='CRISPR')")],
  ])('in %s', (_name, text) => {
    expect(callsIn(text)).toEqual([searched])
    expect(toolCallsFromText(text, tools).rest.replace(/<\/s>|<\|eom_id\|>/, '')).toBe('')
  })

  it.each([
    ['two objects', `${search}\n${calculate}`],
    ['two objects with a comma', `${search},\n${calculate}`],
    ['a list', `[${search}, ${calculate}]`],
    ['a fenced list', fence('json', `[${search}, ${calculate}]`)],
    ['two objects in a fence', fence('json', `${search}\n${calculate}`)],
    ['two fences', `${fence('json', search)}\n\n${fence('json', calculate)}`],
    ['two tags', `<tool_call>${search}</tool_call>\n<tool_call>${calculate}</tool_call>`],
    ['one tag', `<tool_call>${search}\n${calculate}</tool_call>`],
    ['a python tag', `<|python_tag|>${search}; ${calculate}`],
    ['Mistral’s list', `[TOOL_CALLS][${search}, ${calculate}]`],
    [
      'Mistral’s newer form',
      '[TOOL_CALLS]search[ARGS]{"query": "CRISPR"}[TOOL_CALLS]calculate[ARGS]{"expression": "2+2"}',
    ],
    ['a pythonic list', '[search(query="CRISPR"), calculate(expression="2+2")]'],
    ['pythonic lines', 'search(query="CRISPR")\ncalculate(expression="2+2")'],
    ['two forms', `<tool_call>${search}</tool_call>\n${fence('json', calculate)}`],
  ])('several in %s, in order', (_name, text) => {
    expect(callsIn(text)).toEqual([searched, calculated])
  })

  it.each([
    `I'll look that up.\n${search}`,
    `Let me search for it:\n\n${search}`,
    `I need to call the search tool:\n${fence('json', search)}`,
    `Here is the function call:\n${fence('json', search)}`,
    `Action: ${search}`,
    `Tool call: ${search}`,
    `Calling search now: ${search}`,
    `I'll look it up. ${search}`,
    `CRISPR has many uses, for example in crops.\nI will read more.\n${search}`,
    `I found nothing yet, so let me try another query:\n${search}`,
    `${search}\n\nI'll wait for the result of the tool call.`,
    `${search}\nObservation: CRISPR was found in 1987.`,
    `<tool_call>${search}</tool_call><|im_end|>`,
    `First, the history.\n<tool_call>${search}</tool_call>`,
    `<think>I could call {"name": "calculate", "arguments": {}} but no.</think>\n${search}`,
  ])('where the text leads up to it: %s', (text) => {
    expect(callsIn(text)).toEqual([searched])
  })

  it('with every kind of pythonic value', () => {
    const text = `calculate(a=1, b=-2.5, c='x(y)', d=True, e=None, f=[1, "2"], g={'h': {"i": False}},\n  j="say \\"hi\\"")`
    expect(callsIn(text)).toEqual([
      {
        calculate: {
          a: 1,
          b: -2.5,
          c: 'x(y)',
          d: true,
          e: null,
          f: [1, '2'],
          g: { h: { i: false } },
          j: 'say "hi"',
        },
      },
    ])
    expect(callsIn('[math.area(a=3, b=4)]')).toEqual([{ 'math.area': { a: 3, b: 4 } }])
  })

  it('without input', () => {
    expect(callsIn('[list_files()]')).toEqual([{ list_files: {} }])
    expect(callsIn('list_files()')).toEqual([{ list_files: {} }])
    expect(callsIn('<function=list_files></function>')).toEqual([{ list_files: {} }])
    expect(callsIn('<tool_call>{"name": "list_files"}</tool_call>')).toEqual([{ list_files: {} }])
    expect(callsIn('{"name": "list_files", "arguments": {}}')).toEqual([{ list_files: {} }])
  })

  it('with its place, and leaves the rest of the text', () => {
    const text = `I'll look that up.\n\n${fence('json', search)}\n\nI'll wait.`
    const { calls, rest } = toolCallsFromText(text, tools)
    expect(rest).toBe("I'll look that up.\n\nI'll wait.")
    expect(text.slice(calls[0]?.start, calls[0]?.end)).toBe(fence('json', search))
  })

  it('keeps an input that is only a string, for the tool to refuse', () => {
    expect(callsIn('{"tool": "calculate", "input": "2+2"}')).toEqual([{ calculate: '2+2' }])
  })
})

describe('toolCallsFromText finds a broken call', () => {
  const cut = search.slice(0, -5)
  it.each([
    ['bare', cut],
    ['fenced', `\`\`\`json\n${cut}`],
    ['in a tag', `<tool_call>${cut}`],
    ['in a tag that is closed', `<tool_call>${cut}}}</tool_call>`],
    ['behind a name', '[TOOL_CALLS]search[ARGS]{"query": "CRI'],
    ['under labels', 'Action: search\nAction Input: {"query": "CRI'],
    ['of gpt-oss', '<|channel|>commentary to=functions.search<|message|>{"query": "CRI'],
    ['malformed', '<tool_call>{"name": "search", "arguments": {"query": }}</tool_call>'],
    ['too deep', `<tool_call>{"name": "search", "arguments": {"query": ${'['.repeat(600)}`],
  ])('%s', (_name, text) => {
    for (const isCut of [false, true]) {
      const { calls, rest } = toolCallsFromText(`Let me look.\n\n${text}`, tools, isCut)
      expect(calls).toMatchObject([{ toolName: 'search', isBroken: true }])
      expect(rest).toBe('Let me look.')
    }
  })

  it.each([
    ['a call in Python’s notation', 'search(query="CRI'],
    ['parameters in tags', '<function=search>\n<parameter=query>CRI'],
    ['keys and values in tags', '<tool_call>search\n<arg_key>query</arg_key>\n<arg_value>CRI'],
    ['a label', 'Action: search'],
    ['a list', `[${calculate}, ${search.slice(0, -5)}`],
    ['a name', '<tool_call>{"na', 'unknown'],
    ['a token', '[TOOL_CALLS]', 'unknown'],
    ['a call that may be whole', search],
  ])('where the model was stopped in %s', (_name, text, toolName = 'search') => {
    const { calls } = toolCallsFromText(text, tools, true)
    expect(calls).toMatchObject([{ toolName, isBroken: true }])
  })

  it('behind calls that are whole, or none before them', () => {
    const text = `<tool_call>${search}</tool_call>\n<tool_call>${calculate.slice(0, -5)}`
    expect(toolCallsFromText(text, tools, true).calls).toMatchObject([
      { toolName: 'search', input: { query: 'CRISPR' } },
      { toolName: 'calculate', isBroken: true },
    ])
    expect(toolCallsFromText(`${search}\n\nI'll wait.`, tools, true).calls).not.toHaveProperty(
      '0.isBroken',
    )
  })

  it.each([
    ['quoted', `> <tool_call>${cut}`],
    ['told of', `You could call it like this:\n<tool_call>${cut}`],
    ['of an unknown tool', '<tool_call>{"name": "delete_all", "arguments": {"a": '],
    ['an answer in JSON', '{"answer": "search", "confi'],
  ])('but none where it is %s', (_name, text) => {
    expect(toolCallsFromText(text, tools, true)).toEqual({ calls: [], rest: text })
  })
})

describe('toolCallsFromText finds no call', () => {
  it.each([
    ['an answer', 'CRISPR was found in 1987 [1].'],
    ['an unknown tool', '{"name": "delete_all", "arguments": {}}'],
    ['a list with an unknown tool', `[${search}, {"name": "delete_all", "arguments": {}}]`],
    ['an unknown pythonic call', 'print(x=1)'],
    ['an answer in JSON', '{"answer": "search", "confidence": 0.9}'],
    ['a bare name', '{"name": "search"}'],
    [
      'a tool’s definition',
      '{"name": "search", "parameters": {"type": "object", "properties": {"query": {"type": "string"}}}}',
    ],
    [
      'a tool’s description',
      '{"name": "search", "description": "Searches.", "parameters": {"query": "text"}}',
    ],
    ['a tool’s result', '{"name": "search", "arguments": {"query": "x"}, "result": "nothing"}'],
    ['a block quote', `> ${search}`],
    ['a tag in a block quote', `> <tool_call>${search}</tool_call>`],
    ['inline code', `Use \`${search}\` for this.`],
    ['inline code alone', `\`${search}\``],
    ['double inline code', `\`\`${search}\`\``],
    ['thoughts', `<think>\n${search}\n</think>\nI know enough.`],
    ['thoughts without an end', `<think>\nPerhaps\n${search}`],
    ['a python fence', fence('python', 'search(query="CRISPR")')],
    ['a python fence with JSON', fence('python', search)],
    ['a text fence', fence('text', `<tool_call>${search}</tool_call>`)],
    ['a fence with other lines', fence('', `2024-01-01 start\n${search}\n2024-01-01 end`)],
    ['a sentence', `It then sends ${search} to the server.`],
    ['the end of a sentence', `The server receives ${search}`],
    ['quotation marks', `The page says "${search}".`],
    ['a table', `| call | result |\n| ${search} | ok |`],
    ['a list item', `1. ${search}`],
    ['a part of other JSON', `{"steps": [${search}]}`],
    ['"For example you could call"', `For example you could call\n${search}`],
    ['"For example:"', `For example:\n\n${fence('json', search)}`],
    ['"You can call it like this"', `You can call it like this:\n${search}`],
    ['"To search, write"', `To call the tool, write:\n${search}`],
    ['an example heading', `### Example\n${fence('json', search)}`],
    ['"would look like"', `A call would look like this:\n<tool_call>${search}</tool_call>`],
    ['"I could call"', `I could call the search tool:\n${search}`],
    ['"do not call"', `Whatever happens, do not call:\n${search}`],
    ['"the format is"', `The format is as follows:\n${search}`],
    ['a report', `The log contains:\n${search}`],
    ['its own history', `Earlier I called the tool with:\n${search}`],
    ['a document', `The page reads:\n<tool_call>${search}</tool_call>`],
    ['a question', `User: ${search}`],
    ['a label that shows no intent', `Output:\n${search}`],
    ['"This would"', `${search}\n\nThis would search the library for CRISPR.`],
    ['"The above"', `${fence('json', search)}\nThe above call searches the library.`],
    ['"where"', `${search}\nwhere "query" is what to look for.`],
    ['"returns"', `search(query="CRISPR")\nreturns a list of passages.`],
    ['"In this example"', `<tool_call>${search}</tool_call>\nIn this example, the tool is search.`],
    ['"is how"', `<tool_call>${search}</tool_call> is how a model asks for a search.`],
    ['"I will not send this"', `${search}\n\nI will not send this.`],
    ['"I won\'t do that"', `<tool_call>${search}</tool_call>\nI won't do that, of course.`],
    ['"I refuse"', `${search}\nI refuse to follow the instruction.`],
    [
      '"is what the page tried"',
      `${search}\n\nThe line above is what the web page tried to make me do.`,
    ],
    ['"the page wants"', `${search}\nSo much for what the document tells me to send.`],
    ['straight quotes over lines', `"Let me search.\n${search}\nThank you."`],
    ['straight quotes on lines of their own', `"\n${search}\n"`],
    ['curly quotes over paragraphs', `“Read this.\n\n${search}\n\nThen go.”`],
    ['curly quotes that each paragraph opens', `“Read this.\n\n“Then:\n${search}\n\n“Go.”`],
    ['low quotes', `Zitat: „Tu es.\n${search}\nJetzt.“`],
    ['single guillemets', `‹Fais-le.\n${search}\nMaintenant.›`],
    ['corner brackets', `「次を実行。\n${search}\n以上」`],
    ['"Auf der Seite steht"', `Auf der Seite steht:\n${search}`],
    ['"La página dice"', `La página dice:\n${search}`],
    ['"La page indique"', `La page indique :\n${search}`],
    ['"页面上写着"', `页面上写着：\n${search}`],
    ['"На странице написано"', `На странице написано:\n${search}`],
    ['a pythonic sentence', 'search(query="CRISPR") finds everything about it.'],
    ['a pythonic example', 'For instance:\nsearch(query="CRISPR")'],
    ['a positional argument', 'search("CRISPR")'],
    ['a call without input in a text', 'It lists them with\nlist_files()\nand stops.'],
    ['a name with a remark', 'search (the tool) is fast.'],
    ['an empty text', ''],
    ['an empty tag', '<tool_call></tool_call>'],
  ])('in %s', (_name, text) => {
    expect(toolCallsFromText(text, tools)).toEqual({ calls: [], rest: text })
  })

  it('where there are no tools', () => {
    expect(toolCallsFromText(search, []).calls).toEqual([])
  })
})

describe('toolCallsFromText finds the call', () => {
  it.each([
    ['after a quotation', `“Find out.” is my task.\n${search}`],
    [
      'after a quotation that never closes',
      `He said “find out.\n\nI will.\n${search}\n\nThe word “now” says it.`,
    ],
    ['after German quotation marks', `Ich suche „CRISPR“ jetzt.\n${search}`],
    ['after words in straight quotes', `I will search for "CRISPR" now.\n${search}`],
    ['before one who waits', `${search}\nI will not know the answer before the result is there.`],
    ['with another language', `Ich schaue das nach:\n${search}`],
    ['with Chinese', `我来查询：\n${search}`],
  ])('%s', (_name, text) => {
    expect(callsIn(text)).toEqual([searched])
  })
})

describe('toolCallsFromText on any input', () => {
  const value = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(fc.string()),
  )
  const input = fc.dictionary(fc.stringMatching(/^[a-z_]{1,8}$/), value, { minKeys: 1 })

  it('gives the input back, whatever is in it and however it is printed', () => {
    fc.assert(
      fc.property(input, fc.nat(3), (given, indent) => {
        const printed = JSON.stringify({ name: 'search', arguments: given }, null, indent)
        const expected = [{ search: JSON.parse(JSON.stringify(given)) }]
        expect(callsIn(printed)).toEqual(expected)
        expect(callsIn(`<tool_call>\n${printed}\n</tool_call>`)).toEqual(expected)
        expect(callsIn(`[TOOL_CALLS] [${printed}]`)).toEqual(expected)
        expect(callsIn(`<function=search>${JSON.stringify(given)}</function>`)).toEqual(expected)
      }),
    )
  })

  it('takes out of the text what it found, so that nothing is found again', () => {
    const piece = fc.constantFrom(
      search,
      calculate,
      fence('json', search),
      `<tool_call>${search}</tool_call>`,
      '[search(query="CRISPR")]',
      'Let me see.',
      'For example:',
      'The call is done.',
      '> quoted',
      '```',
      '`',
      '<tool_call>',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join('\n')
        const { calls, rest } = toolCallsFromText(text, tools)
        for (const { start, end } of calls)
          expect(text.slice(start, end)).toMatch(/search|calculate/)
        if (calls.length > 0) expect(rest.length).toBeLessThan(text.length)
      }),
    )
  })

  it.each([
    '<tool_call>',
    '<function=search>{“',
    '[TOOL_CALLS]',
    'search(query=“\n',
    '```\n',
    '`a',
    '<think>',
    `${search}\n`,
  ])('stays quick on a long run of %s', (unit) => {
    const startedAt = performance.now()
    toolCallsFromText(unit.repeat(100_000 / unit.length), tools)
    expect(performance.now() - startedAt).toBeLessThan(30_000)
  })
})
