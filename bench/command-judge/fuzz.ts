// Judges hostile command lines, really runs those that are allowed, and reports what they did besides reading what is open:
// node bench/command-judge/fuzz.ts [--lines N] [--seed N]. Prints JSON. Exits with 1 if there was any other effect.
import { spawnSync } from 'node:child_process'
import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createRandom, Grammar } from './grammar.ts'
import { type AllowedLine, canTrace, type OutsideEffect, runLines } from './run-lines.ts'
import { makeWorlds, type World } from './world.ts'

/** What fuzzing found. */
export interface FuzzReport {
  readonly lines: number
  readonly distinct: number
  /** How many of the distinct lines are allowed without asking; all of these were run. */
  readonly run: number
  /** Making and judging all lines. */
  readonly judgedMs: number
  /** Without `strace`, only what was printed or changed is seen. */
  readonly isTraced: boolean
  readonly outsideEffects: readonly OutsideEffect[]
}

const { values } = parseArgs({
  options: {
    lines: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    folder: { type: 'string' },
  },
})
const nobody = 65_534
const linesAtOnce = 500

process.exitCode = values.folder === undefined ? fuzzApart() : await fuzz(values.folder)

/** Fuzzes in a temporary folder; as root, in a process of a user without any rights. */
function fuzzApart(): number {
  const folder = mkdtempSync(join(tmpdir(), 'command-judge-'))
  const user = process.getuid?.() === 0 && canBeRunBy(nobody) ? { uid: nobody, gid: nobody } : {}
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid)
  try {
    const script = fileURLToPath(import.meta.url)
    const args = [script, '--folder', folder, '--lines', values.lines, '--seed', values.seed]
    const { status } = spawnSync(process.execPath, args, {
      stdio: 'inherit',
      env: { ...process.env, HOME: folder, TMPDIR: folder },
      ...user,
    })
    return status ?? 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Whether a user can read this checkout, wherever it is. */
function canBeRunBy(uid: number): boolean {
  const script = fileURLToPath(import.meta.url)
  const args = ['-e', 'require("node:fs").accessSync(process.argv[1])', script]
  return spawnSync(process.execPath, args, { uid, gid: uid, stdio: 'ignore' }).status === 0
}

async function fuzz(folder: string): Promise<number> {
  const allowed = new Map(
    makeWorlds(folder).map((world): [World, Map<string, AllowedLine>] => [world, new Map()]),
  )
  const startedAt = performance.now()
  const distinct = judgeLines(Number(values.lines), allowed)
  const judgedMs = performance.now() - startedAt
  const isTraced = canTrace()
  const outsideEffects: OutsideEffect[] = []
  let run = 0
  for (const [world, lines] of allowed) {
    const all = [...lines.values()]
    for (let at = 0; at < all.length; at += linesAtOnce) {
      const part = all.slice(at, at + linesAtOnce)
      outsideEffects.push(...(await runLines(world, part, isTraced)))
      run += part.length
    }
  }
  const lines = Number(values.lines)
  const report: FuzzReport = { lines, distinct, run, judgedMs, isTraced, outsideEffects }
  console.log(JSON.stringify(report, null, 2))
  return outsideEffects.length === 0 && run > 0 ? 0 : 1
}

/** Makes and judges lines, and adds those that are allowed. Returns how many were distinct. */
function judgeLines(count: number, allowed: ReadonlyMap<World, Map<string, AllowedLine>>): number {
  const random = createRandom(Number(values.seed))
  const worlds = [...allowed.keys()]
  const cases = readCases()
  const grammars = new Map(worlds.map((world) => [world, new Grammar(random, world.root, cases)]))
  const seen = new Set<string>()
  for (let made = 0; made < count; made++) {
    const world = worlds[Math.floor(random() * worlds.length)] as World
    const { line, cwd } = grammars.get(world)?.next() ?? { line: '', cwd: '' }
    const key = `${world.name}\0${cwd}\0${line}`
    if (seen.has(key)) continue
    seen.add(key)
    if (world.judge(line, cwd).verdict === 'allow') allowed.get(world)?.set(key, { line, cwd })
  }
  return seen.size
}

/** The lines of the tables by which the judge is tested. */
function readCases(): readonly string[] {
  const tables = fileURLToPath(new URL('../../test/security/lines/', import.meta.url))
  return readdirSync(tables)
    .flatMap((name) => readFileSync(join(tables, name), 'utf8').split('\n'))
    .filter((line) => line !== '' && !line.startsWith('#'))
}
