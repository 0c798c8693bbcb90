import { existsSync, readFileSync } from 'node:fs'

const shell = '/bin/sh'

/**
 * A command that the system bounds by itself, also when nobody watches any more: processor time (an orphan in an endless
 * loop), no files written, no core dumps; where memory runs out, the kernel ends it first. As it is on systems without a
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
 * The resident memory of a process; 0 where there is no `/proc` to read it from, or the process is gone. Pages of 16 or
 * 64 KB, as some ARM systems have, would be counted too small.
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
