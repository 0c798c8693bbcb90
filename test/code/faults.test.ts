import { describe, expect, it } from 'vitest'
import { runFaults, seededCrashes } from '../../src/testing/index.ts'
import { sessionSubject } from './fault-session.ts'

const timeoutMs = 300_000

describe('a session whose process dies', () => {
  it(
    'at any event, before or after its commit, mends the project all the same, and no command is run twice',
    async () => {
      const report = await runFaults(sessionSubject())
      console.info(`${report.trials} deaths at ${report.events} events of a coding session`)
      expect(report.problems).toEqual([])
      expect(report.events).toBeGreaterThan(20)
      expect(report.trials).toBe(2 * report.events)
    },
    timeoutMs,
  )

  it(
    'three times over does so, too',
    async () => {
      const plan = (events: number) => seededCrashes(events, 10, 3, 5)
      const report = await runFaults(sessionSubject(), { plan })
      expect(report.problems).toEqual([])
    },
    timeoutMs,
  )
})
