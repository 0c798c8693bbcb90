import { describe, expect, it } from 'vitest'
import { findQuestionPages, presentQuestion } from './research-web.ts'

const on = (text: string) => ({ text, web: true })

describe('the pages of a question', () => {
  it.each([
    ['What does https://example.org/a say?', 'What does [result 1: example.org] say?'],
    [
      'Compare https://a.test/x, https://b.test/y (and https://a.test/x?utm_source=z).',
      'Compare [result 1: a.test], [result 2: b.test] (and [result 1: a.test]).',
    ],
    ['Read <https://a.test/x>.', 'Read <[result 1: a.test]>.'],
    ['No page, not even http:// or https://%.', 'No page, not even http:// or https://%.'],
  ])('%j is shown as %j', (question, shown) => {
    expect(presentQuestion(on(question))).toBe(shown)
  })

  it('have their numbers in the order of the question', () => {
    const pages = findQuestionPages(on('First https://b.test/, then https://a.test/p?q=1.'))
    expect(pages.map(({ url }) => url)).toEqual(['https://b.test/', 'https://a.test/p?q=1'])
  })

  it('are none where the web is off, and the question stays as it is', () => {
    const asked = { text: 'What does https://example.org/a say?', web: false }
    expect(presentQuestion(asked)).toBe(asked.text)
    expect(findQuestionPages(asked)).toEqual([])
  })
})
