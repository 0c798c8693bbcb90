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

/** Runs foreign code in processes that reach no files, network or other processes. */
export interface Sandbox {
  /**
   * What came of the code, from anybody, in a process of its own; its errors and exceeded limits are values. Two run at once
   * at most, others wait their turn.
   * @throws {@link ScholiumError} `invalid_configuration` when the language is not installed, `tool_failed` when its
   * process does not start, `cancelled` when the sandbox is closed; the signal's reason when it is aborted
   */
  run(code: SandboxCode, signal: AbortSignal): Promise<SandboxResult>
  /** A session for the code of one owner, an agent file say. Nothing starts before its first run. */
  openSession(): SandboxSession
  /** Ends all its processes, those of its sessions as well. */
  close(): Promise<void>
}

/** What a sandbox is made with. */
export interface SandboxOptions {
  readonly limits?: Partial<SandboxLimits>
  /** How long a spare process is kept that has run nothing. Default 30,000; 0: there is none. */
  readonly spareMs?: number
}

/**
 * A sandbox. Nothing starts before the first run; after a run a spare process waits for the next one for half a minute, and
 * keeps nothing alive.
 * @throws {@link ScholiumError} `invalid_configuration` for a limit that no run could keep
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
          // Never next to a run, so that there are no more processes than may run at once.
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
  /** The spare process, if it is one of that language. */
  take(language: SandboxLanguage): SandboxProcess | undefined
  /** Starts one, if there is none. */
  keep(language: SandboxLanguage): void
  end(): Promise<void>
}

/** A spare: at most one process that has loaded its language and run nothing. It ends when nobody wants it. */
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
