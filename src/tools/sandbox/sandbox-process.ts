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

/** How a run ended, and what it had printed until then. */
export type SandboxEnd = ChildEnd & { readonly output: string }

/** Code for a process, and the variables that it finds. */
export interface ProcessCode {
  readonly code: string
  readonly input: JsonObject
}

/** How long the system may take to end a process after SIGKILL. */
const killGraceMs = 2_000

/** One child process with a language in it. */
export interface SandboxProcess {
  readonly language: SandboxLanguage
  readonly pid: number | undefined
  /** Whether it can still be given code. */
  isAlive(): boolean
  /** Its resident memory; 0 where that cannot be read. */
  residentMb(): number
  /**
   * When it can be given code.
   * @throws {@link ScholiumError} `tool_failed` when the process does not start; the signal's reason when it is aborted
   */
  ready(signal: AbortSignal): Promise<void>
  /**
   * Runs code, one at a time. The process ends when that does not end well by itself.
   * @throws as `ready` does
   */
  run(code: ProcessCode, signal: AbortSignal): Promise<SandboxEnd>
  /** Ends it at once; resolves when it is gone, or will not go. */
  kill(): Promise<void>
  /** A child that is not awaited does not keep this process alive. */
  setAwaited(isAwaited: boolean): void
}

/**
 * Starts a child, which loads its language at once.
 * @param runs how many times the limit of time it may use in all
 * @throws {@link ScholiumError} `invalid_configuration` when the language's package is not installed
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

/** What `wait` comes to; it gets a signal that its waiting is over, and a promise that rejects when `signal` is aborted. */
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

/** Resolves when the child has used more time or memory than it may. */
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
 * The memory of a Python that has just started, about 32 MB, from which another one starts in a tenth of the processor time;
 * `undefined` where there is none. Then it is made for later ones, beside the one that starts the long way. It belongs to the
 * user and not to a home, since nothing of any run is in it, and can be deleted at any time.
 */
function pythonSnapshot(packageFolder: string): string | undefined {
  const folder = cacheFolder(process.env)
  if (folder === undefined) return undefined
  const path = join(folder, snapshotName(packageFolder))
  if (existsSync(path)) return path
  if (!inProgress.has(path)) makeSnapshot(path, packageFolder)
  return undefined
}

/** Removes one from which Python could not start, so that it is made anew. */
function removeSnapshot(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // Who may not remove it starts Python the long way each time.
  }
}

function snapshotName(packageFolder: string): string {
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'))
  const { version: node, arch } = process
  const made = JSON.stringify([packageFolder, version, node, arch, runModule, plotModule])
  return `python-${createHash('sha256').update(made).digest('hex').slice(0, 16)}.snapshot`
}

/** In a process of its own: Python cannot be unloaded. It runs nobody's code, and keeps nothing alive. */
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
