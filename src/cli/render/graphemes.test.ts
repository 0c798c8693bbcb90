import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isNarrow, splitGraphemes } from './graphemes.ts'

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
const characters = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code))
const narrow = characters.filter(isNarrow)

describe('characters as people count them', () => {
  it('are those of Unicode, of any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.oneof(fc.constantFrom(...narrow), fc.string()) }),
        (text) => {
          const all = [...segmenter.segment(text)].map(({ segment, index }) => ({ segment, index }))
          expect(
            [...splitGraphemes(text)].map(({ segment, index }) => ({ segment, index })),
          ).toEqual(all)
        },
      ),
    )
  })

  it('join with no other where they are narrow, and take one column', () => {
    expect(narrow.length).toBeGreaterThan(3_500)
    expect([...segmenter.segment(narrow.join(''))]).toHaveLength(narrow.length)
    const others = /^(?:\p{RGI_Emoji}|\p{Mn}|\p{Me}|\p{Cc}|\p{Cf})$/v
    expect(narrow.filter((character) => others.test(character))).toEqual([])
  })
})
