import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../repo/source-file.ts'

/** Whether there is a tmux to hold terminals. */
export function hasTmux(): boolean {
  try {
    execFileSync('tmux', ['-V'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** A real terminal with a shell in it, over a home and a workspace that are thrown away. */
export class TerminalScreen {
  readonly folder = mkdtempSync(join(tmpdir(), 'scholium-terminal-'))
  readonly workspace = join(this.folder, 'workspace')
  private readonly socket = join(this.folder, 'tmux')

  /** @param env environment of the shell, in addition to what any program needs */
  constructor(columns: number, rows: number, env: Readonly<Record<string, string>> = {}) {
    mkdirSync(this.workspace)
    const own = {
      PATH: process.env.PATH ?? '',
      HOME: this.folder,
      SCHOLIUM_HOME: join(this.folder, 'home'),
      LANG: 'C.UTF-8',
      PS1: '$ ',
      TMUX: this.socket,
      ...env,
    }
    const variables = Object.entries(own).map(([name, value]) => `${name}=${value}`)
    this.tmux(
      '-f',
      '/dev/null',
      '-u',
      'new-session',
      '-d',
      '-x',
      `${columns}`,
      '-y',
      `${rows}`,
      '-c',
      this.workspace,
      'env',
      '-i',
      'TERM=tmux-256color',
      ...variables,
      'sh',
    )
  }

  /** Types text as it is. */
  type(text: string): void {
    this.tmux('send-keys', '-l', '--', text)
  }

  /** Presses keys by tmux's names: `Enter`, `Escape`, `C-c`. */
  press(...keys: readonly string[]): void {
    this.tmux('send-keys', ...keys)
  }

  /** Types text and sends it. */
  enter(text: string): void {
    this.type(text)
    this.press('Enter')
  }

  /** Pastes text as a terminal does. */
  paste(text: string): void {
    const file = join(this.folder, 'paste')
    writeFileSync(file, text)
    this.tmux('load-buffer', file)
    this.tmux('paste-buffer', '-p', '-r')
  }

  /** Starts the command line with arguments, on an empty screen or below `before`. */
  scholium(args: string, before = 'clear'): void {
    this.enter(`${before}; ${process.execPath} ${join(root, 'bin/scholium.js')} ${args}`)
  }

  resize(columns: number, rows: number): void {
    this.tmux('resize-window', '-x', `${columns}`, '-y', `${rows}`)
  }

  /** The rows that are seen, empty ones at the end left out. */
  rows(): readonly string[] {
    const text = this.tmux('capture-pane', '-p')
    return text
      .trimEnd()
      .split('\n')
      .map((row) => row.trimEnd())
  }

  /** All rows since the last `clear`, with those that went out of sight. */
  history(): string {
    return this.tmux('capture-pane', '-p', '-J', '-S', '-2000')
  }

  /** A value that tmux knows, such as `cursor_flag`. */
  value(name: string): string {
    return this.tmux('display-message', '-p', `#{${name}}`).trim()
  }

  /** Whether keys are read by line and echoed, as shells expect it. */
  isCooked(): boolean {
    const text = execFileSync('stty', ['-F', this.value('pane_tty'), '-a'], { encoding: 'utf8' })
    return / icanon/.test(text) && / echo /.test(text)
  }

  /** Waits until the screen shows something. @returns its rows @throws when it does not in time */
  async until(wanted: string | RegExp, timeoutMs = 20_000): Promise<readonly string[]> {
    const end = Date.now() + timeoutMs
    for (;;) {
      const rows = this.rows()
      const text = rows.join('\n')
      if (typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text)) return rows
      if (Date.now() > end) throw new Error(`Never seen: ${wanted}\n${text}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  /** Ends the shell and what it started. */
  close(): void {
    try {
      this.tmux('kill-server')
    } catch {
      // It may have ended with its shell.
    }
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 })
  }

  private tmux(...args: readonly string[]): string {
    const env = { ...process.env, TMUX: '' }
    return execFileSync('tmux', ['-S', this.socket, ...args], { encoding: 'utf8', env })
  }
}
