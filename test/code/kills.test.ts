import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/testing/index.ts'
import { cleanEvents, type Kill, killAndResume } from './kill-session.ts'

const count = 8

/** Places over the whole session: every second one where the process stands still, the others where it goes on meanwhile. */
function seededKills(events: number): readonly Kill[] {
  const random = createRandom(9)
  return Array.from({ length: count }, (_, index) => ({
    event: 1 + Math.floor(random() * (events - 1)),
    isPaused: index % 2 === 0,
  }))
}

describe('SIGKILL of a coding session', () => {
  it(`at ${count} places: another process fixes the project, and no command is run twice`, async () => {
    for (const kill of seededKills(await cleanEvents())) {
      const problems = await killAndResume(kill, 'this process')
      expect({ kill, problems }).toEqual({ kill, problems: [] })
    }
  }, 120_000)
})
