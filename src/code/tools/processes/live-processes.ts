import { readdirSync, readFileSync } from 'node:fs'

/** Sends a signal to a process, or with a negative number to a group; 0 only asks. Says whether there is one. */
export function signalled(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(target, signal)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Whether a process of a group runs. Where the system shows it, those that are over and only wait to be asked for do not count. */
export function isGroupAlive(groupId: number): boolean {
  if (!signalled(-groupId, 0)) return false
  if (process.platform !== 'linux') return true
  return numbers().some((number) => {
    const status = statusOf(number)
    return status?.groupId === groupId && status.state !== 'Z'
  })
}

/** Whether a process runs. */
export function isProcessAlive(id: number): boolean {
  return signalled(id, 0) && statusOf(String(id))?.state !== 'Z'
}

/** The variable that holds the mark of a command, for systems without the limit of {@link markCommand}. */
export const markVariable = 'SCHOLIUM_COMMAND'

/**
 * A line with which Bash or another shell gives itself, and all that it starts, the mark `$2`: a limit of file locks, which limits
 * nothing. It is inherited in any session and with any environment.
 * @see https://man7.org/linux/man-pages/man2/getrlimit.2.html RLIMIT_LOCKS
 */
export const markCommand = 'ulimit -S -x "$2" 2>/dev/null || ulimit -S -w "$2" 2>/dev/null'

/** The processes that have the mark of a command, wherever they have gone; none where the system does not show it. */
export function processesWith(mark: string): readonly number[] {
  if (process.platform !== 'linux') return []
  const limit = new RegExp(`^Max file locks +${mark} `, 'm')
  const variable = `${markVariable}=${mark}`
  return numbers()
    .filter(
      (number) =>
        limit.test(shown(number, 'limits')) ||
        shown(number, 'environ').split('\0').includes(variable),
    )
    .map(Number)
}

function numbers(): readonly string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name))
}

/** @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
function statusOf(number: string) {
  const text = shown(number, 'stat')
  // The name before it may hold anything, brackets too.
  const [state, , group] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return text === '' ? undefined : { state, groupId: Number(group) }
}

function shown(number: string, file: string): string {
  try {
    return readFileSync(`/proc/${number}/${file}`, 'utf8')
  } catch {
    // Somebody else's, or over.
    return ''
  }
}
