import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everyEvent, runFaults, seededCrashes } from '../../src/testing/index.ts'
import { askSubject, Homes, retriedSubject } from './ask-subject.ts'
import { postSubject } from './write-graph.ts'

const timeoutMs = 120_000
/** Events before the model refuses: the way there is that of the question before. */
const failedBy = 60
const homes = new Homes()
beforeAll(() => homes.prepare())
afterAll(() => homes.remove())

describe.each(['extractive', 'scripted'] as const)(
  'a question (%s) whose process dies',
  (driver) => {
    it(
      'at any event, before or after its commit, is answered the same and nothing finished is done again',
      async () => {
        const report = await runFaults(askSubject(driver, homes))
        expect(report.problems).toEqual([])
        expect(report.events).toBeGreaterThan(45)
        expect(report.appends).toBeGreaterThan(12)
        expect(report.trials).toBe(2 * report.appends)
      },
      timeoutMs,
    )

    it(
      'three times over is answered the same, too',
      async () => {
        const plan = (events: number) => seededCrashes(events, 15, 3, 7)
        const report = await runFaults(askSubject(driver, homes), { plan })
        expect(report).toMatchObject({ problems: [], trials: 15 })
      },
      timeoutMs,
    )
  },
)

describe('a question whose research goes step after step, and whose process dies', () => {
  it(
    'at every third event is answered the same, too',
    async () => {
      const plan = (events: number) => everyEvent(events).filter((_, index) => index % 6 < 2)
      const report = await runFaults(askSubject('sequential', homes), { plan })
      expect(report.problems).toEqual([])
    },
    timeoutMs,
  )
})

describe('a run that failed, is tried again, and whose process dies', () => {
  it(
    'at any event is brought to its answer, and nothing that was finished before is paid again',
    async () => {
      const plan = (events: number) => everyEvent(events).slice(2 * failedBy)
      const report = await runFaults(retriedSubject(homes), { plan })
      expect(report.problems).toEqual([])
      expect(report.events).toBeGreaterThan(failedBy + 30)
    },
    timeoutMs,
  )
})

describe('agents that write, all at once, whose process dies', () => {
  it(
    'at any event write each line at most once, and say so where they cannot know',
    async () => {
      const report = await runFaults(postSubject())
      expect(report.problems).toEqual([])
      expect(report.events).toBeGreaterThan(20)
    },
    timeoutMs,
  )

  it(
    'three times over do so, too',
    async () => {
      const plan = (events: number) => seededCrashes(events, 15, 3, 11)
      const report = await runFaults(postSubject(), { plan })
      expect(report.problems).toEqual([])
    },
    timeoutMs,
  )
})
