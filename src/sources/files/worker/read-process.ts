import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, realpathSync } from 'node:fs'
import { dirname, extname, join, parse, sep } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { ReadRequest, ReadResult, Unreadable } from '../../document.ts'
import {
  refuseCrash,
  refuseEnd,
  refuseMemory,
  refuseTextSize,
  refuseTimeout,
} from './job-refusals.ts'
import { readResidentMb, withSystemLimits } from './limited-process.ts'
import {
  createFrameReader,
  type Frame,
  parseReply,
  type ReadOrder,
  toFrame,
} from './read-frames.ts'
import type { ProcessKind } from './readers.ts'
import {
  heapMb,
  maxBusyMs,
  maxFileMs,
  maxHeadBytes,
  maxResidentMb,
  maxStartMs,
  maxTextBytes,
  memoryCheckIntervalMs,
  semiSpaceMb,
} from './worker-limits.ts'

/** A process with nothing but its three pipes. */
export type ReadChild = ChildProcessByStdio<Writable, Readable, Readable>

/** A file to read. */
export interface WorkRequest extends ReadRequest {
  readonly kind: ProcessKind
  readonly bytes: Uint8Array
}

/** The outcome for one file. */
export interface JobResult {
  readonly reading: ReadResult
  /** Whether reading began: what ended the process before is not the file's fault. */
  readonly hasBegun: boolean
}

/**
 * Starts a reading process with an empty environment and in its own session, so that Ctrl-C in a terminal does not reach
 * it.
 */
export function startReadProcess(): ReadProcess {
  const [file, ...args] = readerCommand()
  const child = spawn(file, args, {
    cwd: parse(process.execPath).root,
    env: {},
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  })
  return new ReadProcess(child)
}

const maxComplaintUnits = 4_000

/** A process that reads files one after another until one of them ends it. It keeps this process alive only while reading. */
export class ReadProcess {
  /** Time spent on files so far. */
  busyMs = 0
  private readonly child: ReadChild
  private readonly closed: Promise<unknown>
  private isOver = false
  private onFrame: (frame: Frame) => void = () => {}
  private onLost: (why: (kind: ProcessKind) => Unreadable) => void = () => {}

  /** @param child reads orders and writes replies as in `read-frames.ts` */
  constructor(child: ReadChild) {
    this.child = child
    this.closed = once(child, 'close').catch(() => {})
    this.listen()
    this.setAwaited(false)
  }

  /** Whether it accepts another file. */
  get isAlive(): boolean {
    return !this.isOver
  }

  /** Its resident memory; 0 if unknown. */
  get residentMb(): number {
    return readResidentMb(this.child.pid)
  }

  /** Preloads the reader for a kind. */
  load(kind: ProcessKind): void {
    this.tell({ type: 'load', kind })
  }

  /**
   * Reads one file. Exceeding the time or memory limit ends the process, as does a crash. Time is counted once the
   * reader is loaded.
   * @throws the signal's reason if aborted, which ends the process
   */
  async read({ bytes, ...request }: WorkRequest, stop: AbortSignal): Promise<JobResult> {
    stop.throwIfAborted()
    const startedAt = performance.now()
    this.setAwaited(true)
    try {
      const result = this.result(request, stop)
      this.tell({ type: 'read', ...request }, bytes)
      return await result
    } finally {
      this.onFrame = () => {}
      this.onLost = () => {}
      this.busyMs += performance.now() - startedAt
      this.setAwaited(false)
    }
  }

  /** Ends it immediately; resolves when it is gone. */
  async kill(): Promise<void> {
    this.isOver = true
    this.setAwaited(true)
    this.child.kill('SIGKILL')
    await this.closed
  }

