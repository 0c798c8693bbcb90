import { setTimeout as sleep } from 'node:timers/promises'
import { startGroup } from './process-group.ts'
import { createBoundedOutput, createOutputTail } from './process-output.ts'

/** A command line to run to its end. */
export interface CommandStart {
  readonly command: string
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Receives the last lines of the output as they arrive. */
  readonly onTail?: (lines: string) => void
}

/** The outcome of a command. */
export type CommandOutcome = {
  /** `null` if it was killed or could not be started. */
  readonly exitCode: number | null
  /** The signal that ended it. */
  readonly endedBy?: string
  /** Why it could not be started. */
  readonly failure?: string
  readonly isTimedOut: boolean
  /** Whether it left processes behind, which were then ended. */
  readonly leftProcesses: boolean
  /** Output and errors in their order, with the middle omitted if it was too long. */
  readonly output: string
  readonly droppedBytes: number
  readonly durationMs: number
}

const maxOutputBytes = 30_000

/**
 * Runs a command line. On a timeout or when the signal fires, it is ended with all processes it started; processes it
 * leaves behind are ended too.
 * @throws the signal's reason
 */
export async function runCommand(start: CommandStart): Promise<CommandOutcome> {
  const { command, folder, environment, timeoutMs, signal, onTail = () => {} } = start
  signal.throwIfAborted()
  const output = createBoundedOutput(maxOutputBytes)
  const begun = performance.now()
  const tail = createOutputTail(onTail)
  const onOutput = (chunk: Uint8Array) => {
    output.add(chunk)
    tail.add(chunk)
  }
  const group = startGroup({ command, folder, environment, onOutput })
  const timer = new AbortController()
  const overdue = sleep(timeoutMs, 'overdue' as const, { signal: timer.signal }).catch(() => {})
  const cancelled = new Promise<'cancelled'>((resolve) => {
    signal.addEventListener('abort', () => resolve('cancelled'), { signal: timer.signal })
  })
  const first = await Promise.race([group.ended, overdue, cancelled])
  timer.abort()
  tail.close()
  const leftProcesses = typeof first === 'object' && group.hasProcesses()
  if (typeof first !== 'object' || leftProcesses) await group.kill()
  signal.throwIfAborted()
  const { state } = group
  const { text, droppedBytes } = output.take()
  return {
    exitCode: state.status === 'exited' ? state.exitCode : null,
    ...(state.status === 'killed' ? { endedBy: state.signal } : {}),
    ...(state.status === 'failed' ? { failure: state.detail } : {}),
    isTimedOut: first === 'overdue',
    leftProcesses,
    output: text,
    droppedBytes,
    durationMs: Math.round(performance.now() - begun),
  }
}
