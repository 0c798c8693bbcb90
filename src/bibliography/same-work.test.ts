import { describe, expect, it } from 'vitest'
import type { CslItem, CslName } from '../citations/source.ts'
import { compareAuthors } from './compare-authors.ts'
import { compareTitles, normalizeTitle } from './compare-titles.ts'
import { compareWorks, isSameWork } from './same-work.ts'

describe('plainTitle', () => {
  it('is the same for every way of writing a title', () => {
    expect(normalizeTitle('RETRACTED: The <i>Café</i>’s {TeX}: “Part\u00a02”')).toBe(
      'the cafes tex part 2',
    )
    const word = 'word '.repeat(300)
    expect(normalizeTitle(word)).toBe(word.trim())
  })
})

describe('compareTitles', () => {
  it.each([
    ['Attention Is All You Need', 'attention is all you need.'],
    ['{A}ttention in \\textit{Homo} {s}apiens', 'Attention in <i>Homo</i> sapiens'],
    ['Étude d’un cas: Łódź', 'Etude dun cas – Lodz'],
    ['Pre-training on a data set', 'Pretraining on a dataset'],
    ['The colour of hormones', 'Color of hormone'],
    ['RETRACTED: A study of things', 'A study of things'],
    ['[Retracted] A study of things', 'A study of things'],
    ['NRF 2 regulates TP 53', 'NRF2 regulates TP53'],
  ])('takes %s and %s for one', (one, other) => {
    expect(compareTitles(one, other)).toBe('same')
    expect(compareTitles(other, one)).toBe('same')
  })

  it.each([
    ['A study of things', 'A study of things: the first ten years'],
    [
      'Novel covalent inhibitors of lipid kinases in cancer',
      'Covalent inhibitors of lipid kinases in cancer',
    ],
    ['Correction: A long study of many things', 'A long study of many things'],
    ['', 'A study'],
  ])('does not decide between %s and %s', (one, other) => {
    expect(compareTitles(one, other)).toBe('unclear')
    expect(compareTitles(other, one)).toBe('unclear')
  })

  it.each([
    ['On the theory of long things, part I', 'On the theory of long things, part II'],
    [
      'Crystal structure of PIP4KIIBETA T201M complex with AMP',
      'Crystal structure of PIP4KIIBETA F205L complex with AMP',
    ],
    ['Effects of X in mice', 'Effects of X in rats'],
    ['Symmetric encryption', 'Asymmetric encryption'],
    ['Attention is all you need', 'Deep residual learning'],
  ])('tells %s from %s', (one, other) => {
    expect(compareTitles(one, other)).not.toBe('same')
  })
})

const name = (family: string, given?: string): CslName => ({ family, ...(given ? { given } : {}) })

describe('compareAuthors', () => {
  it.each<[readonly CslName[], readonly CslName[]]>([
    [[name('Müller', 'Jörg')], [name('Muller', 'J.')]],
    [[{ ...name('Berg', 'Jan'), 'non-dropping-particle': 'van den' }], [name('van den Berg', 'J')]],
    [[name('Wei', 'Zhang')], [name('Zhang', 'Wei')]],
    [[name('M. Bran', 'Andres')], [name('Bran', 'Andrés M')]],
    [[name('García Márquez', 'Gabriel')], [name('Márquez', 'G.')]],
    [[{ literal: 'Jane Doe' }], [name('Doe', 'Jane')]],
    [[{ literal: 'World Health Organization' }], [{ literal: 'world health organization' }]],
    [[name("O'Neil")], [name('O’Neil', 'X.')]],
    [
      [name('Adams', 'A'), name('Berg', 'B'), name('Cole', 'C')],
      [name('Adams', 'A.'), { literal: 'et al.' }],
    ],
  ])('takes %j and %j for the same', (one, other) => {
    expect(compareAuthors(one, other)).toBe('same')
    expect(compareAuthors(other, one)).toBe('same')
  })

  it.each<[readonly CslName[], readonly CslName[]]>([
    [[name('Müller', 'Jörg')], [name('Müller', 'Karl')]],
    [[name('Doe', 'Jane')], [name('Roe', 'Jane')]],
  ])('tells %j from %j', (one, other) => {
    expect(compareAuthors(one, other)).toBe('different')
  })

  it('does not decide where the first name differs, or one list is empty', () => {
    const [adams, berg] = [name('Adams', 'A'), name('Berg', 'B')]
    expect(compareAuthors([adams, berg], [berg, adams])).toBe('unclear')
    expect(compareAuthors([adams], [])).toBe('unclear')
  })
})

