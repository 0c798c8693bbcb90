import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { ScholiumError } from '../../kernel/errors.ts'
import { languageFolder, type SandboxLanguage } from './language-package.ts'
import { MAX_START_MS, MEMORY_CHECK_INTERVAL_MS, type SandboxLimits } from './sandbox-limits.ts'
import { type SandboxChild, spawnChild } from './spawn-child.ts'
import { type ChildEnd, type WatchedChild, watchChild } from './watch-child.ts'

/** How a run ended, and what it had printed until then. */
export type SandboxEnd = ChildEnd & { readonly output: string }

/** One child process with a language in it. It runs code once, and is gone after it. */
export interface SandboxProcess {
  readonly language: SandboxLanguage
  readonly pid: number | undefined
  /** Whether it can still be given code. */
  isAlive(): boolean
  /**
   * Runs code; the process ends with it.
   * @throws {@link ScholiumError} `tool_failed` when the process does not start; the signal's reason when it is aborted
   */
  run(code: string, signal: AbortSignal): Promise<SandboxEnd>
  /** Ends it at once; resolves when it is gone. */
  kill(): Promise<void>
  /** A child that is not awaited does not keep this process alive. */
  setAwaited(isAwaited: boolean): void
}

/**
 * Starts a child, which loads its language at once.
 * @throws {@link ScholiumError} `invalid_configuration` when the language's package is not installed
 */
export function startSandboxProcess(
  language: SandboxLanguage,
  limits: SandboxLimits,
): SandboxProcess {
  const packageFolder = languageFolder(language)
  const nonce = randomUUID()
  const child = spawnChild(packageFolder, limits)
  const watched = watchChild(child, nonce)
  tell(child, { nonce, language, packageFolder })
  const setAwaited = (isAwaited: boolean) => {
    for (const held of [child, child.stdin, child.stdout, child.stderr] as readonly Held[]) {
      if (isAwaited) held.ref()
      else held.unref()
    }
  }
  const kill = async () => {
    setAwaited(true)
    child.kill('SIGKILL')
    await watched.gone
  }
  return {
    language,
    pid: child.pid,
    isAlive: () => child.pid !== undefined && child.exitCode === null && child.signalCode === null,
    async run(code, signal) {
      try {
        const end = await runIn({ child, watched, limits }, code, signal)
        return { ...end, output: watched.output() }
      } finally {
        await kill()
      }
    },
    kill,
    setAwaited,
  }
}

/** Child processes have it, and so have their pipes, which are sockets and typed as streams. */
interface Held {
  ref(): void
  unref(): void
}

interface Running {
  readonly child: SandboxChild
  readonly watched: WatchedChild
  readonly limits: SandboxLimits
}

function tell(child: SandboxChild, line: object): void {
  child.stdin.write(`${JSON.stringify(line)}\n`)
}

async function runIn(running: Running, code: string, signal: AbortSignal): Promise<ChildEnd> {
  const { child, watched, limits } = running
  const stop = new AbortController()
  const aborted = new Promise<never>((_, reject) => {
    const giveUp = () => reject(signal.reason)
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp, { once: true, signal: stop.signal })
  })
  try {
    await Promise.race([watched.ready, startTimeout(stop.signal), aborted])
    const { memoryMb, valueCharacters, outputBytes } = limits
    tell(child, { code, memoryMb, valueCharacters, outputBytes })
    return await Promise.race([watched.ended, limitReached(running, stop.signal), aborted])
  } finally {
    stop.abort()
  }
}

function startTimeout(stop: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const timer = setTimeout(() => {
      const message = `The sandbox did not start within ${MAX_START_MS / 1_000} s.`
      reject(new ScholiumError('tool_failed', message, { retryable: true }))
    }, MAX_START_MS)
    stop.addEventListener('abort', () => clearTimeout(timer), { once: true })
  })
}

/** Resolves when the child has used more time or memory than it may. */
function limitReached({ child, limits }: Running, stop: AbortSignal): Promise<ChildEnd> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ how: 'timed_out' }), limits.wallMs)
    const watch = setInterval(() => {
      if (residentMb(child.pid) > limits.memoryMb) resolve({ how: 'out_of_memory' })
    }, MEMORY_CHECK_INTERVAL_MS)
    const clear = () => {
      clearTimeout(timer)
      clearInterval(watch)
    }
    stop.addEventListener('abort', clear, { once: true })
  })
}

const PAGE_BYTES = 4_096

/**
 * The resident memory of a process; 0 where there is no `/proc` to read it from, or the process is gone. Pages of 16 or
 * 64 KB, as some ARM systems have, would be counted too small.
 * @see https://man7.org/linux/man-pages/man5/proc_pid_statm.5.html
 */
function residentMb(pid: number | undefined): number {
  if (process.platform !== 'linux' || pid === undefined) return 0
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
    return (pages * PAGE_BYTES) / 1_048_576
  } catch {
    return 0
  }
}
