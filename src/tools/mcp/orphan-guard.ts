import { spawn } from 'node:child_process'

/** Waits until its input ends, which it does when we end in whatever way; then asks the group to end, and then makes it. */
const script =
  'read -r _; sleep 1; kill -s TERM -- "-$1" 2>/dev/null; sleep 2; kill -s KILL -- "-$1" 2>/dev/null'

/**
 * Sees to it that a group of processes ends when this process does, even when that is killed: a shell that waits on a pipe from us.
 * Gives the function that calls it off. There is none on Windows, where a server has only the end of its input to go by.
 */
export function guardGroup(groupId: number, onError: (error: Error) => void): () => void {
  if (process.platform === 'win32') return () => undefined
  const guard = spawn('/bin/sh', ['-c', script, 'sh', String(groupId)], {
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
