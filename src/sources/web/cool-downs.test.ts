import { describe, expect, it } from 'vitest'
import { createCoolDowns } from './cool-downs.ts'
import type { FetchFailure } from './fetch-failure.ts'

function failure(parts: Partial<FetchFailure>): FetchFailure {
  return {
    reason: 'timeout',
    url: 'http://a.example.com/',
    detail: 'It hangs.',
    hint: '',
    ...parts,
  }
}

/** Cool-downs at a time that stands still until it is moved. */
function atRest(settings = {}) {
  const time = { now: 1_000_000 }
  const clock = { now: () => time.now, sleep: async () => {} }
  const coolDowns = createCoolDowns({ clock, ...settings })
  const leftMs = (source = 'a') => coolDowns.restOf(source)?.leftMs
  return { time, coolDowns, leftMs }
}

const slowDown = (retryAfterMs?: number) =>
  failure({
    reason: 'http_status',
    status: 429,
    detail: 'It was asked too often.',
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  })

describe('a source', () => {
  it('rests as long as it asks, and tells what for', () => {
    const { time, coolDowns, leftMs } = atRest()
    coolDowns.note('a', slowDown(7_000))
    expect(coolDowns.restOf('a')).toEqual({ leftMs: 7_000, because: 'It was asked too often.' })
    expect(leftMs('b')).toBeUndefined()
    time.now += 6_999
    expect(leftMs()).toBe(1)
    time.now += 1
    expect(leftMs()).toBeUndefined()
  })

  it('rests longer each time where it does not say how long, up to a quarter of an hour', () => {
    const { time, coolDowns, leftMs } = atRest({ restMs: 30_000 })
    const rests = Array.from({ length: 7 }, () => {
      coolDowns.note('a', slowDown())
      const left = leftMs() ?? 0
      time.now += left
      return left
    })
    expect(rests).toEqual([30_000, 60_000, 120_000, 240_000, 480_000, 900_000, 900_000])
  })

  it('rests after three failures in a row, and once more after the next', () => {
    const { time, coolDowns, leftMs } = atRest()
    coolDowns.note('a', failure({}))
    coolDowns.note('a', failure({ reason: 'reset' }))
    expect(leftMs()).toBeUndefined()
    coolDowns.note('a', failure({ reason: 'refused' }))
    expect(leftMs()).toBe(30_000)
    time.now += 30_000
    coolDowns.note('a', failure({}))
    expect(leftMs()).toBe(60_000)
  })

  it.each([
    ['an answer', undefined],
    ['an answer that it has no such page', failure({ reason: 'http_status', status: 404 })],
    ['an answer of a type that is not read', failure({ reason: 'unsupported_type' })],
  ])('does not rest when %s is between its failures', (_what, answer) => {
    const { coolDowns, leftMs } = atRest()
    for (let count = 0; count < 5; count++) {
      coolDowns.note('a', failure({}))
      coolDowns.note('a', failure({}))
      coolDowns.note('a', answer)
    }
    expect(leftMs()).toBeUndefined()
  })

  it.each(['cancelled', 'cooling_down', 'blocked_address', 'bad_url', 'tls', 'dns'] as const)(
    'is judged by nothing that is not its own: %s',
    (reason) => {
      const { coolDowns, leftMs } = atRest()
      for (let count = 0; count < 5; count++) coolDowns.note('a', failure({ reason }))
      expect(leftMs()).toBeUndefined()
    },
  )

  it('continues resting when an answer to an older question comes', () => {
    const { coolDowns, leftMs } = atRest()
    coolDowns.note('a', slowDown(7_000))
    coolDowns.note('a')
    expect(leftMs()).toBe(7_000)
  })

  it('does not rest less because a later failure asks for less', () => {
    const { coolDowns, leftMs } = atRest()
    coolDowns.note('a', slowDown(7_000))
    coolDowns.note('a', slowDown(1_000))
    expect(leftMs()).toBe(7_000)
  })
})
