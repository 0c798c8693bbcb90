import { describe, expect, it } from 'vitest'
import { findNonJson } from '../../kernel/json.ts'
import { maxResultChars, resultText, toResult } from './tool-result.ts'

const text = (value: unknown) => ({ type: 'text', text: value })

describe('toResult', () => {
  it('takes each kind of block', () => {
    const content = [
      text('a'),
      { type: 'image', mimeType: 'image/png', data: 'AAAA' },
      { type: 'audio', mimeType: 'audio/wav', data: 'AAA=' },
      { type: 'resource_link', uri: 'file:///a', name: 'a', mimeType: 'text/plain', size: 3 },
      { type: 'resource', resource: { uri: 'a:b', text: 'c', mimeType: 'text/plain' } },
      { type: 'resource', resource: { uri: 'a:b', blob: 'AAAA' } },
      { type: 'hologram' },
      'nonsense',
    ]
    expect(toResult({ content })).toEqual({
      content: [
        { type: 'text', text: 'a' },
        { type: 'image', mediaType: 'image/png', sizeBytes: 3, data: 'AAAA' },
        { type: 'audio', mediaType: 'audio/wav', sizeBytes: 2, data: 'AAA=' },
        {
          type: 'resource_link',
          uri: 'file:///a',
          name: 'a',
          mediaType: 'text/plain',
          sizeBytes: 3,
        },
        { type: 'resource', uri: 'a:b', mediaType: 'text/plain', text: 'c' },
        {
          type: 'resource',
          uri: 'a:b',
          mediaType: 'application/octet-stream',
          sizeBytes: 3,
          data: 'AAAA',
        },
        { type: 'unknown', kind: 'hologram' },
        { type: 'unknown' },
      ],
    })
  })

  it('keeps 1 MB over all blocks, and says what it left out', () => {
    const half = 'x'.repeat(maxResultChars / 2)
    const result = toResult({
      content: [text(half), text(half.slice(1)), { type: 'image', data: 'AAAA' }, text('end')],
    })
    expect(result.content[2]).toEqual({
      type: 'image',
      mediaType: 'application/octet-stream',
      sizeBytes: 3,
      omitted: 'It is too large.',
    })
    expect(result.content[3]).toEqual({ type: 'text', text: 'e' })
    expect(result.cut).toContain('application/octet-stream of 4 characters, 2 characters of text')
  })

  it('is JSON whatever a server sends', () => {
    const odd = [
      { content: 'no list' },
      { content: [null, 3, { type: 'text' }, { type: 'text', text: '\ud800' }] },
      {
        content: [
          { type: 'image', data: '<script>' },
          { type: 'resource', resource: null },
        ],
      },
      { structuredContent: null },
    ]
    for (const result of odd.map(toResult)) expect(findNonJson(result)).toBeUndefined()
    expect(toResult(odd[1] ?? {}).content[3]).toEqual({ type: 'text', text: '\ufffd' })
    expect(toResult(odd[2] ?? {}).content[0]).toMatchObject({ omitted: 'It is not base64.' })
  })

  it('takes structured content once, when a text says the same in another order', () => {
    const structuredContent = { a: 1, b: [2] }
    const content = [text('{"b": [2], "a": 1}'), text('{"a": 2}')]
    expect(toResult({ content, structuredContent })).toEqual({
      content: [text('{"a": 2}')],
      structured: structuredContent,
    })
  })

  it('leaves structured content out that is too deep', () => {
    let deep: unknown = 1
    for (let level = 0; level < 50_000; level++) deep = { deep }
    const result = toResult({ content: [text('a')], structuredContent: deep })
    expect(result).toEqual({
      content: [text('a')],
      cut: expect.stringContaining('deeper than 100'),
    })
  })
})

describe('resultText', () => {
  it('joins the texts and cuts them', () => {
    const result = toResult({
      content: [text('one'), { type: 'image', data: 'AAAA' }, text('two')],
    })
    expect(resultText(result, 100)).toBe('one\ntwo')
    expect(resultText(result, 5)).toBe('one…')
  })
})

describe('a result that says its text twice', () => {
  const twice = 'First "line"\nsecond'
  const content = [{ type: 'text', text: twice }]

  it.each([
    ['under a name of its own', { content: twice }],
    ['with white space around it', { result: `${twice}\n` }],
  ])('gives it once: %s', (_what, structuredContent) => {
    expect(toResult({ content, structuredContent })).toEqual({
      content: [{ type: 'text', text: twice }],
    })
  })

  it.each([
    ['another text', { content: 'other' }],
    ['more than the text', { content: twice, lines: 2 }],
  ])('keeps %s', (_what, structured) => {
    expect(toResult({ content, structuredContent: structured })).toMatchObject({ structured })
  })
})
