import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Owner } from '../kernel/run/run-store.ts'

/** What this process can say of another: `unknown` for one of another machine or container, or whose start cannot be read. */
export type Liveness = 'alive' | 'dead' | 'unknown'

/** This process as the owner of runs. */
export function currentOwner(): Owner {
  const processStart = readStart(process.pid) ?? unreadableStart
  return { bootId: bootId(), pid: process.pid, processStart }
}

/** Whether an owner still runs. A process that has its number but started at another time is not it. */
export function checkLiveness(owner: Owner): Liveness {
  if (owner.bootId !== bootId()) return 'unknown'
  const start = readStart(owner.pid)
  if (start === undefined) return 'dead'
  if (start === unreadableStart || owner.processStart === unreadableStart) return 'unknown'
  return start === owner.processStart ? 'alive' : 'dead'
}

/** Stands for the start of a process that exists and does not show when it began. */
const unreadableStart = ''

/** Processes of another container on the same machine cannot be seen from here, so the namespace is part of the boot's name. */
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
  // A system may hide other users' processes from /proc; a signal tells whether they are there.
  if (stat === undefined) return exists(pid) ? unreadableStart : undefined
  return startFromStat(stat)
}

/**
 * The start time in a line of `/proc/PID/stat`, in clock ticks since the boot; `undefined` for a process that has ended and
 * is not yet collected. The command in the second field may hold blanks and parentheses, so fields count from its end.
 * @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */
export function startFromStat(stat: string): string | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return isEnded(fields[0]) ? undefined : fields[19]
}

/** As {@link startFromStat}, by `ps`, in whole seconds: for systems without `/proc`. */
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

/** `undefined` where the system does not offer what was asked: each caller has a weaker answer for that. */
function unlessFailing<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
