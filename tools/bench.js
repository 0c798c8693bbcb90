// Behind `npm run bench`: makes this checkout ready, then measures.
import { fileURLToPath } from 'node:url'
import { makeReady } from './launch/ready.js'
import { runUnder } from './launch/run-under.js'
import { exitCodeOf } from './launch/setup-error.js'

const script = fileURLToPath(new URL('../bench/run.ts', import.meta.url))

process.exitCode = await exitCodeOf(async () =>
  runUnder(await makeReady(), [script, ...process.argv.slice(2)]),
)
