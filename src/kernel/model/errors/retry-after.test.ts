import { describe, expect, it } from 'vitest'
import {
  googleError,
  openaiError,
  type Refusing,
  refused,
  told,
} from '../../../../test/kernel/refusals.ts'
import { maxWaitMs, retryDelayMs } from './model-refusal.ts'

describe('how long to wait', () => {
  const date = 'Fri, 20 Nov 2026 10:00:00 GMT'
  const waits: [string, Refusing, number][] = [
    ['seconds', { status: 429, headers: { 'Retry-After': '7' } }, 7_000],
    [
      'a date',
      { status: 429, headers: { date, 'retry-after': 'Fri, 20 Nov 2026 10:00:09 GMT' } },
      9_000,
    ],
    [
      'milliseconds',
      { status: 429, headers: { 'retry-after-ms': '1250', 'retry-after': '2' } },
      1_250,
    ],
    [
      'what is used up at OpenAI',
      {
        status: 429,
        headers: {
          'x-ratelimit-remaining-requests': '9',
          'x-ratelimit-reset-requests': '6m0s',
          'x-ratelimit-remaining-tokens': '0',
          'x-ratelimit-reset-tokens': '1.5s',
        },
      },
      1_500,
    ],
    [
      'what Google says',
      {
        status: 429,
        body: googleError(429, 'RESOURCE_EXHAUSTED', 'Quota', [
          { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '39s' },
        ]),
      },
      39_000,
    ],
    [
      'what the message says',
      {
        status: 429,
        body: openaiError('Rate limit reached. Please try again in 20ms.', 'rate_limit_exceeded'),
      },
      20,
    ],
    ['a busy service', { status: 503, headers: { 'retry-after': '3' } }, 3_000],
  ]
  it.each(waits)('is what the service says: %s', (_how, answer, waitMs) => {
    expect(retryDelayMs(refused(answer), 1, 0)).toBe(waitMs)
    expect(told(refused(answer)).code).toBe('model_unavailable')
  })

  it.each([
    ['nothing', undefined],
    ['0', '0'],
    ['a date without its own', 'Fri, 20 Nov 2026 10:00:09 GMT'],
    ['nonsense', 'soon'],
  ])('grows by itself where the service says %s', (_what, value) => {
    const headers: Readonly<Record<string, string>> =
      value === undefined ? {} : { 'retry-after': value }
    const error = refused({ status: 429, headers })
    expect([1, 2, 3].map((number) => retryDelayMs(error, number, 0))).toEqual([500, 1_000, 2_000])
  })

  it.each(['99999999999999', '9'.repeat(400), 'Fri, 20 Nov 9999 10:00:00 GMT'])(
    'is not what makes no sense: %s',
    (value) => {
      for (const dated of [{ date }, {}]) {
        const headers = { ...dated, 'retry-after': value }
        const body = openaiError('Slow down.', null)
        const error = told(refused({ status: 429, headers, body }))
        expect(error.message).toBe('openai:big limits your requests (429): Slow down.')
        expect(error.details).toEqual({ reason: 'rate_limited', status: 429 })
      }
    },
  )

  it('is told without its end where the date of the service cannot be counted from', () => {
    const headers = { date: '+275760-09-13T00:00:00Z', 'retry-after': '725' }
    const error = told(refused({ status: 429, headers, body: openaiError('Slow down.', null) }))
    expect(error.message).toContain('accepts none for 13 min (429)')
  })

  it('is not waited where it is long: the run ends and says when it can continue', () => {
    const headers = { date, 'retry-after': '725' }
    const error = told(refused({ status: 429, headers, body: openaiError('Slow down.', null) }))
    expect(error).toMatchObject({
      code: 'model_failed',
      retryable: true,
      message:
        'openai:big limits your requests and accepts none for 13 min, until 2026-11-20 10:12 UTC (429): Slow down.',
      hint: expect.stringContaining('Resume the run then'),
      details: { reason: 'rate_limited', retryAfterSeconds: 725 },
    })
    expect(725_000).toBeGreaterThan(maxWaitMs)
  })
})
