import { describe, expect, it } from 'vitest'
import { BadAnswer, TimedOut, TooLarge, transportFailure } from './transport-failure.ts'

const url = new URL('https://a.example.com/page')
const going = { isCancelled: false, isTimeUp: false, timeoutMs: 30_000 }
const withCode = (code: string) => Object.assign(new Error('it failed'), { code })

describe('what is thrown while an address is fetched', () => {
  it.each([
    ['ENOTFOUND', 'dns', 'The name a.example.com could not be looked up.'],
    ['EAI_AGAIN', 'dns', 'The name a.example.com could not be looked up (EAI_AGAIN).'],
    ['EAI_MEMORY', 'dns', 'The name a.example.com could not be looked up (EAI_MEMORY).'],
    ['ECONNREFUSED', 'refused', 'a.example.com could not be reached (ECONNREFUSED).'],
    ['ENETUNREACH', 'refused', 'a.example.com could not be reached (ENETUNREACH).'],
    ['EMFILE', 'refused', 'a.example.com could not be reached (EMFILE).'],
    ['ETIMEDOUT', 'timeout', 'a.example.com did not answer in time.'],
    ['ECONNRESET', 'reset', 'a.example.com closed the connection before the answer was whole.'],
    ['HPE_INVALID_CONSTANT', 'bad_answer', 'What came is no sound answer: it is no HTTP.'],
    [
      'CERT_HAS_EXPIRED',
      'tls',
      'The connection to a.example.com is not secure: its certificate has expired.',
    ],
    [
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'tls',
      'The connection to a.example.com is not secure: its certificate is for another name.',
    ],
    [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'tls',
      'The connection to a.example.com is not secure: nobody that is trusted signed its certificate.',
    ],
    [
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'tls',
      'The connection to a.example.com is not secure: nobody that is trusted signed its certificate.',
    ],
    ['EPROTO', 'tls', 'The connection to a.example.com is not secure: it does not speak TLS.'],
    [
      'ERR_SSL_WRONG_VERSION_NUMBER',
      'tls',
      'The connection to a.example.com is not secure: it failed.',
    ],
  ])('as %s is %s', (code, reason, detail) => {
    expect(transportFailure(withCode(code), url, going)).toEqual({
      reason,
      code,
      detail,
      hint: expect.stringMatching(/\w/),
      url: url.href,
    })
  })

  it.each([
    [new TimedOut(1_500), 'timeout', 'within 1.5 s'],
    [new TooLarge(20_000_000), 'too_large', 'more than 20 MB'],
    [new BadAnswer('it ends in the middle'), 'bad_answer', 'it ends in the middle'],
  ])('by ourselves tells which limit it was: %s', (thrown, reason, words) => {
    const failure = transportFailure(thrown, url, going)
    expect(failure).toMatchObject({ reason, detail: expect.stringContaining(words) })
  })

  it('counts less than that the fetch was given up', () => {
    const thrown = withCode('ECONNRESET')
    const givenUp = (changes: object) => transportFailure(thrown, url, { ...going, ...changes })
    expect(givenUp({ isCancelled: true, isTimeUp: true })).toMatchObject({ reason: 'cancelled' })
    expect(givenUp({ isTimeUp: true })).toMatchObject({
      reason: 'timeout',
      detail: 'a.example.com did not answer within 30 s.',
    })
  })

  it.each([new TypeError('no function'), withCode('ERR_INVALID_CHAR'), 'a string', undefined])(
    'is no failure of the network when it is a mistake: %s',
    (thrown) => {
      expect(transportFailure(thrown, url, going)).toBeUndefined()
    },
  )
})
