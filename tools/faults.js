// Behind `npm run faults`: makes this checkout ready, then kills real processes at every event of their runs.
import { fileURLToPath } from 'node:url'
import { makeReady } from './launch/ready.js'
import { runUnder } from './launch/run-under.js'
import { exitCodeOf } from './launch/setup-error.js'

const suite = fileURLToPath(new URL('../test/faults/every-event.ts', import.meta.url))

process.exitCode = await exitCodeOf(async () =>
  runUnder(await makeReady(), [suite, ...process.argv.slice(2)]),
)
