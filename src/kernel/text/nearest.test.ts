import { describe, expect, it } from 'vitest'
import { findNearest } from './nearest.ts'

describe('the nearest word', () => {
  it('is found through mistakes in up to a third of the letters', () => {
    expect(findNearest('llm.cal', ['llm.call', 'llm.chat'])).toBe('llm.call')
    expect(findNearest('pirnt', ['print', 'point'])).toBe('print')
    expect(findNearest('xyz', ['llm.call'])).toBeUndefined()
  })

  it('is not looked for where the word is none', () => {
    const start = performance.now()
    expect(findNearest('a'.repeat(900_000), ['a'.repeat(800_000), 'llm.call'])).toBeUndefined()
    expect(performance.now() - start).toBeLessThan(30_000)
  })
})
