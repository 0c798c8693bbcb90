import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../repo/source-file.ts'

/** How a command ended and what it printed. */
export interface Outcome {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A command that was started, and how it will end. */
export interface Started {
  readonly child: ChildProcess
  readonly outcome: Promise<Outcome>
  /** What it has printed so far. */
  printed(): Pick<Outcome, 'stdout' | 'stderr'>
}

/** How a command is called beside its arguments. */
export interface Call {
  readonly stdin?: string | Uint8Array
  readonly env?: Readonly<Record<string, string>>
}

/** The real command line as a process of its own, over a home and a folder that are thrown away. */
export class CommandLine {
  readonly folder = mkdtempSync(join(tmpdir(), 'scholium-cli-'))

  start(args: readonly string[], { stdin, env = {} }: Call = {}): Started {
    const own = {
      SCHOLIUM_HOME: join(this.folder, 'home'),
      OPENAI_BASE_URL: '',
      OPENAI_API_KEY: '',
    }
    const child = spawn(process.execPath, [join(root, 'bin/scholium.js'), ...args], {
      cwd: this.folder,
      env: { ...process.env, npm_lifecycle_event: '', ...own, ...env },
    })
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (chunk) => (stdout += chunk))
    child.stderr.on('data', (chunk) => (stderr += chunk))
    child.stdin.on('error', () => {})
    child.stdin.end(stdin ?? '')
    const outcome = new Promise<Outcome>((resolve) => {
      child.on('close', (exitCode) => resolve({ exitCode, stdout, stderr }))
    })
    return { child, outcome, printed: () => ({ stdout, stderr }) }
  }

  run(args: readonly string[], call: Call = {}): Promise<Outcome> {
    return this.start(args, call).outcome
  }

  /** Writes a file into the folder in which commands run. */
  write(name: string, content: string | Uint8Array): void {
    writeFileSync(join(this.folder, name), content)
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** The one JSON value that a command printed; fails when there is more or less. */
export function jsonOf({ stdout }: Outcome) {
  return JSON.parse(stdout)
}

/** The JSON lines that a command printed. */
export function linesOf({ stdout }: Pick<Outcome, 'stdout'>) {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}
