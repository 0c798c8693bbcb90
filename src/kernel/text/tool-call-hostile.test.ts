import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { toolCallsFromText } from './tool-calls-from-text.ts'

const call = '{"name": "search", "arguments": {"query": "CRISPR"}}'
const tools = [
  {
    name: 'search',
    parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
  },
  { name: 'list_files', parameters: {} },
]

/** The processor's time in ms, which other processes do not lengthen as they do the clock's. */
function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** A reading of `unit`, repeated to about `length` characters, in ms; the shorter of two where one took `enoughMs` or longer. */
function timeOf(unit: string, length: number, enoughMs = 0): number {
  const text = unit.repeat(length / unit.length)
  const read = () => {
    const startedMs = processorMs()
    toolCallsFromText(text, tools)
    return processorMs() - startedMs
  }
  const first = read()
  return first < enoughMs ? first : Math.min(first, read())
}

describe('toolCallsFromText on a hostile text', () => {
  it.each([
    '<tool_call>',
    '<tool_call>{"a',
    '<tool_call>search<arg_key>',
    '<function=search><parameter=a>',
    '<invoke name="search">\n',
    '<｜tool▁call▁begin｜>search<｜tool▁sep｜>',
    '<|channel|>commentary to=functions.search<|message|>{',
    '<start_function_call>call:search{a:<escape>',
    '[TOOL_CALLS]search   ',
    'functools[',
    'Action: search\nAction Input: a\n',
    'Action: search[',
    'search(query="""\n',
    '[search(',
    'list_files()\n',
    '```tool_code\n',
    '`a',
    '“',
    '‹\n\n',
    '"a\n',
    `above I do not ${call}\n`,
    '<think>',
    '<tool_response>',
    '<|im_start|>user\n',
    `${call}<|x|>`,
    call,
    `${'not need '.repeat(40)}\n${call}\n`,
    '{"name": "search", "arguments": {"a": ',
  ])('takes time in proportion to its length: %s', { timeout: 60_000 }, (unit) => {
    timeOf(unit, 20_000)
    const short = timeOf(unit, 100_000)
    // Eight times the text: in proportion it takes 8 times as long, with the square of its length 64 times.
    const most = Math.max(short, 5) * 30
    expect(timeOf(unit, 800_000, most)).toBeLessThan(most)
  })

  it('reads what a fence of any length holds', () => {
    const mark = '`'.repeat(100_000)
    const { calls, rest } = toolCallsFromText(`${mark}json\n${call}\n${mark}\nDone.`, tools)
    expect(calls).toMatchObject([{ toolName: 'search', input: { query: 'CRISPR' } }])
    expect(rest).toBe('Done.')
    expect(toolCallsFromText(`${mark}\n${mark.slice(1)}\n${call}`, tools).calls).toEqual([])
  })
})

const data = process.env.SCHOLIUM_DATA
describe.skipIf(!data)('toolCallsFromText on broken JSON (needs SCHOLIUM_DATA)', () => {
  it('fails on none of the cases of two repair libraries, bare, fenced, in a tag or as arguments', () => {
    const folder = join(data as string, '05-llm-output', 'json-repair-cases')
    const inputs = readdirSync(folder).flatMap((file) =>
      readFileSync(join(folder, file), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => String(JSON.parse(line).input)),
    )
    expect(inputs.length).toBeGreaterThan(200)
    for (const input of inputs) {
      for (const text of [
        input,
        `\`\`\`json\n${input}\n\`\`\``,
        `<tool_call>${input}</tool_call>`,
        `{"name": "search", "arguments": ${input}}`,
        `search(query=${input})`,
        `Action: search\nAction Input: ${input}`,
      ]) {
        const { calls, rest } = toolCallsFromText(text, tools)
        expect(calls.every(({ toolName }) => toolName === 'search')).toBe(true)
        if (calls.length === 0) expect(rest).toBe(text)
      }
    }
  })
})
