import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Homes } from './ask-subject.ts'
import { killServer, serveClean, spreadKills } from './server-kill.ts'

const homes = new Homes()
beforeAll(() => homes.prepare())
afterAll(() => homes.remove())

describe('SIGKILL (scholium serve)', () => {
  // `npm run faults` has 50 places.
  it('at 3 places: the next server brings each run to the same end, and each stream is taken up again', async () => {
    const clean = await serveClean(homes)
    for (const kill of spreadKills(clean, 3)) {
      const outcome = await killServer(homes, clean, kill)
      expect({ kill, ...outcome }).toMatchObject({ kill, problems: [] })
    }
  }, 120_000)
})
