import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalizeObjects, normalizeText, normalizeTexts, textsSchema } from './lenient-schemas.ts'

describe('a list of texts as a model wrote it', () => {
  it.each<[unknown, readonly string[]]>([
    [
      ['a', ['b', [['c']]]],
      ['a', 'b', 'c'],
    ],
    [[null, '', '  ', 'a', undefined], ['a']],
    [
      [1, true, 2.5],
      ['1', 'true', '2.5'],
    ],
    ['bare', ['bare']],
    [null, []],
    [undefined, []],
    [{ text: 'said', page: 3 }, ['said']],
    [[{ a: 'one', b: ['two', null] }], ['one two']],
    [[[[]], {}, [{}]], []],
  ])('%j becomes %j', (written, texts) => {
    expect(normalizeTexts(written)).toEqual(texts)
  })

  it('is a flat list of texts that say something, whatever it was', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const texts = normalizeTexts(value)
        expect(texts.every((text) => typeof text === 'string' && text.trim() === text)).toBe(true)
        expect(texts).not.toContain('')
        expect(texts.every((text) => text.isWellFormed())).toBe(true)
        expect(textsSchema.parse(value)).toEqual(texts)
      }),
    )
  })

  it('keeps each text once and in order, however deep it stands', () => {
    const nested = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(fc.stringMatching(/^[a-z]{1,5}$/), fc.array(tie('tree'))),
    })).tree
    fc.assert(
      fc.property(nested, (tree) => {
        const flat = [tree].flat(Number.POSITIVE_INFINITY)
        expect(normalizeTexts(tree)).toEqual(flat)
      }),
    )
  })

  it('stays as it is when it is taken again', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const texts = normalizeTexts(value)
        expect(normalizeTexts(texts)).toEqual(texts)
        expect(normalizeText(normalizeText(value))).toBe(normalizeText(value))
      }),
    )
  })
})

describe('a list of objects as a model wrote it', () => {
  it('is flat, without what is no object or text', () => {
    expect(normalizeObjects([[{ a: 1 }], null, 3, ' ', 'text', [[]]])).toEqual([{ a: 1 }, 'text'])
    expect(normalizeObjects({ a: 1 })).toEqual([{ a: 1 }])
    expect(normalizeObjects(undefined)).toEqual([])
  })
})
