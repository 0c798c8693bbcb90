import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { guardGroup } from '../../../tools/mcp/orphan-guard.ts'

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
  const isAnyLeft = () =>
    pid !== undefined && (isGroupAlive(pid) || findMarkedProcesses(mark).length > 0)
  let state: JobState = { status: 'running' }
  child.stdout?.on('data', onOutput)
  const ended = waitForEnd(child).then((end) => {
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

async function waitForEnd(child: ChildProcess): Promise<JobState> {
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
  const strays = findMarkedProcesses(mark)
  sendSignal(-pid, 'SIGTERM')
  for (const stray of strays) sendSignal(stray, 'SIGTERM')
  const isAnyLeft = () => isGroupAlive(pid) || strays.some(isProcessAlive)
  for (let waitedMs = 0; waitedMs < graceMs && isAnyLeft(); waitedMs += pollMs) await sleep(pollMs)
  sendSignal(-pid, 'SIGKILL')
  // Those that are killed may have started others meanwhile.
  for (
    let round = 0, left = findMarkedProcesses(mark);
    round < maxRounds && left.length > 0;
    round++
  ) {
    for (const stray of left) sendSignal(stray, 'SIGKILL')
    await sleep(pollMs)
    left = findMarkedProcesses(mark)
  }
}

/** Sends a signal to a process, or with a negative number to a group; 0 only asks. Says whether there is one. */
function sendSignal(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(target, signal)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Whether a process of a group runs. Where the system shows it, those that are over and only wait to be asked for do not count. */
function isGroupAlive(groupId: number): boolean {
  if (!sendSignal(-groupId, 0)) return false
  if (process.platform !== 'linux') return true
  return listProcessIds().some((number) => {
    const status = readStatus(number)
    return status?.groupId === groupId && status.state !== 'Z'
  })
}

/** Whether a process runs. */
function isProcessAlive(id: number): boolean {
  return sendSignal(id, 0) && readStatus(String(id))?.state !== 'Z'
}

/** The variable that holds the mark of a command, for systems without the limit of {@link markCommand}. */
const markVariable = 'SCHOLIUM_COMMAND'

/**
 * A line with which Bash or another shell gives itself, and all that it starts, the mark `$2`: a limit of file locks, which limits
 * nothing. It is inherited in any session and with any environment.
 * @see https://man7.org/linux/man-pages/man2/getrlimit.2.html RLIMIT_LOCKS
 */
const markCommand = 'ulimit -S -x "$2" 2>/dev/null || ulimit -S -w "$2" 2>/dev/null'

/** The processes that have the mark of a command, wherever they have gone; none where the system does not show it. */
function findMarkedProcesses(mark: string): readonly number[] {
  if (process.platform !== 'linux') return []
  const limit = new RegExp(`^Max file locks +${mark} `, 'm')
  const variable = `${markVariable}=${mark}`
  return listProcessIds()
    .filter(
      (number) =>
        limit.test(readProcFile(number, 'limits')) ||
        readProcFile(number, 'environ').split('\0').includes(variable),
    )
    .map(Number)
}

function listProcessIds(): readonly string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name))
}

/** @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
function readStatus(number: string) {
  const text = readProcFile(number, 'stat')
  // The name before it may hold anything, brackets too.
  const [state, , group] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return text === '' ? undefined : { state, groupId: Number(group) }
}

function readProcFile(number: string, file: string): string {
  try {
    return readFileSync(`/proc/${number}/${file}`, 'utf8')
  } catch {
    // Somebody else's, or over.
    return ''
  }
}
