import { spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { extname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { cacheFolder } from '../../files/cache-folder.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { readResidentMb } from '../../sources/files/worker/limited-process.ts'
import { plotModule } from './child/python-plot.ts'
import { runModule } from './child/python-run.ts'
import { languageFolders, type SandboxLanguage } from './language-package.ts'
import { maxStartMs, memoryCheckIntervalMs, type SandboxLimits } from './sandbox-limits.ts'
import { type SandboxChild, spawnChild } from './spawn-child.ts'
import { type ChildEnd, type WatchedChild, watchChild } from './watch-child.ts'

/** How a run ended, and its output until then. */
export type SandboxEnd = ChildEnd & { readonly output: string }

/** Code for a process, and its variables. */
export interface ProcessCode {
  readonly code: string
  readonly input: JsonObject
}

/** Time for the system to end a process after SIGKILL. */
const killGraceMs = 2_000

/** A child process with a loaded language. */
export interface SandboxProcess {
  readonly language: SandboxLanguage
  readonly pid: number | undefined
  /** Whether it accepts code. */
  isAlive(): boolean
  /** Its resident memory; 0 if unknown. */
  residentMb(): number
  /**
   * Resolves when it accepts code.
   * @throws {@link ScholiumError} `tool_failed` if the process does not start; the signal's reason if aborted
   */
  ready(signal: AbortSignal): Promise<void>
  /**
   * Runs code, one piece at a time. The process is ended if the code does not finish by itself.
   * @throws as `ready` does
   */
  run(code: ProcessCode, signal: AbortSignal): Promise<SandboxEnd>
  /** Kills it; resolves when it is gone or cannot be ended. */
  kill(): Promise<void>
  /** A child that is not awaited does not keep this process alive. */
  setAwaited(isAwaited: boolean): void
}

/**
 * Starts a child, which loads its language immediately.
 * @param runs how many times the time limit it may use in total
 * @throws {@link ScholiumError} `invalid_configuration` if the language's package is not installed
 */
export function startSandboxProcess(
  language: SandboxLanguage,
  limits: SandboxLimits,
  runs = 1,
): SandboxProcess {
  const packageFolders = languageFolders(language)
  const nonce = randomUUID()
  const snapshotPath = language === 'python' ? pythonSnapshot(packageFolders[0]) : undefined
  const child = spawnChild({ packageFolders, snapshotPath, limits, runs })
  const watched = watchChild(child, nonce, () => {
    if (snapshotPath !== undefined) removeSnapshot(snapshotPath)
  })
  sendLine(child, { nonce, language, packageFolders, snapshotPath })
  const setAwaited = (isAwaited: boolean) => {
    for (const held of [child, child.stdin, child.stdout, child.stderr] as readonly Held[]) {
      if (isAwaited) held.ref()
      else held.unref()
    }
  }
  const kill = async () => {
    setAwaited(true)
    child.kill('SIGKILL')
    await Promise.race([watched.gone, sleep(killGraceMs, null, { ref: false })])
  }
  const running: Running = { child, watched, limits }
  return {
    language,
    pid: child.pid,
    isAlive: () => child.pid !== undefined && child.exitCode === null && child.signalCode === null,
    residentMb: () => readResidentMb(child.pid),
    ready: (signal) => whenReady(running, signal),
    async run(code, signal) {
      let end: ChildEnd | undefined
      try {
        await whenReady(running, signal)
        end = await runIn(running, code, signal)
        return { ...end, output: watched.output() }
      } finally {
        if (end?.how !== 'done') await kill()
      }
    },
    kill,
    setAwaited,
  }
}

/** Child processes have these methods, and so do their pipes, which are sockets typed as streams. */
interface Held {
  ref(): void
  unref(): void
}

interface Running {
  readonly child: SandboxChild
  readonly watched: WatchedChild
  readonly limits: SandboxLimits
}

function sendLine(child: SandboxChild, line: object): void {
  child.stdin.write(`${JSON.stringify(line)}\n`)
}

async function whenReady({ watched }: Running, signal: AbortSignal): Promise<void> {
  await until(signal, (stop, aborted) =>
    Promise.race([watched.ready(), startTimeout(stop), aborted]),
  )
}

function runIn(running: Running, { code, input }: ProcessCode, signal: AbortSignal) {
  const { child, watched, limits } = running
  const { memoryMb, valueCharacters, outputBytes } = limits
  const inputJson = JSON.stringify(input)
  return until(signal, (stop, aborted) => {
    const ended = watched.begin()
    sendLine(child, { code, inputJson, memoryMb, valueCharacters, outputBytes })
    return Promise.race([ended, limitReached(running, stop), aborted])
  })
}

/** Runs `wait` with a signal that it is no longer needed and a promise that rejects when `signal` is aborted. */
async function until<T>(
  signal: AbortSignal,
  wait: (stop: AbortSignal, aborted: Promise<never>) => Promise<T>,
): Promise<T> {
  const stop = new AbortController()
  const aborted = new Promise<never>((_, reject) => {
    const giveUp = () => reject(signal.reason)
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp, { once: true, signal: stop.signal })
  })
  try {
    return await wait(stop.signal, aborted)
  } finally {
    stop.abort()
  }
}

function startTimeout(stop: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const timer = setTimeout(() => {
      const message = `The sandbox did not start within ${maxStartMs / 1_000} s.`
      reject(new ScholiumError('tool_failed', message, { retryable: true }))
    }, maxStartMs)
    stop.addEventListener('abort', () => clearTimeout(timer), { once: true })
  })
}

