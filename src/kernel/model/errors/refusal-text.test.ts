import { describe, expect, it } from 'vitest'
import { told } from '../../../../test/kernel/refusals.ts'

const lost = (code: string) =>
  told(
    new Error('Failed to process successful response', {
      cause: Object.assign(new Error('other side closed'), { code }),
    }),
  )

describe('a lost connection', () => {
  it.each([
    ['UND_ERR_SOCKET', 'the service closed it before the answer was complete'],
    ['ECONNRESET', 'the service closed it'],
    ['ETIMEDOUT', 'the service did not accept it in time'],
  ])('%s is told in words of ours', (code, words) => {
    expect(lost(code).message).toBe(`openai:big lost the connection: ${words}`)
  })
})
