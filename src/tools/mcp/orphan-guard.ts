import { spawn } from 'node:child_process'

/**
 * Waits until its input closes, which happens however the parent ends; then terminates the group, and kills it with all
 * processes that have the given file-lock limit. It clears that limit for itself.
 */
const script = `ulimit -S -x unlimited 2>/dev/null || ulimit -S -w unlimited 2>/dev/null
read -r _; sleep 1; kill -s TERM -- "-$1" 2>/dev/null; sleep 2; kill -s KILL -- "-$1" 2>/dev/null
[ -z "$2" ] || for place in /proc/[0-9]*; do
  grep -q "^Max file locks  *$2 " "$place/limits" 2>/dev/null && kill -s KILL "\${place#/proc/}"
done`

/**
 * Ensures that a process group ends with this process, even if this one is killed: a shell waits on a pipe. Returns a
 * function that cancels the guard. Not available on Windows, where a server only notices the end of its input.
 * @param mark a file-lock limit that identifies processes which left the group
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
