import { describe, expect, it } from 'vitest'
import { BadAnswer, TimedOut, TooLarge, transportFailure } from './transport-failure.ts'

const url = new URL('https://a.example.com/page')
const going = { isCancelled: false, isTimeUp: false, timeoutMs: 30_000 }
const withCode = (code: string) => Object.assign(new Error('it failed'), { code })

describe('what is thrown while an address is fetched', () => {
  it.each([
    ['ENOTFOUND', 'dns', 'The host name a.example.com could not be resolved.'],
    ['EAI_AGAIN', 'dns', 'The host name a.example.com could not be resolved (EAI_AGAIN).'],
    ['EAI_MEMORY', 'dns', 'The host name a.example.com could not be resolved (EAI_MEMORY).'],
    ['ECONNREFUSED', 'refused', 'a.example.com could not be reached (ECONNREFUSED).'],
    ['ENETUNREACH', 'refused', 'a.example.com could not be reached (ENETUNREACH).'],
    ['EMFILE', 'refused', 'a.example.com could not be reached (EMFILE).'],
    ['ETIMEDOUT', 'timeout', 'a.example.com did not respond in time.'],
    [
      'ECONNRESET',
      'reset',
      'a.example.com closed the connection before the response was complete.',
    ],
    ['HPE_INVALID_CONSTANT', 'bad_answer', 'The response is not valid: it is not HTTP.'],
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
      'The connection to a.example.com is not secure: its certificate is not signed by a trusted authority.',
    ],
    [
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'tls',
      'The connection to a.example.com is not secure: its certificate is not signed by a trusted authority.',
    ],
    ['EPROTO', 'tls', 'The connection to a.example.com is not secure: it does not support TLS.'],
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
    [new BadAnswer('it is truncated'), 'bad_answer', 'it is truncated'],
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
      detail: 'a.example.com did not respond within 30 s.',
    })
  })

  it.each([new TypeError('no function'), withCode('ERR_INVALID_CHAR'), 'a string', undefined])(
    'is no failure of the network when it is a mistake: %s',
    (thrown) => {
      expect(transportFailure(thrown, url, going)).toBeUndefined()
    },
  )
})