/** Resolves when the child exceeds its time or memory. */
function limitReached({ child, limits }: Running, stop: AbortSignal): Promise<ChildEnd> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ how: 'timed_out' }), limits.wallMs)
    const watch = setInterval(() => {
      if (readResidentMb(child.pid) > limits.memoryMb) resolve({ how: 'out_of_memory' })
    }, memoryCheckIntervalMs)
    const clear = () => {
      clearTimeout(timer)
      clearInterval(watch)
    }
    stop.addEventListener('abort', clear, { once: true })
  })
}

const inProgress = new Set<string>()

/**
 * A snapshot of a started Python, about 32 MB, from which another starts in a tenth of the CPU time; `undefined` if
 * there is none yet, in which case it is created in the background. It belongs to the user, not to a home, because it
 * contains nothing of any run, and can be deleted at any time.
 */
function pythonSnapshot(packageFolder: string): string | undefined {
  const folder = cacheFolder(process.env)
  if (folder === undefined) return undefined
  const path = join(folder, snapshotName(packageFolder))
  if (existsSync(path)) return path
  if (!inProgress.has(path)) makeSnapshot(path, packageFolder)
  return undefined
}

/** Removes a snapshot from which Python could not start, so that it is recreated. */
function removeSnapshot(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // Without permission to remove it, Python always starts without a snapshot.
  }
}

function snapshotName(packageFolder: string): string {
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'))
  const { version: node, arch } = process
  const made = JSON.stringify([packageFolder, version, node, arch, runModule, plotModule])
  return `python-${createHash('sha256').update(made).digest('hex').slice(0, 16)}.snapshot`
}

/** In a separate process, because Python cannot be unloaded. It runs no user code and keeps nothing alive. */
function makeSnapshot(path: string, packageFolder: string): void {
  const maker = new URL(`./child/make-snapshot${extname(import.meta.url)}`, import.meta.url)
  inProgress.add(path)
  const child = spawn(
    process.execPath,
    ['--no-warnings', fileURLToPath(maker), packageFolder, path],
    { env: {}, stdio: 'ignore', timeout: maxStartMs, windowsHide: true },
  )
  child.once('error', () => inProgress.delete(path))
  child.once('close', () => inProgress.delete(path))
  child.unref()
}
