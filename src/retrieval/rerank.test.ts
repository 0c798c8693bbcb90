import { describe, expect, it } from 'vitest'
import { createDictionary } from './dictionary.ts'
import { readPassage, rerank } from './rerank.ts'
import { contentWords } from './words.ts'

/** The texts by score, best first; all have the same score in the index unless `bm25` says otherwise. */
function ranked(query: string, texts: readonly string[], bm25: readonly number[] = []): string[] {
  const dictionary = createDictionary()
  const candidates = texts.map((text, index) => ({
    reading: readPassage('', text, dictionary),
    bm25: bm25[index] ?? 1,
  }))
  const scores = rerank(contentWords(query), candidates, dictionary)
  return texts
    .map((text, index) => ({ text, score: scores[index] as number }))
    .sort((left, right) => right.score - left.score)
    .map(({ text }) => text)
}

const filler = 'Rain falls. Snow melts. Wind blows. Grass grows. Birds sing.'
const other = `Stones lie still. ${filler}`

describe('rerank', () => {
  it('prefers words of the query that stand together', () => {
    const together = `Heart failure came. ${filler} Luck stayed.`
    const apart = `Heart came. ${filler} Failure stayed. Luck.`
    expect(ranked('heart failure', [apart, together, other])[0]).toBe(together)
    expect(ranked('failure of the heart', [apart, together, other])[0]).toBe(together)
  })

  it('prefers other forms of a word to none', () => {
    const form = `Hyperhomocysteinaemia rose. ${filler}`
    expect(ranked('homocysteine', [other, form, other])[0]).toBe(form)
  })

  it('prefers what shares more with the best than the words of the query', () => {
    const best = `Insulin sensitivity of muscle and liver, glucose uptake. ${filler}`
    const near = `Glucose uptake of muscle. ${filler}`
    const far = `Velvet curtains of silk. ${filler}`
    expect(ranked('insulin', [far, near, best, other], [1, 1, 5, 1])[1]).toBe(near)
  })

  it('keeps the order of the index where nothing else speaks', () => {
    const texts = [`One thing. ${filler}`, `Two things. ${filler}`]
    expect(ranked('unheard', texts, [1, 2])).toEqual([texts[1], texts[0]])
  })

  it('gives finite scores for few, empty and equal candidates', () => {
    const dictionary = createDictionary()
    const empty = { reading: readPassage('', '', dictionary), bm25: 0 }
    expect(rerank(['a'], [], dictionary)).toEqual([])
    for (const score of rerank(['a', 'b'], [empty, empty], dictionary)) expect(score).toBe(0)
    const same = { reading: readPassage('A b', 'a b a b', dictionary), bm25: 1e-6 }
    for (const score of rerank(['a', 'b'], [same, same], dictionary)) {
      expect(score).toBeGreaterThan(0)
      expect(score).toBeLessThan(100)
    }
  })
})
