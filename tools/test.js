// Behind `npm test`: makes this checkout ready, then checks types, style and build, runs every test and holds the seed
// coverage against them. Arguments go to Vitest (a path, `-t NAME`); with them only those tests run. The last line counts what passed and failed.
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

process.exitCode = await exitCodeOf(async () => {
  const node = await makeReady()
  if (node !== process.execPath) return runUnder(node, [fileURLToPath(import.meta.url), ...args])
  forgetAbsentData()
  const isWhole = args.length === 0
  const none = { passed: 0, failed: 0, skipped: 0 }
  const checks = isWhole ? await runStaticChecks() : none
  const { tally: tests, report } = await runTests(args)
  const coverage = isWhole ? checkSeedCoverage(report, root) : none
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
