// Tests a workflow of your own: crashes at every event find a step that writes and says that it reads.
import assert from 'node:assert/strict'
import * as z from 'zod'
import { defineWorkflow } from '../src/index.ts'
import { faultSubject, runFaults } from '../src/testing/index.ts'

const titled = z.object({ title: z.string() })

/** Lets the workflow die at each event, in a world of its own each time, and resumes it. */
function test(effect: 'read' | 'write') {
  const openWorld = () => {
    const written: string[] = []
    const report = defineWorkflow({
      name: 'report',
      input: titled,
      output: titled,
      async run(context, { title }) {
        await context.step('append', { effect, input: title }, () => void written.push(title))
        return { title }
      },
    })
    const writes = () => new Map([['On tides', written.length]])
    return { workflow: report, input: { title: 'On tides' }, writes }
  }
  // A write that was cut off may have happened. The run says that it does not know, and that is right.
  return runFaults(
    faultSubject(openWorld, { acceptsFailure: ({ code }) => code === 'outcome_unknown' }),
  )
}

const broken = await test('read')
assert.ok(broken.problems.some((problem) => problem.includes('"On tides" was written 2 times')))
const mended = await test('write')
console.log(`${broken.problems[0]}\n${mended.trials} crashes, no problems`)
assert.deepEqual(mended.problems, [])
