import { spawn, spawnSync } from 'node:child_process'
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createReadingEnvironment } from '../../src/code/tools/processes/command-environment.ts'
import { tracedCalls, tracedEffects } from './trace.ts'
import { canary, ranFile, type World } from './world.ts'

/** A line that was let through, and the folder in which it begins. */
export interface AllowedLine {
  readonly line: string
  readonly cwd: string
}

/** What a line did beyond reading what is open. */
export interface OutsideEffect extends AllowedLine {
  readonly world: string
  readonly effect: string
}

const maxMs = 600_000
const mark = '/no-such-folder-of-marks'

/** Begins each line as the tool for commands does. The marks say in the trace and in what is printed where one begins. */
const driver = `n=0
while IFS= read -r -d '' cwd && IFS= read -r -d '' line; do
  { : < "${mark}/$n"; } 2>/dev/null
  printf '\\0%s %s\\0' "${mark}" "$n"
  ( cd -P -- "$cwd" && exec /bin/bash -c -- "$line" </dev/null 2>&1 )
  n=$((n+1))
done < "$1"`

/** Whether the machine can trace what processes do. */
export function canTrace(): boolean {
  return (
    spawnSync('strace', [
      '-f',
      '--seccomp-bpf',
      '-qq',
      '-o',
      '/dev/null',
      '-e',
      'trace=execve',
      'true',
    ]).status === 0
  )
}

/** Really runs lines in their world. Gives what they did that they must not do. */
export async function runLines(
  world: World,
  lines: readonly AllowedLine[],
  isTraced: boolean,
): Promise<readonly OutsideEffect[]> {
  const [records, trace] = [join(world.root, '..', 'records'), join(world.root, '..', 'trace')]
  writeFileSync(
    records,
    lines.map(({ line, cwd }) => `${join(world.workspace, cwd)}\0${line}\0`).join(''),
  )
  const before = stateOf(world.root)
  const words = ['/bin/bash', '-c', driver, 'driver', records]
  const traced = [
    'strace',
    '-f',
    '-y',
    '-qq',
    '-s',
    '4096',
    '--seccomp-bpf',
    '-o',
    trace,
    '-e',
    `trace=${tracedCalls}`,
  ]
  const printed = await printedBy([...(isTraced ? traced : []), ...words], world)
  const found: OutsideEffect[] = []
  const told = new Set<number>()
  const tell = (at: number, effect: string) => {
    if (told.has(at)) return
    told.add(at)
    const { line, cwd } = lines[at] ?? { line: '(a line of these)', cwd: '' }
    found.push({ world: world.name, line, cwd, effect })
  }
  for (const part of printed.split(`\0${mark} `).slice(1)) {
    const at = Number.parseInt(part, 10)
    if (part.includes(canary) || part.includes('root:x:0:0'))
      tell(at, `printed ${JSON.stringify(part.slice(0, 200))}`)
  }
  if (isTraced)
    for (const { at, effect } of tracedEffects(readFileSync(trace, 'utf8'), { mark, world }))
      tell(at, effect)
  if (existsSync(join(world.root, ranFile)))
    tell(-1, `ran ${readFileSync(join(world.root, ranFile), 'utf8').slice(0, 200)}`)
  const after = stateOf(world.root)
  for (const [path, state] of after) if (before.get(path) !== state) tell(-1, `changed ${path}`)
  for (const path of before.keys()) if (!after.has(path)) tell(-1, `removed ${path}`)
  for (const path of [records, trace, join(world.root, ranFile)]) rmSync(path, { force: true })
  return found
}

function printedBy([program = '', ...words]: readonly string[], world: World): Promise<string> {
  const env = { ...createReadingEnvironment(world.environment), PWD: world.workspace }
  const child = spawn(program, words, {
    cwd: world.workspace,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: maxMs,
    killSignal: 'SIGKILL',
  })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (_code, signal) => {
      if (signal !== null) reject(new Error(`The lines were ended by ${signal}.`))
      else resolve(Buffer.concat(chunks).toString('utf8'))
    })
  })
}

/** What is there, with times and sizes; links are not followed. */
function stateOf(folder: string): ReadonlyMap<string, string> {
  const own = readdirSync(folder).map((name): [string, string] => {
    const { size, mtimeMs, ctimeMs, ino } = lstatSync(join(folder, name))
    return [join(folder, name), `${size} ${mtimeMs} ${ctimeMs} ${ino}`]
  })
  const below = own.filter(([path]) => lstatSync(path).isDirectory())
  return new Map([...own, ...below.flatMap(([path]) => [...stateOf(path)])])
}
