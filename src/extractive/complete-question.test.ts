import { expect, it } from 'vitest'
import { completed } from './complete-question.ts'

it('a pronoun is replaced by what was asked about, whatever signs that has', () => {
  const earlier = ["What is the $& of A$$ and US$'"]
  expect(completed('When was it introduced', earlier)).toBe(
    "When was the $& of A$$ and US$' introduced",
  )
  expect(completed('Where is its home', ['What is US$'])).toBe("Where is US$'s home")
})
