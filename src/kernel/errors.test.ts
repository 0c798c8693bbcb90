import { describe, expect, it } from 'vitest'
import { fromFailure, ScholiumError, toFailure } from './index.ts'

describe('ScholiumError', () => {
  it('says what happened, whether to try again and what to do', () => {
    const cause = new Error('socket')
    const error = new ScholiumError('model_unavailable', 'No answer.', {
      retryable: true,
      hint: 'Start it.',
      cause,
      details: { status: 503 },
    })
    expect(error).toBeInstanceOf(Error)
    expect({ ...error, message: error.message, cause: error.cause }).toEqual({
      name: 'ScholiumError',
      code: 'model_unavailable',
      message: 'No answer.',
      retryable: true,
      hint: 'Start it.',
      details: { status: 503 },
      cause,
    })
  })

  it('is not retryable and has no hint unless it says so', () => {
    const error = new ScholiumError('internal', 'x')
    expect([error.retryable, error.hint, error.details]).toEqual([false, undefined, {}])
    expect(error).not.toHaveProperty('cause')
  })
})

describe('toFailure', () => {
  it.each([
    new ScholiumError('internal', 'bare'),
    new ScholiumError('tool_failed', 'full', { retryable: true, hint: 'h', details: { a: [1] } }),
  ])('is JSON, and fromFailure gives the error again: $message', (error) => {
    const failure = toFailure(error)
    expect(JSON.parse(JSON.stringify(failure))).toEqual(failure)
    const again = fromFailure(failure)
    expect({ ...again, message: again.message }).toEqual({ ...error, message: error.message })
    expect(toFailure(again)).toEqual(failure)
  })

  it.each([
    [new TypeError('bug'), { code: 'internal', message: 'bug', retryable: false }],
    ['just text', { code: 'internal', message: 'just text', retryable: false }],
    [undefined, { code: 'internal', message: 'undefined', retryable: false }],
    [
      new DOMException('This operation was aborted', 'AbortError'),
      { code: 'cancelled', message: 'This operation was aborted', retryable: false },
    ],
  ])('takes anything that was thrown: %s', (thrown, failure) => {
    expect(toFailure(thrown)).toEqual(failure)
  })
})

describe('fromFailure', () => {
  it('has what was thrown first as its cause, where that is given', () => {
    const cause = new Error('first')
    expect(fromFailure(toFailure(cause), cause).cause).toBe(cause)
  })
})
