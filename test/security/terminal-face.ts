import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { parseHTML } from 'linkedom'
import { expect } from 'vitest'
import { main } from '../../src/cli/main.ts'
import type { Host } from '../../src/cli/terminal.ts'

/** How a command ended, and what a person saw. */
export interface Shown {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** All but that of an interruption. */
const exitCodes = [0, 1, 2, 3]
/** What steers a terminal, or shows text in another order than it stands, but for line ends and tabs. */
const steering = /(?![\t\n])[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
/** What no page has that shows a text from elsewhere as text. */
const running =
  'iframe, object, embed, base, link[href^=http], form, img[src^=http], [onerror], [onload], [onclick], [onmouseover]'

/** The command line in this process, in a terminal, in a folder next to one that nothing may touch. */
export class TerminalFace {
  readonly outer = mkdtempSync(join(tmpdir(), 'scholium-doors-'))
  readonly folder = join(this.outer, 'work')
  private readonly env: Record<string, string>

  constructor(env: Readonly<Record<string, string>> = {}) {
    for (const name of ['work', 'home', 'config', 'user']) mkdirSync(join(this.outer, name))
    writeFileSync(join(this.outer, 'canary.txt'), 'untouched')
    this.env = {
      PATH: process.env.PATH ?? '',
      TMPDIR: process.env.TMPDIR ?? tmpdir(),
      HOME: join(this.outer, 'user'),
      SCHOLIUM_HOME: join(this.outer, 'home'),
      XDG_CONFIG_HOME: join(this.outer, 'config'),
      ...env,
    }
  }

  write(name: string, content: string): string {
    const path = join(this.folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
    return path
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8')
  }

  /** Runs a command, and holds what a person saw against what may never be seen. */
  async run(args: readonly string[], { stdin = '' } = {}): Promise<Shown> {
    for (const name of Object.keys(process.env)) delete process.env[name]
    Object.assign(process.env, this.env)
    process.chdir(this.folder)
    const [stdout, stderr] = [collected(true), collected(false)]
    const host: Host = {
      stdin: Readable.from(stdin === '' ? [] : [Buffer.from(stdin)]) as Host['stdin'],
      stdout: stdout.stream,
      stderr: stderr.stream,
      env: process.env,
      cwd: () => this.folder,
    }
    const exitCode = await main(args, host)
    const shown = { exitCode, stdout: stdout.text(), stderr: stderr.text() }
    const called = args.join(' ').slice(0, 200)
    expect(exitCodes, `${called}\n${shown.stderr.slice(0, 2_000)}`).toContain(exitCode)
    expect(shown.stderr, called).not.toMatch(/bug in Scholium|\[object Object\]/)
    for (const text of [shown.stdout, shown.stderr]) expectHarmless(text, called)
    return shown
  }

  /** As {@link run}, for one JSON value. */
  async json(args: readonly string[], given = {}) {
    const { stdout, stderr } = await this.run([...args, '--json'], given)
    try {
      return JSON.parse(stdout)
    } catch {
      throw new Error(`No JSON: ${stdout.slice(0, 500)} ${stderr.slice(0, 500)}`)
    }
  }

  /** Nothing outside of the folder, the home and the user's own folders came to be, and nothing that a string names was run. */
  expectNothingElse(): void {
    expect(readdirSync(this.outer).sort()).toEqual(['canary.txt', 'config', 'home', 'user', 'work'])
    expect(readFileSync(join(this.outer, 'canary.txt'), 'utf8')).toBe('untouched')
    for (const folder of [this.outer, this.folder, join(this.outer, 'user'), '/tmp'])
      for (const name of ['naughty-was-run', 'blns.fail', 'blns.shellshock1.fail'])
        expect(existsSync(join(folder, name)), name).toBe(false)
  }

  remove(): void {
    process.chdir(tmpdir())
    rmSync(this.outer, { recursive: true, force: true })
  }
}

/** Nothing in a text steers the terminal that shows it. */
export function expectHarmless(text: string, called: string): void {
  const at = text.search(steering)
  expect(at < 0 ? '' : JSON.stringify(text.slice(Math.max(0, at - 60), at + 20)), called).toBe('')
}

/** A page loads and runs nothing of what it shows: it has no other scripts than the same page about harmless things. */
export function expectInert(page: string, harmless: string): void {
  const of = (text: string) => parseHTML(text).document
  const scripts = (text: string) => [...of(text).querySelectorAll('script')].length
  expect([...of(page).querySelectorAll(running)].map((element) => element.outerHTML)).toEqual([])
  expect(scripts(page)).toBe(scripts(harmless))
  const links = [...of(page).querySelectorAll('[href], [src]')].flatMap((element) => [
    element.getAttribute('href') ?? '',
    element.getAttribute('src') ?? '',
  ])
  expect(links.filter((link) => /^\s*(?:javascript|vbscript|data:text)/i.test(link))).toEqual([])
}

function collected(isTerminal: boolean) {
  const written: Buffer[] = []
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      written.push(chunk)
      done()
    },
  })
  if (isTerminal)
    Object.assign(stream, { isTTY: true, columns: 100, rows: 40, hasColors: () => false })
  return { stream: stream as Host['stdout'], text: () => Buffer.concat(written).toString() }
}
