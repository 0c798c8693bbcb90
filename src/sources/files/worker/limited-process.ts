import { existsSync, readFileSync } from 'node:fs'

const shell = '/bin/sh'

/**
 * Wraps a command in limits enforced by the system, even if this process dies: CPU time (against orphans in endless
 * loops), no file writes, no core dumps; when memory runs out, the kernel ends it first. Unchanged on systems without a
 * POSIX shell.
 */
export function withSystemLimits(
  command: readonly [file: string, ...args: string[]],
  cpuSeconds: number,
): readonly [file: string, ...args: string[]] {
  if (!existsSync(shell)) return command
  const first = '{ echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null'
  const script = `${first}; ulimit -t ${cpuSeconds}; ulimit -f 0; ulimit -c 0; exec "$@"`
  return [shell, '-c', script, 'limited', ...command]
}

const pageBytes = 4_096

/**
 * The resident memory of a process in MB; 0 without `/proc` or if the process is gone. Pages of 16 or 64 KB, as on some
 * ARM systems, are undercounted.
 * @see https://man7.org/linux/man-pages/man5/proc_pid_statm.5.html
 */
export function readResidentMb(pid: number | undefined): number {
  if (process.platform !== 'linux' || pid === undefined) return 0
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
    return (pages * pageBytes) / 1_048_576
  } catch {
    return 0
  }
}
