// Behind `npm test`: makes this checkout ready, then checks types, style and build, and runs the tests that need no process,
// terminal, sandbox or browser. With `--all` (`npm run test:all`) it runs every test and holds the seed coverage against them. Other
// arguments go to Vitest (a path, `-t NAME`): then only those tests run. The last line counts what passed, failed and was skipped.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { checkSeedCoverage } from './checks/seed-coverage.js'
import { runStaticChecks } from './checks/static-checks.js'
import { countLine } from './checks/tally.js'
import { runTests } from './checks/vitest.js'
import { makeReady, root } from './launch/ready.js'
import { runUnder } from './launch/run-under.js'
import { exitCodeOf } from './launch/setup-error.js'

const args = process.argv.slice(2)
const quickProjects = ['--project=shared', '--project=rules']

process.exitCode = await exitCodeOf(async () => {
  const node = await makeReady()
  if (node !== process.execPath) return runUnder(node, [fileURLToPath(import.meta.url), ...args])
  forgetAbsentData()
  const isAll = args[0] === '--all'
  const isWhole = isAll || args.length === 0
  const none = { passed: 0, failed: 0, skipped: 0 }
  const checks = isWhole ? await runStaticChecks() : none
  const { tally: tests, report } = await runTests(isAll ? [] : isWhole ? quickProjects : args)
  const coverage = isAll ? checkSeedCoverage(report, root) : none
  const total = {
    passed: checks.passed + tests.passed + coverage.passed,
    failed: checks.failed + tests.failed + coverage.failed,
    skipped: tests.skipped,
  }
  console.log(countLine(total))
  return total.failed === 0 ? 0 : 1
})

/** Tests that need data look at `SCHOLIUM_DATA` alone; a folder that is not there must skip them, not fail them. */
function forgetAbsentData() {
  const folder = process.env.SCHOLIUM_DATA
  if (folder === undefined || existsSync(folder)) return
  console.log(
    `SCHOLIUM_DATA names a folder that is not there (${folder}): tests that need it are skipped.`,
  )
  delete process.env.SCHOLIUM_DATA
}
