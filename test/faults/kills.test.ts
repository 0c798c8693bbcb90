import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRandom } from '../../src/testing/index.ts'
import { Homes } from './ask-subject.ts'
import { type CleanRun, type Kill, killAndResume, runClean } from './kill.ts'
import type { KillSubject } from './killed-run.ts'

const homes = new Homes()
beforeAll(() => homes.prepare())
afterAll(() => homes.remove())

/** Places over the whole run: every second one where the process stands still, the others where it goes on meanwhile. */
function seededKills(events: number, count: number, seed: number): readonly Kill[] {
  const random = createRandom(seed)
  return Array.from({ length: count }, (_, index) => ({
    event: 1 + Math.floor(random() * (events - 1)),
    isPaused: index % 2 === 0,
  }))
}

describe.each<[KillSubject, number, number]>([
  ['extractive', 5, 1],
  ['scripted', 5, 2],
  ['sequential', 4, 4],
  ['post', 3, 3],
])('SIGKILL (%s)', (subject, count, seed) => {
  it(`at ${count} places: another process brings the run to the same end`, async () => {
    const clean: CleanRun = await runClean(subject, homes)
    for (const kill of seededKills(clean.events, count, seed)) {
      // `npm run faults` resumes each in a process of its own.
      const problems = await killAndResume(subject, homes, clean, kill, 'this process')
      expect({ kill, problems }).toEqual({ kill, problems: [] })
    }
  }, 60_000)
})
