import { APICallError } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { told } from '../../../../test/kernel/refusals.ts'
import { describeRefusal, isUnbilled } from './model-refusal.ts'

describe('what is thrown that is no error', () => {
  it.each([
    ['an object', { code: 7 }, 'an error without a message (code)'],
    ['one without a prototype', Object.create(null), 'an error without a message ()'],
    ['a text', 'no', 'no'],
    ['nothing', undefined, 'undefined'],
  ])('is told: %s', (_what, thrown, message) => {
    expect(told(thrown).message).toBe(`openai:big failed: ${message}`)
  })
})

describe('a service that cannot be reached', () => {
  const lost = (code: string, message = 'fetch failed') =>
    new APICallError({
      message: `Cannot connect to API: ${message}`,
      url: 'https://example.org',
      requestBodyValues: {},
      cause: Object.assign(new Error(message), { code }),
      isRetryable: true,
    })

  it.each([
    ['ECONNREFUSED', 'not_listening', 'model_unavailable', true],
    ['ENOTFOUND', 'host_unknown', 'model_unavailable', true],
    ['UND_ERR_SOCKET', 'connection_lost', 'model_unavailable', false],
    ['CERT_HAS_EXPIRED', 'not_trusted', 'model_failed', true],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'not_trusted', 'model_failed', true],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'not_trusted', 'model_failed', true],
  ])('%s is %s', (code, reason, errorCode, isFree) => {
    expect(told(lost(code))).toMatchObject({
      code: errorCode,
      retryable: true,
      details: { reason },
    })
    expect(isUnbilled(lost(code))).toBe(isFree)
  })

  it('at an address to which nothing is sent, owes nothing', async () => {
    const thrown = await fetch('http://127.0.0.1:1/v1').catch((error: unknown) => error)
    expect(isUnbilled(thrown)).toBe(true)
    expect(isUnbilled(new Error('Cannot connect to API: bad port', { cause: thrown }))).toBe(true)
  })

  it.each([
    ['ollama', 'ollama serve'],
    ['lmstudio', 'lms server start'],
    ['openai', 'Check that the service is running'],
  ])('says how %s is started', (provider, hint) => {
    const error = told(lost('ECONNREFUSED'), { provider, baseUrl: 'http://127.0.0.1:9/v1' })
    expect(error.hint).toContain(hint)
    expect(error.message).toContain('http://127.0.0.1:9/v1')
  })

  it('finds the code behind the several addresses of one host', () => {
    const one = Object.assign(new Error('connect ECONNREFUSED ::1:9'), { code: 'ECONNREFUSED' })
    const error = new APICallError({
      message: 'Cannot connect',
      url: '',
      requestBodyValues: {},
      cause: new TypeError('fetch failed', { cause: new AggregateError([one]) }),
      isRetryable: true,
    })
    expect(told(error).details.reason).toBe('not_listening')
  })

  it('says http where the service speaks no TLS', () => {
    expect(told(lost('ERR_SSL_WRONG_VERSION_NUMBER')).hint).toContain('http://')
  })
})

describe('a failure in the middle of a stream', () => {
  it.each([
    [{ type: 'overloaded_error', message: 'Overloaded' }, 'overloaded', 'model_unavailable'],
    [{ message: 'boom', type: 'server_error', code: null }, 'service_failed', 'model_unavailable'],
    [
      { error: { message: 'Slow', code: 'rate_limit_exceeded' } },
      'rate_limited',
      'model_unavailable',
    ],
    [
      { type: 'invalid_request_error', message: 'prompt is too long: 9 tokens > 8 maximum' },
      'context_too_long',
      'model_failed',
    ],
  ])('is known by its words: %j', (cause, reason, code) => {
    const thrown = new Error(JSON.stringify(cause), { cause })
    expect(told(thrown)).toMatchObject({ code, details: { reason } })
  })
})

describe('what is no refusal of a service', () => {
  it('is a fault of an engine that computes here', () => {
    const binding = { name: 'extractive', effect: 'pure' as const, timeoutMs: 1 }
    expect(describeRefusal(binding, new Error('no'), false)).toMatchObject({ code: 'internal' })
  })

  it('is an interruption', () => {
    const binding = { name: 'a:b', effect: 'read' as const, timeoutMs: 1 }
    expect(describeRefusal(binding, new Error('no'), true)).toMatchObject({ code: 'cancelled' })
  })

  it('is a package that cannot do what is asked: it is not asked again', () => {
    const thrown = Object.assign(new Error('no audio'), {
      name: 'AI_UnsupportedFunctionalityError',
    })
    expect(told(thrown)).toMatchObject({ code: 'model_failed', retryable: false })
  })
})
