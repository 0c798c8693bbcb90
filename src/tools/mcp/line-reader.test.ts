import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeLargeAnswer, LineReader } from './line-reader.ts'

describe('LineReader', () => {
  it('gives the lines of bytes, wherever they are cut', () => {
    const lines = fc.array(
      fc
        .string({ unit: 'binary', maxLength: 20 })
        .map((text) => text.replaceAll(/\s/g, '').toWellFormed()),
    )
    fc.assert(
      fc.property(lines, fc.array(fc.nat(40), { maxLength: 20 }), (texts, cuts) => {
        const reader = new LineReader(10_000)
        let rest = Buffer.from(texts.map((text) => `${text}\n`).join(''))
        const read = []
        for (const cut of [...cuts, rest.length]) {
          read.push(...reader.push(rest.subarray(0, cut)))
          rest = rest.subarray(cut)
        }
        read.push(...reader.push(rest))
        expect(read).toEqual(texts.map((text) => ({ text: text.trim() })))
      }),
    )
  })

  it('keeps the ends of a line that is too long, and reads on after it', () => {
    const reader = new LineReader(1_000)
    const long = `{"id":7,${'x'.repeat(5_000)}"end"}`
    const lines = []
    for (let at = 0; at < long.length; at += 100)
      lines.push(...reader.push(Buffer.from(long.slice(at, at + 100))))
    lines.push(...reader.push(Buffer.from('\nnext\n')))
    expect(lines).toEqual([
      {
        sizeBytes: long.length,
        head: expect.stringMatching(/^\{"id":7,x+$/),
        tail: expect.stringMatching(/^x+"end"\}$/),
      },
      { text: 'next' },
    ])
  })
})

describe('tooLargeAnswer', () => {
  it.each([
    ['{"result":{"content":[{"type":"te', 'xxx"}]},"jsonrpc":"2.0","id":12}'],
    ['{"jsonrpc":"2.0","id":12,"result":{"content":[', '"xxx"}]}}'],
    ['{"jsonrpc":"2.0","id":12,"result":{"text":"', '\\"id\\": 99}"}]}}'],
  ])('finds the id at either end of %s', (head, tail) => {
    expect(describeLargeAnswer(`${head}\n${tail}`, 20_000_000)).toMatchObject({
      id: 12,
      error: { message: expect.stringContaining('20 MB or more') },
    })
  })

  it('gives nothing where there is none', () => {
    expect(describeLargeAnswer('{"result":{"id":3}\nxxx"}]}}', 20_000_000)).toBeUndefined()
  })
})
