import { describe, expect, it } from 'vitest'
import { readContentWords } from './words.ts'

describe('contentWords', () => {
  it.each([
    ['What is CRISPR, and who discovered it?', ['crispr', 'discovered']],
    ['To be, or not to be: what is it?', []],
    ["Crohn's disease isn't what they’d say", ['crohn', 'disease', 'say']],
    ['aforementioned things', ['aforementioned', 'things']],
    ['Ångström, naïve façade', ['angstrom', 'naive', 'facade']],
    [
      'eﬃcient ﬁbres, 10 cm² of soft\u00adware',
      ['efficient', 'fibres', '10', 'cm2', 'cm', 'software'],
    ],
    ['miR146a and p53 in IL-2', ['mir146a', 'mir', '146', 'p53', '53', 'il', '2']],
    ['人工智能 by 王', ['人工', '工智', '智能', '王']],
    ['GPT模型', ['gpt', '模型']],
    ['हिन्दी भाषा', ['हिन्दी', 'भाषा']],
    ['🧬 \u0000 "*" () -- \ud800', []],
  ])('of %j', (text, words) => {
    expect(readContentWords(text)).toEqual(words)
  })

  it('takes a stop word as a part of a longer word', () => {
    expect(readContentWords('therapy theory isotope isé')).toEqual([
      'therapy',
      'theory',
      'isotope',
      'ise',
    ])
  })

  it.each([
    ['with and without vowel signs', 'كيلومترًا', 'كيلومترا'],
    ['with and without hamza', 'أطول', 'اطول'],
    ['with the article and "and"', 'والنهر', 'نهر'],
    ['other digits', '١٩٦٠', '1960'],
    ['fullwidth digits', '１９６０', '1960'],
  ])('finds Arabic words and digits of other scripts: %s', (_, one, other) => {
    expect(readContentWords(one)).toEqual(readContentWords(other))
  })

  it('keeps the letters of short Arabic words', () => {
    expect(readContentWords('ولد')).toEqual(['ولد'])
  })
})
