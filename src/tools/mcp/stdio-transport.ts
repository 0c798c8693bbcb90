import { type ChildProcess, spawn } from 'node:child_process'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { ScholiumError } from '../../kernel/errors.ts'
import { settlesWithin } from '../../kernel/run/deadline.ts'
import { redactSecrets } from '../../kernel/run/secrets.ts'
import { describeLargeAnswer, type InputLine, LineReader, maxMessageBytes } from './line-reader.ts'
import type { ProcessServerConfig } from './mcp-config.ts'
import { guardGroup, unrefStream } from './orphan-guard.ts'
import { cleanLine, cleanText } from './untrusted-text.ts'

const maxGarbageBytes = 32 * 1024 * 1024
/** Time for a server to end by itself: after its input closes, then after SIGTERM. */
const inputGraceMs = 500
const signalGraceMs = 2_000
/** Time for the system to end it after SIGKILL: a process waiting for a disk cannot be ended. */
const killGraceMs = 2_000
const drainMs = 200

/**
 * A server process in its own group. It gets only the configured environment; output that is not a message is reported
 * once and skipped; its group ends with it, and with this process.
 */
export class StdioTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: Transport['onmessage'] & {}
  /** Receives notices for the operator. */
  onWarning?: (text: string) => void
  readonly stderr: StderrTail
  pid: number | null = null
  /** How the process ended, or is about to: "exit code 1", "signal SIGKILL". */
  ending: string | undefined
  /** Whether it has sent any message. */
  hasSpoken = false
  private readonly config: ProcessServerConfig
  private readonly lines = new LineReader(maxMessageBytes)
  private readonly exited = Promise.withResolvers<void>()
  private child: ChildProcess | undefined
  private releaseGuard: () => void = () => undefined
  private garbageBytes = 0
  private isFinished = false
  private closing: Promise<void> | undefined

  constructor(config: ProcessServerConfig) {
    this.config = config
    this.stderr = new StderrTail(config.secrets)
  }

  /**
   * Starts the process.
   * @throws the error of `spawn` if the program or folder is missing
   */
  start(): Promise<void> {
    const { command, args, environment, cwd } = this.config
    const child = spawn(command, [...args], {
      env: environment,
      stdio: 'pipe',
      detached: process.platform !== 'win32',
      windowsHide: true,
      ...(cwd === undefined ? {} : { cwd }),
    })
    this.child = child
    child.stdout.on('data', (chunk: Buffer) => this.read(chunk))
    child.stderr.on('data', (chunk: Buffer) => this.stderr.push(chunk))
    child.stdin.on('error', (error) => this.onerror?.(error))
    child.once('exit', (code, signal) => this.noteExit(code, signal))
    child.once('close', () => this.finish())
    child.unref()
    for (const stream of [child.stdin, child.stdout, child.stderr]) unrefStream(stream)
    return new Promise((resolve, reject) => {
      child.once('error', (error) => {
        if (child.pid === undefined) this.finish()
        reject(error)
      })
      child.once('spawn', () => {
        this.pid = child.pid as number
        this.releaseGuard = guardGroup(this.pid, ({ message }) => {
          this.onWarning?.(`may keep running if this process is killed: ${message}`)
        })
        resolve()
      })
    })
  }

  send(message: JSONRPCMessage): Promise<void> {
    const { child } = this
    if (child?.stdin == null || this.ending !== undefined || this.closing !== undefined) {
      return Promise.reject(new ScholiumError('tool_failed', 'The server is not running.'))
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    child.stdin.write(`${JSON.stringify(message)}\n`, (error) =>
      error ? reject(error) : resolve(),
    )
    return promise
  }

  /** Ends the process: by closing its input, then SIGTERM, then SIGKILL. Resolves when it is gone or cannot be ended. */
  close(): Promise<void> {
    this.closing ??= this.end()
    return this.closing
  }

  /** Kills the process and its group. */
  kill(): void {
    this.signal('SIGKILL')
  }

  private async end(): Promise<void> {
    if (this.child === undefined || this.pid === null) return this.finish()
    this.child.stdin?.end()
    if (!(await this.exitsWithin(inputGraceMs))) this.signal('SIGTERM')
    if (!(await this.exitsWithin(signalGraceMs))) this.signal('SIGKILL')
    await this.exitsWithin(killGraceMs)
    this.finish()
  }

  private exitsWithin(graceMs: number): Promise<boolean> {
    return settlesWithin(this.exited.promise, graceMs)
  }

  private noteExit(code: number | null, signal: string | null): void {
    this.ending ??= signal === null ? `exit code ${code}` : `signal ${signal}`
    // Its children may live on and hold its output open.
    this.signal('SIGKILL')
    this.releaseGuard()
    this.exited.resolve()
    setTimeout(() => this.finish(), drainMs)
  }

  private finish(): void {
    if (this.isFinished) return
    this.isFinished = true
    this.child?.stdin?.destroy()
    this.child?.stdout?.destroy()
    this.child?.stderr?.destroy()
    this.onclose?.()
  }

  private signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    if (this.pid === null) return
    try {
      if (process.platform === 'win32') this.child?.kill(signal)
      else process.kill(-this.pid, signal)
    } catch {
      // The group is empty, as intended.
    }
  }

  private read(chunk: Buffer): void {
    for (const line of this.lines.push(chunk)) this.readLine(line)
  }

  private readLine(line: InputLine): void {
    const message =
      'text' in line
        ? parseMessage(line.text)
        : describeLargeAnswer(`${line.head}\n${line.tail}`, line.sizeBytes)
    if (message === undefined) {
      if ('text' in line) this.skip(line.text, line.text.length)
      else this.skip(line.head, line.sizeBytes)
      return
    }
    this.hasSpoken = true
    // Log messages are not read, and a server may send any number of them.
    if (!('method' in message && message.method === 'notifications/message')) {
      this.onmessage?.(message)
    }
  }

  private skip(text: string, sizeBytes: number): void {
    if (text === '') return
    const isFirst = this.garbageBytes === 0
    this.garbageBytes += sizeBytes + 1
    if (isFirst) {
      const sample = cleanLine(text, 120)
      this.onWarning?.(`prints output that is not a message, which is skipped: ${sample}`)
    }
    if (this.garbageBytes <= maxGarbageBytes || this.ending !== undefined) return
    this.ending = 'by Scholium, for flooding its output with text that is not a message'
    this.kill()
  }
}

function parseMessage(text: string): JSONRPCMessage | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && 'jsonrpc' in value
    return isObject ? (value as JSONRPCMessage) : undefined
  } catch {
    return undefined
  }
}

const keptBytes = 8_192
const shownLines = 8
const shownChars = 1_000

/** The end of a process's standard error. */
class StderrTail {
  private readonly secrets: readonly string[]
  private kept = Buffer.alloc(0)

  constructor(secrets: readonly string[]) {
    this.secrets = secrets
  }

  push(chunk: Buffer): void {
    const all = Buffer.concat([this.kept, chunk.subarray(-keptBytes)])
    this.kept = Buffer.from(all.subarray(-keptBytes))
  }

  /** Its last lines, cleaned and without secrets; empty if there are none. */
  text(): string {
    const clean = cleanText(redactSecrets(this.kept.toString('utf8'), this.secrets), Infinity)
    const lines = clean.split('\n').map((line) => line.trimEnd())
    const shown = lines.filter((line) => line !== '').slice(-shownLines)
    return shown.join('\n').slice(-shownChars)
  }
}
