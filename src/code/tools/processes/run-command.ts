import { setTimeout as sleep } from 'node:timers/promises'
import { startGroup } from './process-group.ts'
import { createBoundedOutput, createOutputTail } from './process-output.ts'

/** A command line to be run to its end. */
export interface CommandStart {
  readonly command: string
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Hears the last lines of what it prints, as they come. */
  readonly onTail?: (lines: string) => void
}

/** How it went. */
export type CommandOutcome = {
  /** `null` when it was killed or could not be started. */
  readonly exitCode: number | null
  /** By which signal it ended. */
  readonly endedBy?: string
  /** Why it could not be started. */
  readonly failure?: string
  readonly isTimedOut: boolean
  /** Whether it left processes behind, which were ended. */
  readonly leftProcesses: boolean
  /** What it printed, errors and all in their order; the middle left out where it was too much. */
  readonly output: string
  readonly droppedBytes: number
  readonly durationMs: number
}

const maxOutputBytes = 30_000

/**
 * Runs a command line. When the time is over or the signal comes, it ends with all processes that it started; so do those that it
 * leaves behind.
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
