import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { PermissionAnswer, PermissionRequest } from '../../app.ts'
import { createPaint } from '../render/paint.ts'
import type { SessionEars, SessionPort } from './session-port.ts'
import { SessionScreen } from './session-screen.ts'
import { SessionWork } from './session-work.ts'
import { TerminalSession } from './terminal-session.ts'

const request = {
  kind: 'permission',
  callId: 'c',
  toolName: 'bash',
  preview: { title: 'run: make', command: 'make', paths: [], changes: [] },
  reason: 'make may change something.',
  always: ['bash:make'],
} as unknown as PermissionRequest

/** A terminal whose screen is a string, with a session that asks what it is told to, at a time that is set. */
class Keyboard {
  nowMs = 100_000
  readonly sent: string[] = []
  private readonly written: string[] = []
  private ears: SessionEars | undefined
  private readonly terminal: TerminalSession
  readonly work: SessionWork

  constructor() {
    const paint = createPaint(false)
    const screen = { columns: 160, rows: 30, write: (text: string) => this.written.push(text) }
    const port = {
      runId: 'run-1',
      state: { turns: [], settings: {} },
      whenIdle: async () => {},
      cancelTurn: async () => true,
      close: async () => {},
      send: async () => ({}),
      slash: async (line: string) => ({ text: `did ${line}` }),
    } as unknown as SessionPort
    const host = { paint, now: () => this.nowMs, suspend: () => {}, leave: () => {} }
    this.terminal = new TerminalSession(
      host,
      (frameOf) => new SessionScreen(screen, {}, paint, frameOf),
    )
    this.work = new SessionWork(
      {
        open: async (_request, ears) => {
          this.ears = ears
          return port
        },
        events: async function* () {},
        find: async (runId: string) => ({ runId, workspace: '/w' }),
        lastRequest: async () => '',
      },
      {},
      {
        onBlocks: (blocks) => this.terminal.add(blocks),
        onChange: () => this.terminal.change(),
        onExit: () => {},
        now: host.now,
      },
    )
    this.terminal.connect({
      work: this.work,
      history: { list: [], add: () => {} } as never,
      paths: { matching: () => [] } as never,
      commands: () => [],
      facts: () => ['facts'],
      submit: (text) => this.sent.push(text),
    })
  }

  /** Has the session ask, once it is open. @param isDrawn whether the question stands on the screen */
  async ask(isDrawn = true): Promise<readonly PermissionAnswer[]> {
    if (this.ears === undefined) await this.work.send('go', { kind: 'prompt', text: 'go' })
    const given: PermissionAnswer[] = []
    void this.ears
      ?.onPermission(request, new AbortController().signal)
      .then((answer) => given.push(answer))
    if (isDrawn) this.terminal.screen.draw()
    return given
  }

  /** Types letters at once, `afterMs` after what was before. */
  type(text: string, afterMs: number): void {
    this.nowMs += afterMs
    this.terminal.press([...text].map((letter) => ({ type: 'text', text: letter })))
  }

  press(name: 'enter'): void {
    this.terminal.press([{ type: 'key', name } as never])
  }

  /** What was written on the screen since this was asked last. */
  shown(): string {
    this.terminal.screen.draw()
    return this.written.splice(0).join('')
  }
}

/** Longer than what a letter waits for another one. */
const decided = () => wait(320)

describe('the keys of a question', () => {
  it('answer nothing while the line holds text, however long nothing was typed', async () => {
    const keyboard = new Keyboard()
    keyboard.type('and then', 0)
    const given = await keyboard.ask()
    expect(keyboard.shown()).toContain('Letters do not answer while there is text on the line')
    keyboard.type('y', 5_000)
    await decided()
    expect(given).toEqual([])
    keyboard.press('enter')
    expect(keyboard.sent).toEqual(['and theny'])
    expect(keyboard.shown()).toContain('y yes')
    keyboard.type('y', 5_000)
    await decided()
    expect(given).toEqual([{ decision: 'once' }])
  })

  it('are no typing when they answer: the next question takes the next letter', async () => {
    const keyboard = new Keyboard()
    const [first] = [await keyboard.ask()]
    keyboard.type('y', 5_000)
    await decided()
    const second = await keyboard.ask()
    keyboard.type('y', 400)
    await decided()
    expect([first, second]).toEqual([[{ decision: 'once' }], [{ decision: 'once' }]])
  })

  it('are left out with a word when they come before the question can have been read', async () => {
    const keyboard = new Keyboard()
    const given = await keyboard.ask()
    keyboard.type('y', 100)
    await decided()
    expect(given).toEqual([])
    expect(keyboard.shown()).toContain('press it again to answer')
    keyboard.type('/help', 100)
    keyboard.press('enter')
    expect(keyboard.sent).toEqual(['/help'])
  })

  it('answer nothing that does not stand on the screen yet, however long it is asked', async () => {
    const keyboard = new Keyboard()
    const given = await keyboard.ask(false)
    keyboard.type('y', 60_000)
    await decided()
    expect(given).toEqual([])
    keyboard.type('y', 5_000)
    await decided()
    expect(given).toEqual([{ decision: 'once' }])
  })

  it('stand below all of the question after what was looked up in between', async () => {
    const keyboard = new Keyboard()
    await keyboard.ask()
    keyboard.shown()
    await keyboard.work.look('/cost', '/cost')
    expect(keyboard.shown()).toMatch(/did \/cost[\s\S]*Allow it to run: make[\s\S]*y yes/)
  })

  it('begin a sentence when more follows at once', async () => {
    const keyboard = new Keyboard()
    const given = await keyboard.ask()
    keyboard.type('no', 100)
    keyboard.press('enter')
    await decided()
    expect([given, keyboard.sent]).toEqual([[], ['no']])
  })
})
