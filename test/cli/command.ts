import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../repo/source-file.ts'
import { runWarm } from './warm-command.ts'

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

/** How to call a command, in addition to its arguments. */
export interface Call {
  readonly stdin?: string | Uint8Array
  readonly env?: Readonly<Record<string, string | undefined>>
  /** The user who runs it, where the test's own may do so. */
  readonly uid?: number
  /** In a process of its own, by the launcher, where the test is about that: it takes ten times as long. */
  readonly isApart?: boolean
}

/** Every question with the whole team and all of its critics. */
export const thorough = { SCHOLIUM_DEPTH: 'thorough' } as const

/** The real command line in a separate process, with a temporary home and folder. */
export class CommandLine {
  readonly folder = mkdtempSync(join(tmpdir(), 'scholium-cli-'))
  private readonly variables: Readonly<Record<string, string>>

  /** @param variables that every command gets, such as {@link thorough} */
  constructor(variables: Readonly<Record<string, string>> = {}) {
    this.variables = variables
  }

  /** Starts a process of its own. */
  start(args: readonly string[], { stdin, env, uid }: Call = {}): Started {
    const child = spawn(process.execPath, [join(root, 'bin/scholium.js'), ...args], {
      cwd: this.folder,
      env: this.environment(env),
      ...(uid === undefined ? {} : { uid, gid: uid }),
    })
    return watch(child, stdin)
  }

  /** Starts a program in the folder of this checkout, as the first of a process group of its own. */
  startGroup(program: string, args: readonly string[], { stdin, env }: Call = {}): Started {
    const options = { cwd: root, env: this.environment(env), detached: true }
    return watch(spawn(program, args, options), stdin)
  }

  run(args: readonly string[], call: Call = {}): Promise<Outcome> {
    const { stdin = '', env = {}, uid, isApart = false } = call
    if (isApart || uid !== undefined || env.NODE_OPTIONS !== undefined)
      return this.start(args, call).outcome
    const given = Object.entries(this.environment(env)).filter(([, value]) => value !== undefined)
    return runWarm({
      args,
      env: Object.fromEntries(given) as Record<string, string>,
      cwd: this.folder,
      stdin: Buffer.from(stdin).toString('base64'),
    })
  }

  /** Writes a file into the folder in which commands run. */
  write(name: string, content: string | Uint8Array): void {
    writeFileSync(join(this.folder, name), content)
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  private environment(env: Call['env']): NodeJS.ProcessEnv {
    return {
      ...withoutSettings(process.env),
      npm_lifecycle_event: '',
      npm_package_json: '',
      SCHOLIUM_HOME: join(this.folder, 'home'),
      XDG_CONFIG_HOME: join(this.folder, 'config'),
      ...this.variables,
      ...env,
    }
  }
}

function watch(child: ChildProcessWithoutNullStreams, stdin: Call['stdin'] = ''): Started {
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk) => (stdout += chunk))
  child.stderr.on('data', (chunk) => (stderr += chunk))
  child.stdin.on('error', () => {})
  child.stdin.end(stdin)
  const outcome = new Promise<Outcome>((resolve) => {
    child.on('close', (exitCode) => resolve({ exitCode, stdout, stderr }))
  })
  return { child, outcome, printed: () => ({ stdout, stderr }) }
}

/** The environment without what a person has set for Scholium and for the providers of models. */
function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = /^SCHOLIUM_|_API_KEY$|_BASE_URL$|^OLLAMA_HOST$|^AZURE_/
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !own.test(name)))
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
