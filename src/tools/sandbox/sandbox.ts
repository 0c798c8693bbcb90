import { ScholiumError } from '../../kernel/errors.ts'
import { createSemaphore } from '../../kernel/run/semaphore.ts'
import type { SandboxLanguage } from './language-package.ts'
import {
  maxSandboxProcesses,
  type SandboxLimits,
  sandboxLimits,
  spareIdleMs,
} from './sandbox-limits.ts'
import { type SandboxProcess, startSandboxProcess } from './sandbox-process.ts'
import { type SandboxResult, toSandboxResult } from './sandbox-result.ts'
import { createSession, type SandboxCode, type SandboxSession } from './sandbox-session.ts'

/** Runs untrusted code in processes without files, network or other processes. */
export interface Sandbox {
  /**
   * Runs anyone's code in a process of its own; errors and exceeded limits are values. At most two run at once, others
   * wait.
   * @throws {@link ScholiumError} `invalid_configuration` if the language is not installed, `tool_failed` if its process
   * does not start, `cancelled` if the sandbox is closed; the signal's reason if aborted
   */
  run(code: SandboxCode, signal: AbortSignal): Promise<SandboxResult>
  /** A session for one owner's code, such as an agent file. Starts on its first run. */
  openSession(): SandboxSession
  /** Ends all processes, including those of sessions. */
  close(): Promise<void>
}

/** A sandbox's options. */
export interface SandboxOptions {
  readonly limits?: Partial<SandboxLimits>
  /** How long an unused spare process is kept. Default 30,000; 0: no spare. */
  readonly spareMs?: number
}

/**
 * Creates a sandbox. Starts on its first run; afterwards a spare process waits half a minute for the next run, and keeps
 * nothing alive.
 * @throws {@link ScholiumError} `invalid_configuration` for an impossible limit
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const limits = sandboxLimits(options.limits ?? {})
  const closing = new AbortController()
  const running = new Set<SandboxProcess>()
  const sessions = new Set<SandboxSession>()
  const turns = createSemaphore(maxSandboxProcesses)
  const spare = createSpare(options.spareMs ?? spareIdleMs, limits)
  const runOnce = async ({ language, code, input = {} }: SandboxCode, signal: AbortSignal) => {
    const child = spare.take(language) ?? startSandboxProcess(language, limits)
    running.add(child)
    try {
      return toSandboxResult(await child.run({ code, input }, signal), limits)
    } finally {
      running.delete(child)
      await child.kill()
    }
  }
  return {
    async run(code, signal) {
      const stop = AbortSignal.any([signal, closing.signal])
      return turns(async () => {
        try {
          return await runOnce(code, stop)
        } finally {
          // Never during a run, so that there are no more processes than may run at once.
          if (running.size === 0 && !closing.signal.aborted) spare.keep(code.language)
        }
      }, stop)
    },
    openSession() {
      const session = createSession({
        limits,
        turns,
        closing: closing.signal,
        closed: () => sessions.delete(session),
      })
      sessions.add(session)
      return session
    },
    async close() {
      closing.abort(new ScholiumError('cancelled', 'The sandbox was closed.'))
      const children = [...running].map((child) => child.kill())
      await Promise.all([spare.end(), ...children, ...[...sessions].map((each) => each.close())])
    },
  }
}

/** A process kept for the next run. */
interface Spare {
  /** Takes the spare process, if it has this language. */
  take(language: SandboxLanguage): SandboxProcess | undefined
  /** Starts one, unless there is one. */
  keep(language: SandboxLanguage): void
  end(): Promise<void>
}

/** Creates a spare: at most one process with a loaded language that has run nothing. It ends if not used. */
function createSpare(keepMs: number, limits: SandboxLimits): Spare {
  let child: SandboxProcess | undefined
  let timer: NodeJS.Timeout | undefined
  const end = async () => {
    clearTimeout(timer)
    const ending = child
    child = undefined
    await ending?.kill()
  }
  return {
    take(language) {
      if (child?.language !== language || !child.isAlive()) {
        void end()
        return undefined
      }
      clearTimeout(timer)
      const taken = child
      child = undefined
      taken.setAwaited(true)
      return taken
    },
    keep(language) {
      if (keepMs === 0 || child !== undefined) return
      child = startSandboxProcess(language, limits)
      child.setAwaited(false)
      timer = setTimeout(() => void end(), keepMs)
      timer.unref()
    },
    end,
  }
}
