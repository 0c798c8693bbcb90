// Behind `npm run test:long`: what takes too long for every change. Kills runs at every event, fuzzes the judge of commands with
// 500,000 lines, runs the conformance suite of the Model Context Protocol, and installs and uses the package elsewhere. The last two
// need the npm registry. The last line counts what held.
import { fileURLToPath } from 'node:url'
import { countLine } from './checks/tally.js'
import { makeReady } from './launch/ready.js'
import { runUnder } from './launch/run-under.js'
import { exitCodeOf } from './launch/setup-error.js'

const parts = [
  ['../test/faults/every-event.ts'],
  ['../bench/command-judge/fuzz.ts', '--lines', '500000'],
  ['../test/server/conformance/run.ts'],
  ['./try-package.js'],
]

process.exitCode = await exitCodeOf(async () => {
  const node = await makeReady()
  const total = { passed: 0, failed: 0, skipped: 0 }
  for (const [path = '', ...args] of parts) {
    console.log(`\n${path.replace('../', '')}`)
    const script = fileURLToPath(new URL(path, import.meta.url))
    if ((await runUnder(node, [script, ...args])) === 0) total.passed++
    else total.failed++
  }
  console.log(countLine(total))
  return total.failed === 0 ? 0 : 1
})
