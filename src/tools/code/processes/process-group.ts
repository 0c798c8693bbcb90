import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { guardGroup } from '../../mcp/orphan-guard.ts'
import type { JobState } from '../jobs.ts'

/** A command with all processes that it started. */
export interface ProcessGroup {
  readonly pid: number | undefined
  readonly state: JobState
  /** Resolves when the command itself has ended and what it printed is read. */
  readonly ended: Promise<JobState>
  /** Whether processes of the group are left. */
  hasProcesses(): boolean
  /** Asks all of them to end, then makes them. Resolves when none is left. */
  kill(): Promise<void>
}

/** What to start, and who hears what it prints, errors and all in one order. */
export interface ProcessStart {
  readonly command: string
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  onOutput(chunk: Uint8Array): void
}

/** For which processes look when they are asked to end. */
const graceMs = 2_000
/** How long what is printed is waited for when the command has ended, but others still hold its output. */
const drainMs = 300
const mark = 'SCHOLIUM_COMMAND'

/** Starts a command line in a shell, in a group of its own that ends with this process. It reads nothing. */
export function startGroup({ command, folder, environment, onOutput }: ProcessStart): ProcessGroup {
  const id = randomUUID()
  const shell = existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh'
  const child = spawn('/bin/sh', ['-c', 'exec "$0" -c -- "$1" 2>&1', shell, command], {
    cwd: folder,
    env: { ...environment, [mark]: id },
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const { pid } = child
  const release = pid === undefined ? () => undefined : guardGroup(pid, () => undefined)
  let state: JobState = { status: 'running' }
  child.stdout?.on('data', onOutput)
  const ended = endOf(child).then((end) => {
    state = end
    if (!isAlive(pid)) release()
    return end
  })
  return {
    pid,
    ended,
    get state() {
      return state
    },
    hasProcesses: () => isAlive(pid),
    async kill() {
      await killAll(pid, id)
      await ended
      release()
    },
  }
}

async function endOf(child: ChildProcess): Promise<JobState> {
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const state = await new Promise<JobState>((resolve) => {
    child.once('error', (error) => resolve({ status: 'failed', detail: error.message }))
    child.once('exit', (code, signal) => {
      if (signal !== null) resolve({ status: 'killed', signal })
      else resolve({ status: 'exited', exitCode: code ?? 0 })
    })
  })
  if (state.status !== 'failed') await Promise.race([closed, sleep(drainMs, null, { ref: false })])
  child.stdout?.destroy()
  return state
}

function isAlive(pid: number | undefined): boolean {
  return pid !== undefined && signalled(-pid, 0)
}

function signalled(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(target, signal)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function killAll(pid: number | undefined, id: string): Promise<void> {
  if (pid === undefined) return
  const strays = marked(id)
  signalled(-pid, 'SIGTERM')
  for (const stray of strays) signalled(stray, 'SIGTERM')
  const isAnyLeft = () => isAlive(pid) || strays.some((stray) => signalled(stray, 0))
  for (let waitedMs = 0; waitedMs < graceMs && isAnyLeft(); waitedMs += 20) await sleep(20)
  signalled(-pid, 'SIGKILL')
  for (const stray of marked(id)) signalled(stray, 'SIGKILL')
}

/** Processes that left the group are known by their environment, where the system shows it. */
function marked(id: string): readonly number[] {
  if (process.platform !== 'linux') return []
  const numbers = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return numbers.filter((number) => holdsMark(number, id)).map(Number)
}

function holdsMark(number: string, id: string): boolean {
  try {
    return readFileSync(`/proc/${number}/environ`).includes(`${mark}=${id}`)
  } catch {
    // Somebody else's, or over.
    return false
  }
}
