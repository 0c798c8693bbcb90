/*
 * Runs benches one after another, each in a process of its own: npm run bench -- [NAME …] [--smoke | --full] [--folder FOLDER]
 * Without a name, all of them. Quick (under a minute each) compares with the recorded figures; --full records what it measured
 * in docs/measurements.md; --smoke only shows that they run. FOLDER is on the disk to measure (default: the temporary folder).
 * Exits with 1 if a bench fails or misses a target.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Bench, type BenchSize, type Measure, meetsTarget } from './bench.ts'
import { benchNames, loadBench } from './benches.ts'
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
    folder: { type: 'string', default: tmpdir() },
  },
})
const size: BenchSize = values.full ? 'full' : values.smoke ? 'smoke' : 'quick'
const wanted = positionals.length === 0 ? benchNames : positionals
const unknown = wanted.filter((name) => !benchNames.includes(name))
if (unknown.length > 0) {
  console.error(`No bench is called ${unknown.join(', ')}. There are: ${benchNames.join(', ')}.`)
  process.exit(2)
}

const recorded = readRecords()
const fresh: BenchRecord[] = []
const problems: string[] = []
for (const name of wanted) {
  const bench = await loadBench(name)
  const missing = findMissing(bench)
  if (missing.length > 0) {
    console.log(`${name}: skipped, since ${missing.join(' and ')} is missing\n`)
    continue
  }
  const startedAt = performance.now()
  const circumstances = describeMachine()
  const measures = measureApart(name)
  if (measures === undefined) {
    problems.push(`${name}: failed`)
    continue
  }
  const record = { name, title: bench.title, size, ...circumstances, measures }
  fresh.push(record)
  console.log(renderSection(record))
  console.log(`${name}: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s\n`)
  if (size === 'smoke') problems.push(...findNonsense(name, measures))
  else
    problems.push(...findMisses(name, measures), ...compareWithRecord(record, recorded.get(name)))
}
if (size === 'full') writeRecords(benchNames, fresh)
for (const problem of problems) console.log(problem)
console.log(
  `${fresh.length} of ${wanted.length} benches measured, ${problems.length === 0 ? 'nothing to report' : `${problems.length} to look at`}`,
)
process.exitCode = problems.length === 0 ? 0 : 1

/** The measures of a bench that ran in its own process; nothing if that failed. */
function measureApart(name: string): readonly Measure[] | undefined {
  const folder = mkdtempSync(join(values.folder, 'scholium-bench-'))
  const output = join(folder, 'measures.json')
  try {
    const script = fileURLToPath(new URL('./run-one.ts', import.meta.url))
    const args = ['--expose-gc', script, name, size, folder, output]
    const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
    return status === 0 ? JSON.parse(readFileSync(output, 'utf8')) : undefined
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function findMissing({ needs = [] }: Bench): string[] {
  return needs.filter((need) =>
    /^[A-Z_]+$/.test(need)
      ? process.env[need] === undefined
      : spawnSync('sh', ['-c', `command -v ${need}`]).status !== 0,
  )
}

function findMisses(name: string, measures: readonly Measure[]): string[] {
  return measures
    .filter((measure) => !meetsTarget(measure))
    .map(({ what }) => `${name}: ${what}: target missed`)
}

function findNonsense(name: string, measures: readonly Measure[]): string[] {
  if (measures.length === 0) return [`${name}: measured nothing`]
  return measures
    .filter(({ value, yardstick }) => !Number.isFinite(value) || yardstick?.value === 0)
    .map(({ what }) => `${name}: ${what}: no number`)
}
