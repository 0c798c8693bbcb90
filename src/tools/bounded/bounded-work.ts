import { createContext, Script } from 'node:vm'
import { Worker } from 'node:worker_threads'
import { createSemaphore } from '../../kernel/run/semaphore.ts'

/**
 * Pure work on plain data that a stranger's pattern, expression or schema may make endless. What it throws is a fault of ours, so it
 * returns what is wrong with its input.
 */
export interface BoundedWork<Args extends readonly unknown[], Result> {
  readonly run: (...args: Args) => Result
  /** The script that does the work in a thread, see `serveWork`, and the work's name there. */
  readonly script: URL
  readonly name: string
}

/** How long work may take, in milliseconds of its own, and what ends it before. */
export interface WorkBounds {
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** What work came to, or that it took more than its time or {@link maxThreadMb}. */
export type Timely<Result> = { readonly ok: true; readonly value: Result } | { readonly ok: false }

/** How long work may hold up everything else in the process before a thread does it. */
const maxInlineMs = 100
/** How long a thread may take to start, which is no fault of its work. */
const maxStartMs = 30_000
/** The heap of a thread. */
const maxThreadMb = 512

const turns = createSemaphore(2)
const callWork = new Script('work()')

/**
 * Does work at once where it is short, else in a thread that is ended when its time is up or the signal is aborted. At most two
 * pieces of work are done at the same time; others wait, and their time with them.
 * @throws the signal's reason
 */
export function doBounded<Args extends readonly unknown[], Result>(
  work: BoundedWork<Args, Result>,
  args: Args,
  bounds: WorkBounds,
): Promise<Timely<Result>> {
  return turns(async () => {
    // Whoever waited may have had its time meanwhile: its timer gets its turn first.
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

/** What a thread is started with. */
export interface OrderedWork {
  readonly name: string
  readonly args: readonly unknown[]
}

/** What a thread says: that its work begins, all modules being loaded, and what it came to. */
export type ThreadMessage<Result> =
  | { readonly type: 'begun' }
  | { readonly type: 'done'; readonly value: Result }
