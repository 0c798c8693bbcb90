import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { guardGroup } from '../../../tools/mcp/orphan-guard.ts'

/** Whether and how a process ended. */
export type JobState =
  | { readonly status: 'running' }
  | { readonly status: 'exited'; readonly exitCode: number }
  | { readonly status: 'killed'; readonly signal: string }
  | { readonly status: 'failed'; readonly detail: string }

/** A command with all processes it started, including those that left its group. */
export interface ProcessGroup {
  readonly pid: number | undefined
  readonly state: JobState
  /** Resolves when the command has ended and its output was read. */
  readonly ended: Promise<JobState>
  /** Whether any of them are left. */
  hasProcesses(): boolean
  /**
   * Asks all of them to end, then kills them. Resolves when none is left or they cannot be killed; `state` is
   * `running` then.
   */
  kill(): Promise<void>
}

/** What to start, and who receives its output, errors included. */
export interface ProcessStart {
  readonly command: string
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  onOutput(chunk: Uint8Array): void
}

/** Time for processes to end when asked. */
const graceMs = 2_000
/** Time for the system to end a command after SIGKILL; one that waits for a disk cannot be ended. */
const killGraceMs = 2_000
/** Time to wait for more output after the command ended while others still hold its pipe. */
const drainMs = 300
const pollMs = 20
const maxRounds = 50

/** Starts a command line in a shell, in its own process group, which ends with this process. Its input is empty. */
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
  // Killed processes may have started others in the meantime.
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

/** Sends a signal to a process, or to a group if the number is negative; 0 only checks. Returns whether it exists. */
function sendSignal(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(target, signal)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Whether a process of a group is running. Zombies do not count where the system shows them. */
function isGroupAlive(groupId: number): boolean {
  if (!sendSignal(-groupId, 0)) return false
  if (process.platform !== 'linux') return true
  return listProcessIds().some((number) => {
    const status = readStatus(number)
    return status?.groupId === groupId && status.state !== 'Z'
  })
}

/** Whether a process is running. */
function isProcessAlive(id: number): boolean {
  return sendSignal(id, 0) && readStatus(String(id))?.state !== 'Z'
}

/** Holds a command's mark on systems without the limit of {@link markCommand}. */
const markVariable = 'SCHOLIUM_COMMAND'

/**
 * A shell command that gives the shell, and everything it starts, the mark `$2`: a limit of file locks, which limits
 * nothing. It is inherited across sessions and environments.
 * @see https://man7.org/linux/man-pages/man2/getrlimit.2.html RLIMIT_LOCKS
 */
const markCommand = 'ulimit -S -x "$2" 2>/dev/null || ulimit -S -w "$2" 2>/dev/null'

/** Processes with a command's mark, wherever they have moved; none if the system does not show it. */
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
  // The name before it may contain anything, even parentheses.
  const [state, , group] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return text === '' ? undefined : { state, groupId: Number(group) }
}

function readProcFile(number: string, file: string): string {
  try {
    return readFileSync(`/proc/${number}/${file}`, 'utf8')
  } catch {
    // It belongs to somebody else, or has ended.
    return ''
  }
}
