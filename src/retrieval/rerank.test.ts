import { describe, expect, it } from 'vitest'
import { createDictionary } from './dictionary.ts'
import { readPassage, rerank } from './rerank.ts'
import { readContentWords } from './words.ts'

/** The texts by score, best first, where all words of the query are in as many passages of the index. */
function ranked(query: string, texts: readonly string[], total = 100): string[] {
  const dictionary = createDictionary()
  const words = readContentWords(query)
  const scores = rerank(
    { words, counts: new Map(words.map((word) => [word, 2])), total },
    texts.map((text) => readPassage('', text, dictionary)),
    dictionary,
  )
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
    const best = `Insulin, insulin and insulin: sensitivity of liver, glucose uptake. ${filler}`
    const near = `Insulin and uptake of glucose by liver. ${filler}`
    const far = `Insulin and curtains of velvet by night. ${filler}`
    expect(ranked('insulin', [far, near, best, other])).toEqual([best, near, far, other])
  })

  it('prefers the rarer words', () => {
    const dictionary = createDictionary()
    const counts = new Map([
      ['common', 90],
      ['rare', 2],
    ])
    const candidates = ['A common thing.', 'A rare thing.'].map((text) =>
      readPassage('', text, dictionary),
    )
    const query = { words: ['common', 'rare'], counts, total: 100 }
    const [common, rare] = rerank(query, candidates, dictionary)
    expect(rare).toBeGreaterThan(3 * (common as number))
  })

  it('gives a word that the query repeats more weight, but less than twice as much', () => {
    const dictionary = createDictionary()
    const counts = new Map([
      ['tea', 2],
      ['milk', 2],
    ])
    const candidates = ['On tea.', 'On milk.'].map((text) => readPassage('', text, dictionary))
    const query = { words: ['tea', 'milk', 'tea'], counts, total: 9 }
    const [tea, milk] = rerank(query, candidates, dictionary) as [number, number]
    expect(tea).toBeGreaterThan(1.1 * milk)
    expect(tea).toBeLessThan(1.9 * milk)
  })

  it('counts a word of the title twice', () => {
    const dictionary = createDictionary()
    const query = { words: ['tea'], counts: new Map([['tea', 2]]), total: 9 }
    const inTitle = readPassage('On tea', `It is dear. ${filler}`, dictionary)
    const inText = readPassage('On it', `Tea is dear. ${filler}`, dictionary)
    const [title, text] = rerank(query, [inTitle, inText], dictionary)
    expect(title).toBeGreaterThan(text as number)
  })

  it('gives finite scores, above 0 for a word that is everywhere', () => {
    const dictionary = createDictionary()
    const words = ['a', 'b']
    const query = { words, counts: new Map(words.map((word) => [word, 2])), total: 2 }
    const empty = readPassage('', '', dictionary)
    expect(rerank(query, [], dictionary)).toEqual([])
    expect(rerank(query, [empty, empty], dictionary)).toEqual([0, 0])
    const same = readPassage('tea b', 'tea b tea b', dictionary)
    for (const score of rerank(query, [same, same, same], dictionary)) {
      expect(score).toBeGreaterThan(0)
      expect(score).toBeLessThan(100)
    }
  })
})
