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
   * What the code finds as its variables, by name; a name that is none in its language is left out. In Prolog an object is
   * facts `name(Key, Value)` and anything else one fact `name(Value)`, texts are atoms, and objects in them are dicts. In
   * Lua a `null` is nil.
   */
  readonly input?: JsonObject
}

/**
 * Runs code of one owner, each time in a fresh namespace, with one process a language that stays. A run of Lua, Prolog or
 * JavaScript has a new interpreter and finds nothing of the one before. Python is one interpreter for all: modules, builtins,
 * variables of the environment, settings and the files in /tmp are put back after a run. What stays is what code changed
 * inside of an object that a module of Python's own holds (an attribute of a class, a member of a list), files elsewhere,
 * and whatever code leaves on purpose. So a session is never shared by owners.
 */
export interface SandboxSession {
  /**
   * What came of the code; a run that exceeds its limit ends its process, and the next one gets another. One of a language
   * runs at a time, and two in the whole sandbox; others wait their turn.
   * @throws as {@link Sandbox.run} does
   */
  run(code: SandboxCode, signal: AbortSignal): Promise<SandboxResult>
  /** Ends its processes. */
  close(): Promise<void>
}

/** What a session has of its sandbox. */
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

/** A session of a sandbox. Its processes keep nothing alive while they run nothing. */
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

/** The process that sits there, or another one in its place. */
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

/** Whether a run could meet the limit of its process instead of its own. */
function isWornOut({ child, runs, usedMs }: Seat, limits: SandboxLimits): boolean {
  if (runs >= maxSessionRuns || usedMs > (sessionRunLimits - 1) * limits.wallMs) return true
  return (child?.residentMb() ?? 0) > sessionMemoryShare * limits.memoryMb
}

/** Whether it has come back from the run before; one that ended by itself is no error, since another one can start. */
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
