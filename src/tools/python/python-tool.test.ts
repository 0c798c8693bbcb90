import { afterAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../kernel/json.ts'
import { createSandbox } from '../sandbox/sandbox.ts'
import { createPythonTool } from './python-tool.ts'

const sandbox = createSandbox({ spareMs: 0 })
// Python is started once for all that does not depend on a process of its own.
const session = sandbox.openSession()
const tool = createPythonTool({ sandbox: { ...sandbox, run: session.run } })
const signal = new AbortController().signal

afterAll(() => sandbox.close())

async function run(code: string, inTool = tool): Promise<JsonObject> {
  const result = await inTool.execute({ code }, { signal, key: 'python', emit: () => {} })
  return result as JsonObject
}

describe('the tool python', () => {
  it('gives back what was printed and the value of the last expression', async () => {
    expect(await run('print("half of", 85)\n85 / 2')).toEqual({
      stdout: 'half of 85\n',
      value: 42.5,
      error: null,
      figures: [],
    })
  }, 90_000)

  it('gives values that are JSON as JSON, others as Python writes them', async () => {
    const code = `
from fractions import Fraction
values = [
  {'a': [1, None, True], 'b': 'é'}, Fraction(1, 3), 2 ** 100, float('nan'), (1, 2), 'text', {1: 2}, b'x']
[v if i in (0, 5) else repr(v) for i, v in enumerate(values)]`
    const { value } = await run(code)
    expect(value).toEqual([
      { a: [1, null, true], b: 'é' },
      'Fraction(1, 3)',
      '1267650600228229401496703205376',
      'nan',
      '(1, 2)',
      'text',
      '{1: 2}',
      "b'x'",
    ])
    expect((await run('2 ** 100')).value).toBe('1267650600228229401496703205376')
    expect((await run('x = 1')).value).toBeNull()
  }, 90_000)

  it('names the line and the way to it, of the code alone', async () => {
    const code = 'def half(n):\n  return n / 0\nprint("a")\nhalf(3)'
    expect(await run(code)).toMatchObject({
      stdout: 'a\n',
      value: null,
      error: {
        type: 'ZeroDivisionError',
        message: 'division by zero',
        line: 2,
        traceback: expect.stringMatching(/^ {2}File "<code>", line 4[\s\S]*return n \/ 0[\s\S]*$/),
      },
    })
    const { error } = await run('x = 1\ny = (2')
    expect(error).toMatchObject({ type: 'SyntaxError', line: 2, message: "'(' was never closed" })
  }, 90_000)

  it('draws, and escapes what is written on a drawing', async () => {
    const code = `
plot.line([1, 2, 3], [2, 4, 8], title='a < b')
plot.bar({'x': 1, 'y': 3})
plot.scatter([1, 2], [3, 4], x_label='k')
plot.hist([1, 2, 2, 3], bins=3)`
    const { figures, value, error } = await run(code)
    expect(error).toBeNull()
    expect(value).toBe('<figure 4>')
    expect(figures).toHaveLength(4)
    expect((await run('for i in range(9): plot.line(range(100_000))')).figures).toHaveLength(4)
    expect((figures as string[])[0]).toMatch(/^<svg .*<polyline .*a &lt; b.*<\/svg>$/)
  }, 90_000)

  it('says what a figure cannot show', async () => {
    expect((await run('plot.line([1, float("inf")])')).error).toMatchObject({
      type: 'ValueError',
      message: 'inf cannot be drawn',
      line: 1,
    })
    expect((await run('plot.line([1, 2], [1])')).error).toMatchObject({
      message: '2 values on one axis and 1 on the other',
    })
  }, 90_000)

  it('gives the same random numbers and the same order of sets each time', async () => {
    const code = 'import random; [random.random(), list({"a", "b", "c", "d"})]'
    const alone = createPythonTool({ sandbox })
    expect((await run(code, alone)).value).toEqual((await run(code, alone)).value)
  }, 90_000)

  it('refuses what is no code', () => {
    expect(tool.parse({ code: '' }).ok).toBe(false)
    expect(tool.parse({ source: '1' }).ok).toBe(false)
  })
})
