import { spawn } from 'node:child_process'

/**
 * Waits until its input ends, which it does when we end in whatever way; then asks the group to end, and then makes it, with all
 * processes whose limit of file locks is the second number. It has no such limit itself.
 */
const script = `ulimit -S -x unlimited 2>/dev/null || ulimit -S -w unlimited 2>/dev/null
read -r _; sleep 1; kill -s TERM -- "-$1" 2>/dev/null; sleep 2; kill -s KILL -- "-$1" 2>/dev/null
[ -z "$2" ] || for place in /proc/[0-9]*; do
  grep -q "^Max file locks  *$2 " "$place/limits" 2>/dev/null && kill -s KILL "\${place#/proc/}"
done`

/**
 * Sees to it that a group of processes ends when this process does, even when that is killed: a shell that waits on a pipe from us.
 * Gives the function that calls it off. There is none on Windows, where a server has only the end of its input to go by.
 * @param mark a limit of file locks by which processes are known that left the group
 */
export function guardGroup(
  groupId: number,
  onError: (error: Error) => void,
  mark = '',
): () => void {
  if (process.platform === 'win32') return () => undefined
  const guard = spawn('/bin/sh', ['-c', script, 'sh', String(groupId), mark], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: '/usr/bin:/bin' },
  })
  guard.on('error', onError)
  guard.stdin.on('error', () => undefined)
  guard.unref()
  unrefStream(guard.stdin)
  return () => guard.kill('SIGKILL')
}

/** Lets this process end while the stream is open. */
export function unrefStream(stream: unknown): void {
  const unref = (stream as { unref?: unknown } | null)?.unref
  if (typeof unref === 'function') unref.call(stream)
}
