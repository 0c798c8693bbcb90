// How long the command takes to start, beside the bare Node: medians of alternating runs.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const command = new URL('../../bin/scholium.js', import.meta.url).pathname
const home = mkdtempSync(join(tmpdir(), 'scholium-bench-'))
const rounds = 15

interface Case {
  readonly name: string
  readonly args: readonly string[]
  /** Milliseconds above the bare Node, at most. */
  readonly targetMs: number
}

const cases: readonly Case[] = [
  { name: 'scholium --version', args: [command, '--version'], targetMs: 30 },
  { name: 'scholium --help', args: [command, '--help'], targetMs: 60 },
  { name: 'scholium runs list', args: [command, 'runs', 'list'], targetMs: 170 },
  {
    name: 'scholium ask "What is 2 + 2?"',
    args: [command, 'ask', 'What is 2 + 2?'],
    targetMs: 1_500,
  },
  {
    name: 'scholium ask "Who discovered penicillin?"',
    args: [command, 'ask', 'Who discovered penicillin?'],
    targetMs: 1_500,
  },
]

function timeMs(args: readonly string[]): number {
  const startedAt = performance.now()
  execFileSync(process.execPath, [...args], {
    stdio: 'ignore',
    env: { ...process.env, SCHOLIUM_HOME: home },
  })
  return performance.now() - startedAt
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] as number
}

function measure(): boolean {
  const bare: number[] = []
  const times = new Map<string, number[]>(cases.map(({ name }) => [name, []]))
  for (const { args } of cases) timeMs(args)
  for (let round = 0; round < rounds; round++) {
    bare.push(timeMs(['-e', '0']))
    for (const { name, args } of cases) times.get(name)?.push(timeMs(args))
  }
  const bareMs = median(bare)
  console.log(`${'node -e 0'.padEnd(48)} ${bareMs.toFixed(0).padStart(6)} ms`)
  let isGood = true
  for (const { name, targetMs } of cases) {
    const aboveMs = median(times.get(name) ?? []) - bareMs
    const isMet = aboveMs <= targetMs
    isGood &&= isMet
    const target = `target +${targetMs}: ${isMet ? 'met' : 'MISSED'}`
    console.log(`${name.padEnd(48)} ${`+${aboveMs.toFixed(0)}`.padStart(6)} ms  ${target}`)
  }
  return isGood
}

try {
  process.exitCode = measure() ? 0 : 1
} finally {
  rmSync(home, { recursive: true, force: true })
}
