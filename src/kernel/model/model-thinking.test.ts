import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitThinking, type TextPiece, ThinkingSplitter } from './model-thinking.ts'

const thought = (text: string): TextPiece => ({ kind: 'reasoning', text })
const answer = (text: string): TextPiece => ({ kind: 'text', text })

const cases: readonly (readonly [string, string, readonly TextPiece[]])[] = [
  ['no thoughts', 'Just so.', [answer('Just so.')]],
  ['nothing', '', []],
  ['white space', ' \n ', [answer(' \n ')]],
  ['thoughts before the answer', '<think>Hm.</think>\n\nYes.', [thought('Hm.'), answer('Yes.')]],
  ['the longer tag', '<thinking>\nHm.\n</thinking>Yes.', [thought('Hm.'), answer('Yes.')]],
  ['another tag', '\n <reasoning>Hm.</reasoning> Yes.', [thought('Hm.'), answer('Yes.')]],
  ['large letters', '<THINK>Hm.</Think>Yes.', [thought('Hm.'), answer('Yes.')]],
  ['empty thoughts', '<think>\n\n</think>\n\nYes.', [answer('Yes.')]],
  ['two blocks', '<think>A</think>\n<think>B</think>C', [thought('AB'), answer('C')]],
  ['thoughts without an end', '<think>I wonder {"a":1}', [thought('I wonder {"a":1}')]],
  ['only thoughts', '<think>Hm.</think>\n', [thought('Hm.')]],
  [
    'JSON in the thoughts',
    '<think>{"a":1}</think>{"a":2}',
    [thought('{"a":1}'), answer('{"a":2}')],
  ],
  [
    'another closer inside',
    '<think>a </thinking> b</think>c',
    [thought('a </thinking> b'), answer('c')],
  ],
  ['a tag further on', 'So <think>no</think>.', [answer('So <think>no</think>.')]],
  ['a tag in code', '```\n<think>x</think>\n```', [answer('```\n<think>x</think>\n```')]],
  ['a quoted tag', '"<think>" begins thoughts.', [answer('"<think>" begins thoughts.')]],
  ['a tag of another name', '<thinker>x</thinker>', [answer('<thinker>x</thinker>')]],
  ['the beginning of a tag', '<thi', [answer('<thi')]],
  ['an end alone', 'I think.\n</think>\n\nYes.', [thought('I think.'), answer('Yes.')]],
  ['an end at a line end', 'I think.</think>\n{"a":1}', [thought('I think.'), answer('{"a":1}')]],
  ['an end within a line', 'The tag </think> ends it.', [answer('The tag </think> ends it.')]],
  ['an end in code', '```\na\n</think>\n```', [answer('```\na\n</think>\n```')]],
]

function join(pieces: readonly TextPiece[], kind: TextPiece['kind']): string {
  return pieces.map((piece) => (piece.kind === kind ? piece.text : '')).join('')
}

describe('splitThinking', () => {
  it.each(cases)('separates %s', (_what, text, pieces) => {
    expect(splitThinking(text)).toEqual(pieces)
  })

  it('takes time linear in the text', () => {
    const text = `<think>${'<'.repeat(1_000_000)}</think>${' '.repeat(1_000_000)}x`
    expect(splitThinking(text).map(({ text: { length } }) => length)).toEqual([1_000_000, 1])
  })
})

describe('ThinkingSplitter', () => {
  it('says the same wherever the text is cut into bits, and loses nothing', () => {
    const bits = fc.array(
      fc.constantFrom(
        '<think>',
        '</think>',
        '<',
        'think',
        '>',
        '</',
        'a',
        '\n',
        ' ',
        '<thinking>',
        'é',
        '😀',
      ),
    )
    const property = fc.property(bits, fc.array(fc.nat(9)), (words, sizes) => {
      const text = words.join('')
      const whole = new ThinkingSplitter()
      const inOne = [...whole.push(text), ...whole.end()]
      const splitter = new ThinkingSplitter()
      const pieces: TextPiece[] = []
      let rest = text
      for (const size of sizes) {
        pieces.push(...splitter.push(rest.slice(0, size)))
        rest = rest.slice(size)
      }
      pieces.push(...splitter.push(rest), ...splitter.end())
      for (const kind of ['text', 'reasoning'] as const)
        expect(join(pieces, kind)).toBe(join(inOne, kind))
    })
    fc.assert(property, { numRuns: 500 })
  })

  it('tells thoughts and answer as soon as they are known', () => {
    const splitter = new ThinkingSplitter()
    expect(splitter.push('<th')).toEqual([])
    expect(splitter.push('ink>Hm')).toEqual([thought('Hm')])
    expect(splitter.push('m.</thi')).toEqual([thought('m.')])
    expect(splitter.push('nk>\n')).toEqual([])
    expect(splitter.push('Yes')).toEqual([answer('Yes')])
    expect(splitter.push(' <think>')).toEqual([answer(' <think>')])
  })
})
