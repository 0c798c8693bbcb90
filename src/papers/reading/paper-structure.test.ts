import { describe, expect, it } from 'vitest'
import { findAbstract, findReferences, type PaperSection } from './paper-structure.ts'

/** What is found in a text whose sections begin with these titles. */
function found(text: string, titles: readonly string[] = []) {
  const sections: PaperSection[] = titles.map((title) => ({ title, start: text.indexOf(title) }))
  const list = findReferences(text, { pages: [{ start: 0, end: text.length }], sections })
  return {
    whole: text.slice(list?.span.start, list?.span.end),
    entries: list?.entries.map(({ start, end }) => text.slice(start, end)),
  }
}

const body = `1 Introduction\n\n${'It was shown [2] in 1999 that this holds. '.repeat(20)}`

describe('the list of references', () => {
  it('has entries that are numbered in brackets, whatever breaks their lines', () => {
    const entries = [
      '[1] A. Aho and J. Ullman. Compilers:\n\nprinciples, 1986.',
      '[2]B. Knuth. Not [3] of these. 1984.',
      '[3] C. Dean. MapReduce. 2004.',
    ]
    const text = `${body}\n\nReferences\n\n${entries.join('\n')}`
    expect(found(text, ['1 Introduction', 'References']).entries).toEqual(entries)
  })

  it('has entries that are numbered with a full stop, and does not end at one that looks like a heading', () => {
    const entries = [
      '1. Fischer R. Wheat. 1991; 3–27.',
      '2. IPCC. Climate change. 2013.',
      '3. Farooq M. Heat. 2011; 30. 4.',
    ]
    const text = `${body}\n\nREFERENCES\n\n${entries.join('\n')}`
    expect(found(text, ['1 Introduction', 'REFERENCES', '2. IPCC']).entries).toEqual(entries)
  })

  it('has entries that begin with names', () => {
    const entries = [
      'Abbeel, P. and Ng, A. Y. Apprenticeship learning. In ICML, 2004.',
      'Ruiqi Gao, Ying Wu, and\nJan van der Berg. 2020. A long title that\ngoes on. In Proceedings of ACL, pages 1–9.',
      'Bates DM, DebRoy S (2003). “Converting a package.” In K Hornik (ed.), Vienna.',
    ]
    const text = `${body}\n\nReferences\n\n${entries.join('\n\n')}`
    expect(found(text, ['References']).entries).toEqual(entries)
  })

  it('ends before an appendix and before the lives of its authors', () => {
    const entries = [
      '[1] A. Aho. Compilers. 1986.',
      '[2] B. Knuth. TeX. 1984.',
      '[3] C. Dean. X. 2004.',
    ]
    const after = `A. Aho is a professor of computer science. ${'He has written books. '.repeat(20)}`
    const text = `${body}\n\nReferences\n\n${entries.join('\n')}\n\n${after}`
    expect(found(text, ['References']).entries).toEqual(entries)
    expect(found(text, ['References']).whole.endsWith('2004.')).toBe(true)
    const appended = `${body}\n\nReferences\n\n${entries.join('\n')}\n\nA Proofs\n\nThe [4] proof.`
    expect(found(appended, ['References', 'A Proofs']).entries).toEqual(entries)
  })

  it('is found by its line where no heading was told, in Markdown too', () => {
    const text = `${body}\n\n## References\n\n[1] A. Aho. 1986.\n[2] B. Knuth. 1984.`
    expect(found(text).entries).toHaveLength(2)
    expect(found(text).whole.startsWith('## References')).toBe(true)
  })

  it('is not there where nothing is called so', () => {
    expect(found(body).entries).toBeUndefined()
    expect(found(`${body}\n\nReferences`, ['References']).entries).toEqual([])
  })
})
function abstractIn(text: string, titles: readonly string[] = []): string {
  const sections = titles.map((title) => ({ title, start: text.indexOf(title) }))
  return findAbstract(text, { pages: [], sections })
}

const said = 'We show that this holds. It\ndoes so for all papers.'
const running = 'We show that this holds. It does so for all papers.'

describe('an abstract', () => {
  it('is what stands under its heading', () => {
    const text = `A Title\n\nAn Author\n\nAbstract\n\n${said}\n\n1 Introduction\n\nMore.`
    expect(abstractIn(text, ['Abstract', '1 Introduction'])).toBe(running)
  })

  it.each(['Abstract. ', 'ABSTRACT: ', 'Abstract—', 'Abstract- ', '## Abstract\n\n', 'Summary\n'])(
    'is what follows %j where that begins a line',
    (mark) => {
      expect(abstractIn(`A Title\n\nAn Author\n\n${mark}${said}\n\nIntroduction\n\nMore.`)).toBe(
        running,
      )
    },
  )

  it.each(['Keywords: one, two', 'Index Terms—one', 'CCS Concepts', '1. Introduction', 'Contents'])(
    'ends before %j',
    (after) => {
      expect(abstractIn(`Abstract. ${said}\n\n${after}\n\nMore.`, [])).toBe(running)
    },
  )

  it('is empty where none is told, or what is told is too long for one', () => {
    expect(abstractIn('A Title\n\nThis abstract painting is by nobody.')).toBe('')
    expect(abstractIn(`Abstract\n\n${'All of the paper. '.repeat(500)}`)).toBe('')
  })
})
