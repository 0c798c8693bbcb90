/*
 * Runs benches one after another, each in a process of its own: npm run bench -- [NAME …] [--smoke | --full] [--folder FOLDER]
 * Without a name, all of them. Quick (under a minute each) compares with the recorded figures; --full also records what it measured
 * in docs/measurements.md; --smoke only shows that they run. FOLDER is on the disk to measure (default: /var/tmp, which is not in memory).
 * Exits with 1 if a bench fails, misses a target or became worse by more than a fifth.
 */
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { parseArgs } from 'node:util'
import { makeBundle } from '../tools/launch/make-bundle.js'
import { type BenchSize, meetsTarget } from './bench.ts'
import { benchNames, findMissing, loadBench, measureApart } from './benches.ts'
import { describeMachine } from './machine.ts'
import {
  type BenchRecord,
  compareWithRecord,
  readRecords,
  renderSection,
  writeRecords,
} from './record.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    smoke: { type: 'boolean', default: false },
    full: { type: 'boolean', default: false },
    folder: { type: 'string', default: existsSync('/var/tmp') ? '/var/tmp' : tmpdir() },
  },
})
const size: BenchSize = values.full ? 'full' : values.smoke ? 'smoke' : 'quick'
const wanted = positionals.length === 0 ? benchNames : positionals
const unknown = wanted.filter((name) => !benchNames.includes(name))
if (unknown.length > 0) {
  console.error(`No bench is called ${unknown.join(', ')}. There are: ${benchNames.join(', ')}.`)
  process.exit(2)
}

// Commands are measured as they are installed.
await makeBundle()
const recorded = readRecords()
const fresh: BenchRecord[] = []
const problems: string[] = []
for (const name of wanted) {
  const startedAt = performance.now()
  const bench = await loadBench(name)
  const missing = findMissing(bench)
  if (missing.length > 0) {
    console.log(`${name}: skipped, since ${missing.join(' and ')} is missing\n`)
    continue
  }
  try {
    const circumstances = describeMachine()
    const measures = await measureApart(name, size, values.folder)
    const record = { name, title: bench.title, size, ...circumstances, measures }
    fresh.push(record)
    console.log(renderSection(record))
    if (size !== 'smoke') problems.push(...findProblems(record))
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error))
  }
  console.log(`${name}: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s\n`)
}
if (size === 'full') writeRecords(benchNames, fresh)
for (const problem of problems) console.log(problem)
console.log(
  `${fresh.length} of ${wanted.length} benches measured, ${problems.length === 0 ? 'nothing to report' : `${problems.length} to look at`}`,
)
process.exitCode = problems.length === 0 ? 0 : 1

function findProblems(record: BenchRecord): readonly string[] {
  const misses = record.measures
    .filter((measure) => !meetsTarget(measure))
    .map(({ what }) => `${record.name}: ${what}: target missed`)
  return [...misses, ...compareWithRecord(record, recorded.get(record.name))]
}
