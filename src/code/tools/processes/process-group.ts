import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { guardGroup } from '../../../tools/mcp/orphan-guard.ts'
import {
  isGroupAlive,
  isProcessAlive,
  markCommand,
  markVariable,
  processesWith,
  signalled,
} from './live-processes.ts'

/** How a process ended, or that it has not. */
export type JobState =
  | { readonly status: 'running' }
  | { readonly status: 'exited'; readonly exitCode: number }
  | { readonly status: 'killed'; readonly signal: string }
  | { readonly status: 'failed'; readonly detail: string }

/** A command with all processes that it started, also those that left its group. */
export interface ProcessGroup {
  readonly pid: number | undefined
  readonly state: JobState
  /** Resolves when the command itself has ended and what it printed is read. */
  readonly ended: Promise<JobState>
  /** Whether some of them are left. */
  hasProcesses(): boolean
  /** Asks all of them to end, then makes them. Resolves when none is left, or will not go: `state` is `running` then. */
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
/** How long the system may take to end a command after SIGKILL: one that waits for a disk cannot be ended. */
const killGraceMs = 2_000
/** How long what is printed is waited for when the command has ended, but others still hold its output. */
const drainMs = 300
const pollMs = 20
const maxRounds = 50

/** Starts a command line in a shell, in a group of its own that ends with this process. It reads nothing. */
export function startGroup({ command, folder, environment, onOutput }: ProcessStart): ProcessGroup {
  const mark = String(randomInt(2 ** 40, 2 ** 48 - 1))
  const shell = existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh'
  const line = `${markCommand}; exec "$0" -c -- "$1" 2>&1`
  const child = spawn(shell, ['-c', line, shell, command, mark], {
    cwd: folder,
    env: { ...environment, PWD: folder, [markVariable]: mark },
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const { pid } = child
  const release = pid === undefined ? () => undefined : guardGroup(pid, () => undefined, mark)
  const isAnyLeft = () => pid !== undefined && (isGroupAlive(pid) || processesWith(mark).length > 0)
  let state: JobState = { status: 'running' }
  child.stdout?.on('data', onOutput)
  const ended = endOf(child).then((end) => {
    state = end
    if (!isAnyLeft()) release()
    return end
  })
  return {
    pid,
    ended,
    get state() {
      return state
    },
    hasProcesses: isAnyLeft,
    async kill() {
      await killAll(pid, mark)
      await Promise.race([ended, sleep(killGraceMs, null, { ref: false })])
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

async function killAll(pid: number | undefined, mark: string): Promise<void> {
  if (pid === undefined) return
  const strays = processesWith(mark)
  signalled(-pid, 'SIGTERM')
  for (const stray of strays) signalled(stray, 'SIGTERM')
  const isAnyLeft = () => isGroupAlive(pid) || strays.some(isProcessAlive)
  for (let waitedMs = 0; waitedMs < graceMs && isAnyLeft(); waitedMs += pollMs) await sleep(pollMs)
  signalled(-pid, 'SIGKILL')
  // Those that are killed may have started others meanwhile.
  for (let round = 0, left = processesWith(mark); round < maxRounds && left.length > 0; round++) {
    for (const stray of left) signalled(stray, 'SIGKILL')
    await sleep(pollMs)
    left = processesWith(mark)
  }
}
