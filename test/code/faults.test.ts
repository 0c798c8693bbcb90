import { rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openRunStore } from '../../src/stores/sqlite/run-store.ts'
import { everyEvent, FaultStore, runFaults, seededCrashes } from '../../src/testing/index.ts'
import { linesIn } from '../faults/write-graph.ts'
import { driveSession, sessionSubject } from './fault-session.ts'
import { brokenProject, mending, SessionWorld } from './session-world.ts'

const timeoutMs = 300_000

describe('a command that a crash cut off', () => {
  it('is told to the model as of unknown outcome, and is not run again by itself', async () => {
    const world = new SessionWorld(brokenProject)
    try {
      world.say(mending)
      const clean = await world.app()
      await driveSession(clean, undefined)
      const events = await Array.fromAsync(clean.events('last'))
      const end = events.find(({ type, key }) => type === 'step.done' && key.endsWith(':bash/call'))
      world.put(brokenProject)
      rmSync(`${world.workspace}/runs.txt`)
      const store = openRunStore(`${world.root}/runs.db`)
      const dying = new FaultStore(store, { event: end?.seq ?? 0, when: 'before' })
      const app = await world.app({ store: dying })
      await expect(driveSession(app, undefined)).rejects.toThrow()
      const [run] = await store.list({ limit: 1 })
      const answer = await driveSession(await world.app({ store }), run?.runId)
      expect(answer).toMatchObject({ status: 'answered', filesChanged: ['add.mjs'] })
      expect(linesIn(`${world.workspace}/runs.txt`)).toEqual(
        new Map([
          ['run 1', 1],
          ['run 2', 1],
        ]),
      )
      const told = world.model.requests.map(({ body }) => JSON.stringify(body.messages))
      expect(told.at(-1)).toContain('was cut off while running')
      await store.close()
    } finally {
      await world.close()
    }
  }, 60_000)
})

describe('a session whose process dies', () => {
  it(
    'at any event, before or after its commit, fixes the project all the same, and no command is run twice',
    async () => {
      // Each event once; test/code/every-kill.ts kills a process at each of them in both ways.
      const plan = (events: number) =>
        everyEvent(events).filter((_, index) => index % 4 === 0 || index % 4 === 3)
      const report = await runFaults(sessionSubject(), { plan })
      console.info(`${report.trials} deaths at ${report.events} events of a coding session`)
      expect(report.problems).toEqual([])
      expect(report.events).toBeGreaterThan(20)
      expect(report.trials).toBe(report.events)
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
