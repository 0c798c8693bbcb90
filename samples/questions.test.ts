import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

interface Question {
  id: string
  question: string
  kind: string
  expect: {
    status: 'answered' | 'unanswered'
    mustContain: string[]
    sources: string[]
    sourcesNeeded?: 'any' | 'all'
  }
}

const libraryUrl = new URL('./library/', import.meta.url)
const pageText = (file: string) =>
  readFileSync(new URL(file, libraryUrl), 'utf8').toLowerCase().replace(/\s+/g, ' ')
const pages = new Map(readdirSync(libraryUrl).map((file) => [file, pageText(file)]))
const questions: Question[] = JSON.parse(
  readFileSync(new URL('./questions.json', import.meta.url), 'utf8'),
)
const researched = questions.filter(({ expect: expected }) => expected.sources.length > 0)

describe('sample library', () => {
  it.each([...pages])('%s has 350 to 700 words', (_file, text) => {
    const words = text.trim().split(' ').length
    expect(words).toBeGreaterThanOrEqual(350)
    expect(words).toBeLessThanOrEqual(700)
  })

  it.each([...pages])('%s links only to pages that exist', (_file, text) => {
    const targets = [...text.matchAll(/\]\(([^)]+)\)/g)].map((match) => match[1])
    expect(targets.filter((target) => !pages.has(target ?? ''))).toEqual([])
  })
})

describe('sample questions', () => {
  it('have ids and questions that are unique', () => {
    expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length)
    expect(new Set(questions.map(({ question }) => question)).size).toBe(questions.length)
  })

  it('name sources exactly when the answer needs the pages', () => {
    const needsPages = questions.filter(
      ({ kind }) => !['calculation', 'units', 'unanswerable'].includes(kind),
    )
    expect(researched).toEqual(needsPages)
    for (const { kind, expect: expected } of questions) {
      expect(expected.status).toBe(kind === 'unanswerable' ? 'unanswered' : 'answered')
      expect(expected.mustContain.length > 0).toBe(kind !== 'unanswerable')
    }
  })

  it.each(researched)('$id: every expected string stands in the named pages', (question) => {
    const texts = question.expect.sources.map((file) => pages.get(file))
    expect(texts).not.toContain(undefined)
    for (const part of question.expect.mustContain) {
      expect(part).toBe(part.toLowerCase())
      expect(texts.some((text) => text?.includes(part))).toBe(true)
    }
  })

  it.each(researched.filter(({ expect: expected }) => expected.sourcesNeeded === 'all'))(
    '$id: every page that must be cited adds an expected string',
    (question) => {
      const { mustContain, sources } = question.expect
      for (const left of sources) {
        const others = sources.filter((file) => file !== left).map((file) => pages.get(file))
        expect(mustContain.every((part) => others.some((text) => text?.includes(part)))).toBe(false)
      }
    },
  )
})
