import { ScholiumError } from '../../kernel/errors.ts'
import type { Json } from '../../kernel/json.ts'
import { figureSvg } from './figure-svg.ts'
import type { SandboxLanguage } from './language-package.ts'
import {
  MAX_SANDBOX_PROCESSES,
  type SandboxLimits,
  SPARE_IDLE_MS,
  sandboxLimits,
} from './sandbox-limits.ts'
import { type SandboxEnd, type SandboxProcess, startSandboxProcess } from './sandbox-process.ts'

/** What came of a run of foreign code. */
export interface SandboxResult {
  /** What it printed, errors and all. */
  readonly output: string
  /** The value of its last expression where that is JSON, else its text in the language's own notation; null for none. */
  readonly value: Json
  readonly error: SandboxError | null
  /** Drawings as SVG, made here from checked numbers: nothing in them is foreign markup. */
  readonly figures: readonly string[]
}

/** Why code did not end well: its own exception, or the limit that it met. */
export interface SandboxError {
  /** An exception's name, or `TimeLimitExceeded`, `MemoryLimitExceeded`, `SandboxCrashed`. */
  readonly type: string
  readonly message: string
  /** The line of the code, from 1, where that is known. */
  readonly line: number | null
  /** The way to that line through the code's own functions; empty where there is none. */
  readonly traceback: string
}

/** Code to run, from anybody. */
export interface SandboxCode {
  readonly language: SandboxLanguage
  readonly code: string
}

/** Runs foreign code in processes that reach no files, network or other processes. Each run has a process of its own. */
export interface Sandbox {
  /**
   * What came of the code; its errors and exceeded limits are values. Two run at once at most, others wait their turn.
   * @throws {@link ScholiumError} `invalid_configuration` when the language is not installed, `tool_failed` when its
   * process does not start, `cancelled` when the sandbox is closed; the signal's reason when it is aborted
   */
  run(code: SandboxCode, signal: AbortSignal): Promise<SandboxResult>
  /** Ends all its processes. */
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
  const turns = createTurns(MAX_SANDBOX_PROCESSES)
  const spare = createSpare(options.spareMs ?? SPARE_IDLE_MS, limits)
  const runOnce = async ({ language, code }: SandboxCode, signal: AbortSignal) => {
    const child = spare.take(language) ?? startSandboxProcess(language, limits)
    running.add(child)
    try {
      return resultOf(await child.run(code, signal), limits)
    } finally {
      running.delete(child)
    }
  }
  return {
    async run(code, signal) {
      const stop = AbortSignal.any([signal, closing.signal])
      await turns.take(stop)
      try {
        return await runOnce(code, stop)
      } finally {
        turns.giveBack()
        // Never beside a run, so that there are no more processes than may run at once.
        if (running.size === 0 && !closing.signal.aborted) spare.keep(code.language)
      }
    },
    async close() {
      closing.abort(new ScholiumError('cancelled', 'The sandbox was closed.'))
      await Promise.all([spare.end(), ...[...running].map((child) => child.kill())])
    },
  }
}

interface Turns {
  take(signal: AbortSignal): Promise<void>
  giveBack(): void
}

/** Lets `count` in at once, the others in their order. */
function createTurns(count: number): Turns {
  let free = count
  const waiting: (() => void)[] = []
  return {
    async take(signal) {
      signal.throwIfAborted()
      if (free > 0) {
        free--
        return
      }
      await new Promise<void>((resolve, reject) => {
        const enter = () => {
          signal.removeEventListener('abort', leave)
          resolve()
        }
        const leave = () => {
          waiting.splice(waiting.indexOf(enter), 1)
          reject(signal.reason)
        }
        waiting.push(enter)
        signal.addEventListener('abort', leave, { once: true })
      })
    },
    giveBack() {
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    },
  }
}

interface Spare {
  /** The spare process, if it is one of that language. */
  take(language: SandboxLanguage): SandboxProcess | undefined
  keep(language: SandboxLanguage): void
  end(): Promise<void>
}

/** At most one process that has loaded its language and run nothing. It ends when nobody wants it. */
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

function resultOf(end: SandboxEnd, limits: SandboxLimits): SandboxResult {
  const { output } = end
  if (end.how === 'done') {
    const { value, error, figures } = end.result
    return { output, value, error, figures: figures.map(figureSvg) }
  }
  return { output, value: null, error: endedBy(end, limits), figures: [] }
}

function endedBy(end: Exclude<SandboxEnd, { how: 'done' }>, limits: SandboxLimits): SandboxError {
  const untraced = { line: null, traceback: '' }
  if (end.how === 'timed_out') {
    const message = `The code was ended after ${limits.wallMs / 1_000} s.`
    return { type: 'TimeLimitExceeded', message, ...untraced }
  }
  if (end.how === 'out_of_memory') {
    const message = `The code was ended: it used more than ${limits.memoryMb} MB.`
    return { type: 'MemoryLimitExceeded', message, ...untraced }
  }
  const message = `The code ended its interpreter. ${end.detail}`
  return { type: 'SandboxCrashed', message, ...untraced }
}
