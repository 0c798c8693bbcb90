import { describe, expect, it } from 'vitest'
import { parseCotOutput } from './chain-of-thought.ts'
import { parseStructured } from './structured.ts'

const needed = ['thinking', 'answer']

function read(text: string, keys: readonly string[] = needed): unknown {
  const reading = parseStructured(text, keys)
  return reading.ok ? reading.value : reading.error.details.reason
}

describe('parseStructured', () => {
  it('reads a valid JSON output', () => {
    const value = { thinking: 'Step 1', answer: { kind: 'length', metres: 5 } }
    expect(read(JSON.stringify(value))).toEqual(value)
  })

  it('reads JSON in a fence, before any other', () => {
    const fenced = '```json\n{"thinking": "in the fence", "answer": 1}\n```'
    expect(read(`{"thinking": "before", "answer": 0}\n${fenced}`)).toEqual({
      thinking: 'in the fence',
      answer: 1,
    })
  })

  it('reads the first object that has the needed keys', () => {
    const text =
      'I use {"format": "json"}: {"thinking": "t", "answer": 2} or {"thinking": "u", "answer": 3}'
    expect(read(text)).toEqual({ thinking: 't', answer: 2 })
  })

  it('falls back to a thinking block when the JSON is malformed', () => {
    const text = '{"thinking": broken\n<thinking>My reasoning</thinking>\nAnswer: 42'
    expect(read(text)).toEqual({ thinking: 'My reasoning', answer: 42 })
  })

  it('takes a thinking block out of the text around it', () => {
    expect(read('<thinking>My reasoning</thinking> So it is blue.')).toEqual({
      thinking: 'My reasoning',
      answer: 'So it is blue.',
    })
    expect(read('It is blue. <THINKING>My reasoning</THINKING>')).toEqual({
      thinking: 'My reasoning',
      answer: 'It is blue.',
    })
  })

  it('takes an empty thinking block for what it is', () => {
    expect(read('<thinking></thinking>')).toEqual({ thinking: '', answer: '' })
  })

  it('keeps all lines of a thinking block', () => {
    expect(read('<thinking>\nLine1\nLine2\n</thinking>\nblue')).toEqual({
      thinking: 'Line1\nLine2',
      answer: 'blue',
    })
  })

  it('keeps an object in the answer as it is', () => {
    const text = '{"thinking": "…", "answer": {"nested": {"deep": true, "list": [1, null]}}}'
    expect(read(text)).toEqual(JSON.parse(text))
  })

  it('keeps characters of all scripts, in JSON and in a block', () => {
    const thinking = '思考步骤… Ünï 🧠 \u0130'
    expect(read(JSON.stringify({ thinking, answer: 1 }))).toMatchObject({ thinking })
    expect(read(`<thinking>${thinking}</thinking>答案`)).toEqual({ thinking, answer: '答案' })
  })

  it.each([
    ['Answer: 42', 42],
    ['-1.5', -1.5],
    ['042', '042'],
    ['12345678901234567890', '12345678901234567890'],
    ['1e999', '1e999'],
    ['true', true],
    ['["a", 1]', ['a', 1]],
    ['Final answer: 42 metres', '42 metres'],
  ])('reads the answer behind a block: %s', (text, answer) => {
    expect(read(`<thinking>t</thinking>\n${text}`)).toEqual({ thinking: 't', answer })
  })

  it.each([
    ['random garbage', 'There is no JSON object in the text.'],
    ['{"thinking": "partial', 'The JSON object is cut off before "answer".'],
    ['<thinking>without an end', 'There is no JSON object in the text.'],
    ['', 'There is no JSON object in the text.'],
  ])('gives a typed error that carries the raw text: %s', (text, reason) => {
    const reading = parseStructured(text, needed)
    expect(reading.ok ? undefined : reading.error).toMatchObject({
      code: 'model_output_malformed',
      message: expect.stringContaining(text),
      details: { reason, text },
    })
  })

  it('cuts the raw text of an error at 500 characters, and no character in half', () => {
    const reading = parseStructured(`${'x'.repeat(499)}🧠${'y'.repeat(2_000)}`, needed)
    const raw = reading.ok ? '' : String(reading.error.details.text)
    expect(raw).toHaveLength(500)
    expect(raw.isWellFormed()).toBe(true)
  })

  it('takes no thinking block where other keys are needed', () => {
    expect(read('<thinking>t</thinking> x', ['sub_problems'])).toBe(
      'There is no JSON object in the text.',
    )
  })

  it('says when what it read was cut off', () => {
    expect(parseStructured('{"thinking": "t", "answer": "bl', needed)).toEqual({
      ok: true,
      value: { thinking: 't', answer: 'bl' },
      truncated: true,
    })
  })
})

describe('parseCotOutput', () => {
  it('parses a JSON response with thinking and answer', () => {
    expect(parseCotOutput('{"thinking": "Step 1: convert", "answer": 42}')).toMatchObject({
      ok: true,
      value: { thinking: 'Step 1: convert', answer: 42 },
    })
  })

  it('parses a response with a thinking block', () => {
    expect(parseCotOutput('<thinking>My reasoning here</thinking>\nAnswer: 42')).toMatchObject({
      ok: true,
      value: { thinking: 'My reasoning here', answer: 42 },
    })
  })

  it('refuses JSON that is cut off in its thinking, with the raw text', () => {
    const text = '{"thinking": "partial'
    const parsed = parseCotOutput(text)
    expect(parsed).toMatchObject({ ok: false, error: { details: { text } } })
  })

  it.each([
    [['one', 'two'], 'one\ntwo'],
    [{ root: ['a'] }, '{"root":["a"]}'],
    [null, ''],
  ])('takes thoughts that are no text as text: %j', (thinking, text) => {
    expect(parseCotOutput(JSON.stringify({ thinking, answer: 1 }))).toMatchObject({
      value: { thinking: text },
    })
  })
})
