import { writeSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import type { Host } from '../terminal.ts'
import { type Key, KeyDecoder } from './keys.ts'

/** Callbacks for what happens at the terminal. */
export interface TerminalListeners {
  onKeys(keys: readonly Key[]): void
  /** The window was resized. */
  onResize(): void
  /** The process was suspended and continues; the screen must be redrawn. */
  onContinue(): void
  /** The terminal is gone, or the process was asked to end. @param exitCode the usual one for this */
  onEnd(exitCode: number): void
  /** An uncaught error, printed next, is about to end the process. */
  onCrash(): void
}

/** Bracketed paste: line breaks in a paste are not typed ones. */
const enterModes = '\u001b[?2004h'
const leaveModes = '\u001b[?2026l\u001b[?2004l\u001b[?25h'
/** An escape character is the Escape key if nothing follows within this time. */
const escapeMs = 40
/** A paste ends after this time without its end mark. */
const pasteMs = 1_000

/**
 * The terminal in raw mode. However the process ends, except by SIGKILL, the terminal is restored: also after a crash,
 * on SIGTERM and while suspended by Ctrl-Z.
 */
export class RawTerminal {
  private readonly host: Pick<Host, 'stdin' | 'stdout'>
  private readonly listeners: TerminalListeners
  private readonly decoder = new KeyDecoder()
  private text = new StringDecoder('utf8')
  private timer: NodeJS.Timeout | undefined
  private suspension: NodeJS.Timeout | undefined
  private isRaw = false
  private isOpen = false

  constructor(host: Pick<Host, 'stdin' | 'stdout'>, listeners: TerminalListeners) {
    this.host = host
    this.listeners = listeners
  }

  /** Starts to read keys. */
  open(): void {
    const { stdin, stdout } = this.host
    stdin.on('data', this.onData)
    stdin.on('end', this.onHangUp)
    stdin.on('error', this.onHangUp)
    stdout.on('resize', this.onResize)
    for (const [signal, listener] of this.signals) process.on(signal, listener)
    this.isOpen = true
    process.on('exit', this.restore)
    process.on('uncaughtExceptionMonitor', this.onCrash)
    this.enter()
  }

  /** Stops reading, and restores the terminal. */
  close(): void {
    const { stdin, stdout } = this.host
    clearTimeout(this.timer)
    clearTimeout(this.suspension)
    this.isOpen = false
    this.restore()
    stdin.off('data', this.onData)
    stdin.off('end', this.onHangUp)
    stdout.off('resize', this.onResize)
    for (const [signal, listener] of this.signals) process.off(signal, listener)
    process.off('exit', this.restore)
    process.off('uncaughtExceptionMonitor', this.onCrash)
    stdin.pause()
  }

  /** Suspends this process and its group, as Ctrl-Z does, until the shell resumes them. */
  suspend(): void {
    if (process.platform === 'win32') {
      // There is no shell to resume it.
      this.listeners.onContinue()
      return
    }
    this.restore()
    process.off('SIGTSTP', this.onStop)
    // The whole group: an intermediate shell would otherwise keep waiting, and the person's shell with it.
    process.kill(0, 'SIGTSTP')
    // If nobody could resume it, the system does not suspend it.
    this.suspension = setTimeout(() => {
      process.on('SIGTSTP', this.onStop)
      this.goOn()
    }, 100)
  }

  private readonly onCrash = () => {
    this.listeners.onCrash()
    this.restore()
  }
  private readonly onStop = () => this.suspend()
  private readonly onHangUp = () => this.listeners.onEnd(129)
  private readonly onResize = () => this.listeners.onResize()
  private readonly signals: readonly (readonly [NodeJS.Signals, () => void])[] = [
    ['SIGTERM', () => this.listeners.onEnd(143)],
    ['SIGHUP', this.onHangUp],
    ['SIGINT', () => this.listeners.onKeys([{ type: 'key', name: 'ctrl+c' }])],
    ['SIGTSTP', this.onStop],
    ['SIGCONT', () => this.goOn()],
  ]

  private goOn(): void {
    if (this.isRaw || !this.isOpen) return
    this.enter()
    this.listeners.onContinue()
  }

  private enter(): void {
    const { stdin, stdout } = this.host
    stdin.setRawMode(true)
    stdin.resume()
    stdout.write(enterModes)
    this.isRaw = true
  }

  private readonly restore = () => {
    if (!this.isRaw) return
    this.isRaw = false
    const { stdin, stdout } = this.host
    try {
      stdin.setRawMode(false)
      // When the process exits, only synchronous writes take effect.
      writeSync((stdout as { fd?: number }).fd ?? 1, leaveModes)
    } catch {
      // The terminal is gone: there is nothing to restore.
    }
  }

  private readonly onData = (piece: Buffer | string) => {
    const text = typeof piece === 'string' ? piece : this.text.write(piece)
    clearTimeout(this.timer)
    const keys = this.decoder.take(text)
    if (this.decoder.isWaiting) {
      const waitMs = this.decoder.isPasting ? pasteMs : escapeMs
      this.timer = setTimeout(() => this.tell(this.decoder.flush()), waitMs)
    }
    this.tell(keys)
  }

  private tell(keys: readonly Key[]): void {
    if (keys.length > 0) this.listeners.onKeys(keys)
  }
}
