import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Owner } from '../kernel/run/run-store.ts'

/**
 * What this process knows about another: `unknown` if it is on another machine or in another container, or its start time cannot
 * be read.
 */
export type Liveness = 'alive' | 'dead' | 'unknown'

/** This process as the owner of runs. */
export function currentOwner(): Owner {
  own ??= {
    bootId: bootId(),
    pid: process.pid,
    processStart: readStart(process.pid) ?? unreadableStart,
  }
  return own
}

/** Reading it takes three calls of the system, and lists ask for each run that is executed. */
let own: Owner | undefined

/** Whether an owner is still running. A process with the same pid but another start time is a different process. */
export function checkLiveness(owner: Owner): Liveness {
  const here = currentOwner()
  if (owner.bootId !== here.bootId) return 'unknown'
  const start = owner.pid === here.pid ? here.processStart : readStart(owner.pid)
  if (start === undefined) return 'dead'
  if (start === unreadableStart || owner.processStart === unreadableStart) return 'unknown'
  return start === owner.processStart ? 'alive' : 'dead'
}

/** Start of a process that exists but does not reveal its start time. */
const unreadableStart = ''

/** The boot id and pid namespace: processes of another container on the same machine are invisible from here. */
function bootId(): string {
  if (process.platform === 'linux') {
    const boot = unlessFailing(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim())
    const namespace = unlessFailing(() => readlinkSync('/proc/self/ns/pid'))
    return [boot ?? hostname(), namespace ?? ''].join(' ').trim()
  }
  if (process.platform === 'win32') return hostname()
  return unlessFailing(() => runCommand('sysctl', ['-n', 'kern.bootsessionuuid'])) ?? hostname()
}

function readStart(pid: number): string | undefined {
  if (process.platform === 'win32') return exists(pid) ? unreadableStart : undefined
  if (process.platform !== 'linux') return startFromPs(pid)
  const stat = unlessFailing(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  // Some systems hide other users' processes in /proc; signal 0 shows whether they exist.
  if (stat === undefined) return exists(pid) ? unreadableStart : undefined
  return startFromStat(stat)
}

/**
 * The start time in a line of `/proc/PID/stat`, in clock ticks since boot; `undefined` for a zombie. The command in field 2 may
 * contain spaces and parentheses, so fields are counted from its end.
 * @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */
export function startFromStat(stat: string): string | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return isEnded(fields[0]) ? undefined : fields[19]
}

/** Like {@link startFromStat}, from `ps`, in whole seconds: for systems without `/proc`. */
export function startFromPs(pid: number): string | undefined {
  const line = unlessFailing(() =>
    runCommand('ps', ['-o', 'stat=', '-o', 'lstart=', '-p', String(pid)]),
  )
  const [state, ...start] = line?.split(/\s+/) ?? []
  return state === undefined || isEnded(state) ? undefined : start.join(' ')
}

function isEnded(state: string | undefined): boolean {
  return state === undefined || state.startsWith('Z') || state.startsWith('X')
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function runCommand(command: string, args: readonly string[]): string {
  const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' }
  return execFileSync(command, args, {
    encoding: 'utf8',
    env,
    timeout: 5_000,
    stdio: 'pipe',
  }).trim()
}

/** `undefined` if the system does not support the request; each caller has a fallback. */
function unlessFailing<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
