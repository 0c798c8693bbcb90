import { describe, expect, it } from 'vitest'
import { detectLanguage, normalizeNumbers } from './languages.ts'

describe('detectLanguage', () => {
  it.each([
    ['The lake is 251 metres deep.', 'english'],
    ['Der See ist 251 Meter tief.', 'german'],
    ['Le lac est profond et la rive est belle.', 'other'],
    ['长江是亚洲最长的河流，GDP 增长 5%。', 'chinese'],
    ['これは日本で最も長い川です。', 'other'],
    ['نهر النيل هو أطول نهر.', 'arabic'],
    ['Озеро очень глубокое.', 'other'],
    ['BERT 84.6', undefined],
  ])('%s', (text, language) => {
    expect(detectLanguage(text)).toBe(language)
  })
})

describe('normalizeNumbers', () => {
  it.each([
    [
      'Der See hat 1.250.000,5 und 3,2 und 1.250 m.',
      'Der See hat 1,250,000.5 und 3.2 und 1,250 m.',
    ],
    ['Am 12.03.2019 war es in 3.2 kalt.', 'Am 12.03.2019 war es in 3.2 kalt.'],
    ['The lake has 1,250 of 3.2 m.', 'The lake has 1,250 of 3.2 m.'],
    ['النسبة هي ٣٫٥٪ من ١٬٢٥٠', 'النسبة هي 3.5% من 1,250'],
    ['共１２，５００人，占３．５％。', '共12,500人，占3.5%。'],
  ])('%s', (text, normal) => {
    expect(normalizeNumbers(text)).toBe(normal)
    expect(normalizeNumbers(text)).toHaveLength(text.length)
  })
})
