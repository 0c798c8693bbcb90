import { describe, expect, it } from 'vitest'
import { findAbstract } from '../reading/paper-structure.ts'

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
      expect(abstractIn(`A Title\n\nAn Author\n\n${mark}${said}\n\nIntroduction\n\nMore.`)).toBe(running)
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