const work: CslItem = {
  id: 'x',
  type: 'article-journal',
  title: 'A long study of many things',
  author: [name('Adams', 'Ann'), name('Berg', 'Bo')],
  issued: { 'date-parts': [[2020]] },
  DOI: '10.1000/a',
}
const { DOI: _, ...unidentified } = work
const preprint: CslItem = {
  ...work,
  type: 'article',
  DOI: '10.48550/arXiv.1901.00001',
  issued: { 'date-parts': [[2019]] },
}
const other = { title: 'Something else altogether', author: [name('Cole', 'Cy')] }

describe('sameWork', () => {
  it.each<[string, CslItem, CslItem]>([
    ['the same identifier', work, { id: 'y', type: 'book', DOI: 'https://doi.org/10.1000/A' }],
    ['title, authors and year', work, unidentified],
    ['a preprint and its print, a year apart', work, preprint],
    ['two versions at arXiv', preprint, { ...preprint, DOI: '', number: 'arXiv:1901.00001v2' }],
  ])('is the same by %s', (_what, one, two) => {
    expect(compareWorks(one, two).verdict).toBe('same')
    expect(compareWorks(two, one).verdict).toBe('same')
  })

  it.each<[string, CslItem, CslItem]>([
    ['titles', unidentified, { ...unidentified, ...other }],
    ['authors of one title', unidentified, { ...unidentified, author: other.author }],
    ['identifiers and titles', work, { ...work, ...other, DOI: '10.1000/b' }],
  ])('is different by %s', (_what, one, two) => {
    expect(compareWorks(one, two).verdict).toBe('different')
  })

  it.each<[string, CslItem, CslItem, string]>([
    ['an identifier leads to another title', work, { ...work, ...other }, 'title'],
    ['only identifiers differ', work, { ...work, DOI: '10.1000/b' }, 'doi'],
    [
      'years are far apart',
      unidentified,
      { ...unidentified, issued: { 'date-parts': [[2005]] } },
      'year',
    ],
  ])('is unclear where %s, and says so', (_what, one, two, field) => {
    const { verdict, reasons } = compareWorks(one, two)
    expect(verdict).toBe('unclear')
    expect(
      reasons.filter((reason) => reason.verdict === 'different').map((reason) => reason.field),
    ).toContain(field)
  })

  it('is unclear where nothing can be compared', () => {
    const bare = { id: 'a', type: 'book' }
    expect(compareWorks(bare, work)).toEqual({ verdict: 'unclear', reasons: [] })
  })
})

describe('isSameWork', () => {
  const shortened = { ...unidentified, title: 'A long study of many things: methods' }
  const identified = { id: 'y', type: 'book', DOI: '10.1000/a' }
  const works: readonly CslItem[] = [
    ...[work, unidentified, preprint, shortened, identified, { ...identified, ...shortened }],
    { ...work, ...other },
    { ...unidentified, ...other },
    { ...unidentified, author: [name('Cole', 'Cy')] },
    { ...work, DOI: '10.1000/b' },
    { ...unidentified, issued: { 'date-parts': [[2005]] } },
  ]

  it.each(works)('says what sameWork says, of %j next to any other', (one) => {
    for (const two of works)
      expect(isSameWork(one, two)).toBe(compareWorks(one, two).verdict === 'same')
  })
})
