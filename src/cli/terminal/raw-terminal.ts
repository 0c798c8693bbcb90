import { writeSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import type { Host } from '../terminal.ts'
import { type Key, KeyDecoder } from './keys.ts'

/** Who is told of what happens at the terminal. */
export interface TerminalListeners {
  onKeys(keys: readonly Key[]): void
  /** The window has another size. */
  onResize(): void
  /** The process was stopped and goes on; the screen has to be drawn anew. */
  onContinue(): void
  /** The terminal is gone, or the process is asked to end. @param exitCode the one that is usual for it */
  onEnd(exitCode: number): void
  /** The process is about to end by an error that nobody caught, which is printed next. */
  onCrash(): void
}

/** Pastes are marked, so that their line ends are none that were typed. */
const enterModes = '\u001b[?2004h'
const leaveModes = '\u001b[?2026l\u001b[?2004l\u001b[?25h'
/** An escape character alone is the key, if nothing follows for so long. */
const escapeMs = 40
/** A paste whose end does not come is over. */
const pasteMs = 1_000

/**
 * The terminal key by key. However the process ends, but by SIGKILL, the terminal is left as it was: also in a crash, on SIGTERM and
 * when it is stopped by Ctrl-Z.
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

  /** Begins to read keys. */
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

  /** Ends the reading, and leaves the terminal as it was. */
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

  /** Stops this process and those that wait for it, as Ctrl-Z does, until the shell lets them go on. */
  suspend(): void {
    if (process.platform === 'win32') {
      // There is no shell that could let it go on.
      this.listeners.onContinue()
      return
    }
    this.restore()
    process.off('SIGTSTP', this.onStop)
    // Of the group: a shell that was started between would otherwise go on waiting, and the person's shell too.
    process.kill(0, 'SIGTSTP')
    // Where nobody could let it go on, the system does not stop it.
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
      // At the end of the process nothing is written any more that is not written at once.
      writeSync((stdout as { fd?: number }).fd ?? 1, leaveModes)
    } catch {
      // The terminal is gone: there is nothing to be restored.
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