  private result(
    { kind, timeoutMs }: Omit<WorkRequest, 'bytes'>,
    stop: AbortSignal,
  ): Promise<JobResult> {
    const { promise, resolve, reject } = Promise.withResolvers<JobResult>()
    let begunAt: number | undefined
    let limitMs = timeoutMs
    const settle = (reading: ReadResult) => resolve({ reading, hasBegun: begunAt !== undefined })
    const lose = (unreadable: Unreadable) => {
      void this.kill()
      settle({ ok: false, unreadable })
    }
    const onTimeUp = () => lose(refuseTimeout(kind, limitMs))
    const onAbort = () => {
      void this.kill()
      reject(stop.reason)
    }
    let timer = setTimeout(onTimeUp, maxStartMs)
    const memoryCheck = setInterval(() => {
      if (this.residentMb > maxResidentMb) lose(refuseMemory(kind))
    }, memoryCheckIntervalMs)
    stop.addEventListener('abort', onAbort)
    this.onLost = (why) => lose(why(kind))
    this.onFrame = (frame) => {
      const reply = parseReply(frame)
      if (reply === undefined)
        return lose(refuseCrash(kind, 'it sent something that is not a document'))
      if (reply.type === 'done') return settle(reply.reading)
      begunAt ??= performance.now()
      if (reply.type === 'time') limitMs = Math.min(reply.limitMs, maxFileMs)
      clearTimeout(timer)
      timer = setTimeout(onTimeUp, begunAt + limitMs - performance.now())
    }
    if (this.isOver) lose(refuseCrash(kind, 'its process had ended'))
    return promise.finally(() => {
      clearTimeout(timer)
      clearInterval(memoryCheck)
      stop.removeEventListener('abort', onAbort)
    })
  }

  private listen(): void {
    const { child } = this
    let complaint = ''
    const lose = (why: (kind: ProcessKind) => Unreadable) => {
      this.isOver = true
      this.onLost(why)
    }
    const frames = createFrameReader(maxHeadBytes, maxTextBytes)
    child.stdout.on('data', (chunk: Buffer) => {
      if (this.isOver) return
      try {
        for (const frame of frames(chunk)) this.onFrame(frame)
      } catch (error) {
        void this.kill()
        const isLong = error instanceof RangeError
        lose((kind) =>
          isLong ? refuseTextSize() : refuseCrash(kind, 'it sent something that is not JSON'),
        )
      }
    })
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      complaint = (complaint + chunk).slice(-maxComplaintUnits)
    })
    child.stdin.on('error', () => {}) // It has just ended, which its own events report.
    child.once('error', ({ message }) =>
      lose((kind) => refuseCrash(kind, `it did not start: ${message}`)),
    )
    child.once('close', (code, signal) =>
      lose((kind) => refuseEnd(kind, { code, signal, complaint })),
    )
  }

  private tell(order: ReadOrder, body?: Uint8Array): void {
    for (const part of toFrame(order, body)) this.child.stdin.write(part)
  }

  private setAwaited(isAwaited: boolean): void {
    const held = [this.child, this.child.stdin, this.child.stdout, this.child.stderr]
    for (const one of held as readonly Held[]) {
      if (isAwaited) one.ref()
      else one.unref()
    }
  }
}

/** Child processes have these methods, and so do their pipes, which are sockets typed as streams. */
interface Held {
  ref(): void
  unref(): void
}

/** Twice the time, since other threads compile and collect garbage. */
const cpuSeconds = (2 * (maxBusyMs + maxFileMs)) / 1_000

/**
 * The command of a reading process: Node under its permission model, allowed to read only the program's own code and
 * packages; it cannot write files, start processes or, from Node 25 on, use the network, and does not evaluate text as
 * JavaScript.
 * @see https://nodejs.org/api/permissions.html
 */
function readerCommand(main = readerMain()): readonly [file: string, ...args: string[]] {
  const command = [
    process.execPath,
    '--permission',
    ...codePlaces(dirname(main)).map((place) => `--allow-fs-read=${place}`),
    '--no-warnings',
    '--disallow-code-generation-from-strings',
    `--max-old-space-size=${heapMb}`,
    `--max-semi-space-size=${semiSpaceMb}`,
    main,
  ] as const
  return withSystemLimits(command, cpuSeconds)
}

/** In a build, JavaScript next to this file; in a checkout, TypeScript that Node strips. */
function readerMain(): string {
  return fileURLToPath(new URL(`./read-child${extname(import.meta.url)}`, import.meta.url))
}

/** The package that a file belongs to, its installed packages, and the file that declares its module type. */
function codePlaces(folder: string): readonly string[] {
  let root = folder
  while (!existsSync(join(root, 'package.json')) && dirname(root) !== root) root = dirname(root)
  const installed = `${sep}node_modules${sep}`
  const shared = root.indexOf(installed)
  const folders = [
    folder,
    join(root, 'src'),
    join(root, 'dist'),
    join(root, 'node_modules'),
    ...(shared < 0 ? [] : [root.slice(0, shared + installed.length)]),
  ]
  const there = folders.filter((place) => existsSync(place))
  const places = new Set([...there, ...there.map((place) => realpathSync(place))])
  return [...places].map((place) => join(place, sep)).concat(join(root, 'package.json'))
}
