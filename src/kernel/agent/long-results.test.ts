import { describe, expect, it } from 'vitest'
import type { ModelBinding } from '../model/model.ts'
import { LongResults, maxResultCharacters, readResultName } from './long-results.ts'
import type { ToolResultPart } from './message.ts'
import { createToolRegistry } from './tool.ts'

const model = { effect: 'read', sizes: { windowTokens: 8_000 } } as ModelBinding
const noTools = createToolRegistry([])
const lines = Array.from({ length: 1_000 }, (_, index) => `line ${index} of the log`)
const result = (output: string): ToolResultPart => ({
  type: 'tool-result',
  toolCallId: 'c',
  toolName: 'run',
  output,
})

function read(long: LongResults, input: object): Promise<unknown> {
  const tool = long.registryFor(noTools).get(readResultName)
  const parsed = tool?.parse(input)
  if (parsed?.ok !== true) throw new Error('refused')
  const run = { signal: new AbortController().signal, key: 'key', emit() {} }
  return tool?.execute(parsed.value, run) as Promise<unknown>
}

describe('a result of more than a fifth of the window', () => {
  const long = new LongResults(model)
  const shown = String(long.shorten(result(lines.join('\n'))).output)

  it('is shown with its beginning, its end and the way to the rest', () => {
    expect(maxResultCharacters(model)).toBe(4_800)
    expect(shown.length).toBeLessThanOrEqual(4_800)
    expect(shown.startsWith('line 0 of the log\nline 1 ')).toBe(true)
    expect(shown.endsWith('line 999 of the log')).toBe(true)
    expect(shown).toMatch(/characters are left out here\. read_result \{"result": 1, "from": \d+\}/)
  })

  it('is read on to its end, nothing missing', async () => {
    let from = Number(/"from": (\d+)/.exec(shown)?.[1])
    let all = shown.slice(0, from)
    for (let isMore = true; isMore; ) {
      const part = String(await read(long, { result: 1, from }))
      const next = /\n\n\[\d+ more characters: "from": (\d+) reads on\.\]$/.exec(part)
      all += next === null ? part : part.slice(0, next.index)
      from = Number(next?.[1])
      isMore = next !== null
    }
    expect(all).toBe(lines.join('\n'))
  })

  it('is searched', async () => {
    expect(await read(long, { result: 1, find: 'LINE 500 of' })).toMatch(
      /^At \d+:\n[\s\S]*line 500 of/,
    )
    expect(await read(long, { result: 1, find: 'line' })).toMatch(/\[There are more places\.\]$/)
    expect(await read(long, { result: 1, find: 'stone' })).toBe(
      'These words do not stand in the result.',
    )
    await expect(read(long, { result: 2 })).rejects.toThrow('no shortened result 2')
  })
})

describe('a result for a model with a tiny window', () => {
  it('is shortened, and searched, to what fits', async () => {
    const long = new LongResults({ ...model, sizes: { windowTokens: 256 } })
    const shown = String(long.shorten(result(lines.join('\n'))).output)
    expect(shown.length).toBeLessThanOrEqual(1_000)
    expect(shown.startsWith('line 0 of the log\n')).toBe(true)
    const found = String(await read(long, { result: 1, find: 'line' }))
    expect(found.length).toBeLessThanOrEqual(1_000)
  })
})

describe('other results', () => {
  it('stay as they are, and no tool is added', () => {
    const long = new LongResults(model)
    const short = result('short')
    expect(long.shorten(short)).toBe(short)
    expect(long.registryFor(noTools)).toBe(noTools)
  })

  it('stay whole for an engine that computes with them', () => {
    const long = new LongResults({ ...model, effect: 'pure' })
    const whole = result(lines.join('\n'))
    expect(long.shorten(whole)).toBe(whole)
  })
})
