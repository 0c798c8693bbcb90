import { createContext, Script } from 'node:vm'
import { Worker } from 'node:worker_threads'
import { createSemaphore } from '../../kernel/run/semaphore.ts'

/**
 * Pure work on plain data that untrusted patterns, expressions or schemas may make endless. Exceptions are bugs;
 * problems with the input are part of the result.
 */
export interface BoundedWork<Args extends readonly unknown[], Result> {
  readonly run: (...args: Args) => Result
  /** The script that does the work in a thread (see `serveWork`), and the work's name there. */
  readonly script: URL
  readonly name: string
}

/** Time limit of the work in milliseconds, and its cancel signal. */
export interface WorkBounds {
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** The result, or that the work exceeded its time or {@link maxThreadMb}. */
export type Timely<Result> = { readonly ok: true; readonly value: Result } | { readonly ok: false }

/** How long work may block the process before a thread takes over. */
const maxInlineMs = 100
/** Time to start a thread, not counted for its work. */
const maxStartMs = 30_000
/** A thread's heap. */
const maxThreadMb = 512

const turns = createSemaphore(2)
const callWork = new Script('work()')

/**
 * Runs short work inline, longer work in a thread that is terminated when time is up or the signal is aborted. At most
 * two run at once; waiting time does not count.
 * @throws the signal's reason
 */
export function doBounded<Args extends readonly unknown[], Result>(
  work: BoundedWork<Args, Result>,
  args: Args,
  bounds: WorkBounds,
): Promise<Timely<Result>> {
  return turns(async () => {
    // The caller's timer may have expired while waiting: let it fire first.
    await new Promise((resolve) => setImmediate(resolve))
    bounds.signal.throwIfAborted()
    const inline = doInline(() => work.run(...args), Math.min(maxInlineMs, bounds.timeoutMs))
    return inline.ok ? inline : doInThread(work, args, bounds)
  }, bounds.signal)
}

function doInline<Result>(work: () => Result, timeoutMs: number): Timely<Result> {
  try {
    const value = callWork.runInContext(createContext({ work }), { timeout: timeoutMs }) as Result
    return { ok: true, value }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      return { ok: false }
    throw error
  }
}

function doInThread<Args extends readonly unknown[], Result>(
  { script, name }: BoundedWork<Args, Result>,
  args: Args,
  { timeoutMs, signal }: WorkBounds,
): Promise<Timely<Result>> {
  const workerData: OrderedWork = { name, args }
  const worker = new Worker(script, {
    workerData,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: maxThreadMb },
    stdout: true,
    stderr: true,
  })
  const { promise, resolve, reject } = Promise.withResolvers<Timely<Result>>()
  const onAbort = () => reject(signal.reason)
  const onTimeUp = () => resolve({ ok: false })
  let timer = setTimeout(onTimeUp, maxStartMs)
  worker.on('message', (message: ThreadMessage<Result>) => {
    if (message.type === 'done') return resolve({ ok: true, value: message.value })
    clearTimeout(timer)
    timer = setTimeout(onTimeUp, timeoutMs)
  })
  worker.on('error', (error: Error & { code?: string }) =>
    error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? resolve({ ok: false }) : reject(error),
  )
  worker.on('exit', (code) => reject(new Error(`A thread ended with code ${code}.`)))
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  return promise.finally(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    void worker.terminate()
  })
}

/** A thread's input. */
export interface OrderedWork {
  readonly name: string
  readonly args: readonly unknown[]
}

/** A thread's messages: that work starts, once all modules are loaded, and its result. */
export type ThreadMessage<Result> =
  | { readonly type: 'begun' }
  | { readonly type: 'done'; readonly value: Result }
