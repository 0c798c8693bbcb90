import { ScholiumError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { createSemaphore, type Semaphore } from '../../kernel/run/semaphore.ts'
import type { SandboxLanguage } from './language-package.ts'
import {
  maxSessionRuns,
  type SandboxLimits,
  sessionMemoryShare,
  sessionRunLimits,
} from './sandbox-limits.ts'
import { type SandboxProcess, startSandboxProcess } from './sandbox-process.ts'
import { type SandboxResult, toSandboxResult } from './sandbox-result.ts'

/** Code to run. */
export interface SandboxCode {
  readonly language: SandboxLanguage
  readonly code: string
  /**
   * Variables of the code by name; invalid names are left out. In Prolog an object becomes facts `name(Key, Value)` and
   * anything else one fact `name(Value)`; texts are atoms, nested objects are dicts. In Lua `null` is nil.
   */
  readonly input?: JsonObject
}

/**
 * Runs code of one owner, each time in a fresh namespace, with one lasting process per language. Each run of Lua, Prolog
 * or JavaScript has a new interpreter and sees nothing of earlier runs. Python keeps one interpreter: modules, builtins,
 * environment variables, settings and files in /tmp are restored after a run, but changes inside objects of Python's own
 * modules (a class attribute, a list member), files elsewhere, and anything left on purpose remain. A session must never
 * be shared between owners.
 */
export interface SandboxSession {
  /**
   * Runs code. Exceeding a limit ends the process, and the next run gets another. One run per language at a time, two in
   * the whole sandbox; others wait.
   * @throws as {@link Sandbox.run} does
   */
  run(code: SandboxCode, signal: AbortSignal): Promise<SandboxResult>
  /** Ends its processes. */
  close(): Promise<void>
}

/** What a session uses of its sandbox. */
export interface SessionParts {
  readonly limits: SandboxLimits
  readonly turns: Semaphore
  /** Aborted when the sandbox is closed. */
  readonly closing: AbortSignal
  closed(): void
}

/** The process of one language. */
interface Seat {
  readonly turns: Semaphore
  child?: SandboxProcess | undefined
  runs: number
  usedMs: number
}

/** Creates a session. Idle processes keep nothing alive. */
export function createSession({ limits, turns, closing, closed }: SessionParts): SandboxSession {
  const ending = new AbortController()
  const seats = new Map<SandboxLanguage, Seat>()
  const runAt = async (seat: Seat, code: SandboxCode, signal: AbortSignal) => {
    const child = await takeChild(seat, code.language, limits, signal)
    child.setAwaited(true)
    let startedAt: number | undefined
    try {
      await child.ready(signal)
      startedAt = performance.now()
      return toSandboxResult(
        await child.run({ code: code.code, input: code.input ?? {} }, signal),
        limits,
      )
    } finally {
      seat.runs++
      if (startedAt !== undefined) seat.usedMs += performance.now() - startedAt
      child.setAwaited(false)
    }
  }
  return {
    async run(code, signal) {
      const stop = AbortSignal.any([signal, closing, ending.signal])
      const seat = seats.get(code.language) ?? { turns: createSemaphore(1), runs: 0, usedMs: 0 }
      seats.set(code.language, seat)
      return seat.turns(() => turns(() => runAt(seat, code, stop), stop), stop)
    },
    async close() {
      ending.abort(new ScholiumError('cancelled', 'The session of the sandbox was closed.'))
      await Promise.all([...seats.values()].map((seat) => seat.child?.kill()))
      closed()
    },
  }
}

/** The current process, or a replacement. */
async function takeChild(
  seat: Seat,
  language: SandboxLanguage,
  limits: SandboxLimits,
  signal: AbortSignal,
): Promise<SandboxProcess> {
  if (seat.child !== undefined && !isWornOut(seat, limits) && (await isReady(seat.child, signal))) {
    return seat.child
  }
  await seat.child?.kill()
  seat.child = startSandboxProcess(language, limits, sessionRunLimits)
  seat.runs = 0
  seat.usedMs = 0
  return seat.child
}

/** Whether a run could hit the process's total limit before its own. */
function isWornOut({ child, runs, usedMs }: Seat, limits: SandboxLimits): boolean {
  if (runs >= maxSessionRuns || usedMs > (sessionRunLimits - 1) * limits.wallMs) return true
  return (child?.residentMb() ?? 0) > sessionMemoryShare * limits.memoryMb
}

/** Whether it is ready after the previous run; one that ended by itself is simply replaced. */
async function isReady(child: SandboxProcess, signal: AbortSignal): Promise<boolean> {
  if (!child.isAlive()) return false
  try {
    await child.ready(signal)
    return true
  } catch {
    signal.throwIfAborted()
    return false
  }
}
