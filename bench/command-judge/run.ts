import { spawnSync } from 'node:child_process'
import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createRandom, Grammar } from './grammar.ts'
import { type AllowedLine, canTrace, type OutsideEffect, runLines } from './run-lines.ts'
import { makeWorlds, type World } from './world.ts'

// Judges hostile command lines, really runs what is let through unasked, and says what that did beyond reading what is open.
// node bench/command-judge/run.ts [--lines N | --quick] [--seed N]

const { values } = parseArgs({
  options: {
    lines: { type: 'string', default: '500000' },
    quick: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    folder: { type: 'string' },
  },
})
const nobody = 65_534
const linesAtOnce = 500
const maxShown = 30

process.exitCode = values.folder === undefined ? inFolder() : await fuzz(values.folder)

/** Makes a folder to throw away; as root, all else is done as a user who may do nothing. */
function inFolder(): number {
  const folder = mkdtempSync(join(tmpdir(), 'command-judge-'))
  const user = process.getuid?.() === 0 && canBeRunBy(nobody) ? { uid: nobody, gid: nobody } : {}
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid)
  try {
    const words = [
      fileURLToPath(import.meta.url),
      '--folder',
      folder,
      '--lines',
      values.quick ? '2000' : values.lines,
      '--seed',
      values.seed,
    ]
    const { status } = spawnSync(process.execPath, words, {
      stdio: 'inherit',
      env: { ...process.env, HOME: folder, TMPDIR: folder },
      ...user,
    })
    return status ?? 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Whether a user can read what is needed, wherever the checkout lies. */
function canBeRunBy(uid: number): boolean {
  const script = fileURLToPath(import.meta.url)
  const words = ['-e', 'require("node:fs").accessSync(process.argv[1])', script]
  return spawnSync(process.execPath, words, { uid, gid: uid, stdio: 'ignore' }).status === 0
}

async function fuzz(folder: string): Promise<number> {
  const count = Number(values.lines)
  const isTraced = canTrace()
  const worlds = makeWorlds(folder)
  const allowed = new Map(
    worlds.map((world): [World, Map<string, AllowedLine>] => [world, new Map()]),
  )
  const startMs = performance.now()
  const totals = judgeLines(count, allowed)
  const judgedMs = performance.now() - startMs
  const effects: OutsideEffect[] = []
  let run = 0
  for (const [world, lines] of allowed) {
    const all = [...lines.values()]
    for (let at = 0; at < all.length; at += linesAtOnce) {
      const part = all.slice(at, at + linesAtOnce)
      effects.push(...(await runLines(world, part, isTraced)))
      run += part.length
    }
  }
  const runMs = performance.now() - startMs - judgedMs
  console.log(
    `seed ${values.seed}, ${worlds.length} folders, ${isTraced ? 'traced' : 'without a trace (strace is not here)'}`,
  )
  console.log(
    `${count} lines: ${totals.distinct} distinct, ${totals.allowed} let through (${Math.round(judgedMs / 1_000)} s)`,
  )
  console.log(`${run} distinct lines run (${Math.round(runMs / 1_000)} s)`)
  console.log(`${effects.length} outside effects`)
  for (const { world, cwd, line, effect } of effects.slice(0, maxShown))
    console.log(`  ${world}/${cwd}: ${JSON.stringify(line)}\n    ${effect}`)
  return effects.length === 0 && run > 0 ? 0 : 1
}

/** Judges lines, and adds those that are let through. Gives how many were distinct and how many were let through. */
function judgeLines(count: number, allowed: ReadonlyMap<World, Map<string, AllowedLine>>) {
  const random = createRandom(Number(values.seed))
  const worlds = [...allowed.keys()]
  const cases = casesOf()
  const grammars = new Map(worlds.map((world) => [world, new Grammar(random, world.root, cases)]))
  const seen = new Set<string>()
  let through = 0
  for (let made = 0; made < count; made++) {
    const world = worlds[Math.floor(random() * worlds.length)] as World
    const { line, cwd } = grammars.get(world)?.next() ?? { line: '', cwd: '' }
    const key = `${cwd}\0${line}`
    const known = allowed.get(world)
    const isNew = !seen.has(`${world.name}\0${key}`)
    seen.add(`${world.name}\0${key}`)
    if (isNew && world.judge(line, cwd).verdict === 'allow') known?.set(key, { line, cwd })
    if (known?.has(key)) through += 1
  }
  return { distinct: seen.size, allowed: through }
}

/** The lines of the tables that tests hold the judge against. */
function casesOf(): readonly string[] {
  const tables = fileURLToPath(new URL('../../test/security/lines/', import.meta.url))
  return readdirSync(tables)
    .flatMap((name) => readFileSync(join(tables, name), 'utf8').split('\n'))
    .filter((line) => line !== '' && !line.startsWith('#'))
}
