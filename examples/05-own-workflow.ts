// A workflow of your own: its effects are steps on the log, so it can be resumed, replayed and forked like any other.
import assert from 'node:assert/strict'
import * as z from 'zod'
import { createApp, defineWorkflow } from '../src/index.ts'
import { temporaryFolder } from './shared/temporary-folder.ts'

const walk = defineWorkflow({
  name: 'walk',
  input: z.object({ from: z.number(), steps: z.number().default(8) }),
  output: z.object({ path: z.array(z.number()) }),
  async run(context, { from, steps }) {
    const path = [from]
    for (let index = 1; index <= steps; index++) {
      const isHeads = await context.step(
        `coin ${index}`,
        { effect: 'read' },
        () => Math.random() < 0.5,
      )
      path.push((path.at(-1) ?? from) + (isHeads ? 1 : -1))
    }
    return { path }
  },
})

const app = createApp({ home: temporaryFolder(), workflows: [walk] })
const { output, runId } = await app.run(walk, { from: 3 })
console.log(output.path.join(' → '))
assert.equal(output.path.length, 9)
const replay = await app.replay(runId)
assert.ok(replay.isIdentical, 'the same coins, from the log')
await app.close()
