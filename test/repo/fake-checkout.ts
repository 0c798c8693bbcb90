import { type ChildProcess, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from './source-file.ts'

/** How a started process ended and what it printed. */
export interface Outcome {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

/** What replaces npm, and environment variables in addition to the test's own. */
export interface Fakes {
  readonly npm?: string
  readonly node?: string
  readonly env?: Readonly<Record<string, string>>
}

/** A process that was started, and how it will end. */
export interface Started {
  readonly child: ChildProcess
  readonly outcome: Promise<Outcome>
}

/** A folder with this checkout's own launcher and bundler, a tiny command line, and a small program in the place of npm. */
export class FakeCheckout {
  readonly folder = mkdtempSync(join(tmpdir(), 'scholium-launcher-'))

  constructor() {
    for (const name of ['bin', 'tools', 'src/files/cache-folder.ts', 'src/files/user-folder.ts']) {
      const isOurs = (path: string) => !path.includes('node_modules') && !path.includes('.install')
      cpSync(join(root, name), join(this.folder, name), { recursive: true, filter: isOurs })
    }
    this.write('package.json', JSON.stringify({ name: 'fake', version: '1.2.3', type: 'module' }))
    this.writeLock('1.0.0')
    this.write('src/cli/main.ts', commandLine)
    this.write('src/cli/later.ts', "export const said = 'first'")
    this.write('npm-cli.js', fakeNpm)
  }

  /** Writes a lock file with one package to run with and one for development, both at `version`. */
  writeLock(version: string): void {
    const packages = {
      'node_modules/needed': { version, integrity: 'sha512-a' },
      'node_modules/tool': { version, integrity: 'sha512-b', dev: true },
      'node_modules/elsewhere': { version, integrity: 'sha512-c', optional: true },
    }
    this.write('package-lock.json', JSON.stringify({ lockfileVersion: 3, packages }))
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true })
    writeFileSync(join(this.folder, path), text)
  }

  has(path: string): boolean {
    return existsSync(join(this.folder, path))
  }

  /** The arguments of every call of npm so far. */
  npmCalls(): readonly (readonly string[])[] {
    if (!this.has('calls.ndjson')) return []
    const lines = readFileSync(join(this.folder, 'calls.ndjson'), 'utf8').split('\n')
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line))
  }

  /**
   * Starts Node with `args` in the folder. `npm` says what the program in npm's place does: nothing special,
   * `fail CODE`, `note TEXT` (says it and ends well) or `wait MS`; `node` is where it then puts a Node when it installs into `tools/node`.
   */
  start(args: readonly string[], { npm = '', node = '', env: own = {} }: Fakes = {}): Started {
    const fakes = { FAKE_NPM: npm, FAKE_NODE: node && join(this.folder, node) }
    const env = { ...process.env, npm_execpath: join(this.folder, 'npm-cli.js'), ...fakes, ...own }
    const child = spawn(process.execPath, args, { cwd: this.folder, env })
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (chunk) => (stdout += chunk))
    child.stderr.on('data', (chunk) => (stderr += chunk))
    const outcome = new Promise<Outcome>((resolve) => {
      child.on('close', (exitCode) => resolve({ exitCode, stdout, stderr }))
    })
    return { child, outcome }
  }

  /** Starts Node with `args` in the folder and waits for its end. */
  run(args: readonly string[], fakes: Fakes = {}): Promise<Outcome> {
    return this.start(args, fakes).outcome
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/**
 * Prints its arguments, Node and from where it runs; `fail` ends with 3, `wait` runs until it is told to end and says by which
 * signal, `later` loads its other module when something comes on its input.
 */
const commandLine = `
export async function main(args: string[]): Promise<number> {
  const ended = args[0] === 'wait' ? nextSignal() : undefined
  const place = import.meta.url.includes('/src/') ? 'sources' : 'bundle'
  console.log(JSON.stringify({ args, place, node: process.execPath, path: process.env.PATH?.split(':')[0], folder: process.cwd() }))
  if (args[0] === 'later') {
    for await (const _ of process.stdin) break
    console.log((await import('./later.ts')).said)
  }
  return ended ?? (args[0] === 'fail' ? 3 : 0)
}

function nextSignal(): Promise<number> {
  const timer = setInterval(() => {}, 1_000)
  return new Promise((resolve) => {
    for (const [signal, code] of [['SIGINT', 130], ['SIGTERM', 143]] as const) {
      process.on(signal, () => {
        clearInterval(timer)
        console.log(signal)
        resolve(code)
      })
    }
  })
}
`

/** Notes its arguments, then does as told: fails as npm does, takes its time, or writes the record that npm writes. */
const fakeNpm = `
import { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const does = process.env.FAKE_NPM ?? ''
const args = process.argv.slice(2)
appendFileSync(new URL('calls.ndjson', import.meta.url), JSON.stringify(args) + '\\n')
if (does.startsWith('fail ')) {
  console.error('npm error code ' + does.slice(5))
  process.exit(1)
}
if (does.startsWith('note ')) console.error('npm ' + does.slice(5))
if (does.startsWith('wait ')) await new Promise((resolve) => setTimeout(resolve, Number(does.slice(5))))
rmSync('node_modules', { recursive: true, force: true })
const isWanted = ([path, entry]) => path !== '' && !entry.optional
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const installed = Object.fromEntries(Object.entries(packages).filter(isWanted))
const write = (path, text) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
write('node_modules/.package-lock.json', JSON.stringify({ packages: installed }))
symlinkSync(${JSON.stringify(join(root, 'node_modules', 'rolldown'))}, 'node_modules/rolldown', 'junction')
const node = process.env.FAKE_NODE
if (node && process.cwd().endsWith('node')) {
  mkdirSync(dirname(node), { recursive: true })
  symlinkSync(process.execPath, node)
}
`
