import { describe, expect, it } from 'vitest'
import type { CodeRequest, PermissionRequest } from '../../app.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import type { Block } from './blocks.ts'
import type { SessionEars, SessionPort } from './session-port.ts'
import { SessionWork } from './session-work.ts'

/** Sessions that answer what they are told to, each request by its text, and what was asked of them. */
class Sessions {
  readonly opened: CodeRequest[] = []
  readonly sent: unknown[] = []
  readonly blocks: Block[] = []
  ears: SessionEars | undefined
  isClosed = false
  nowMs = 0
  /** What a request does before its turn is over. */
  work: (text: string) => Promise<void> = async () => {}
  turns: readonly object[] = []
  settings: object = {}
  whenIdle: () => Promise<void> = async () => {}

  begin(request: CodeRequest = {}): SessionWork {
    const site = {
      open: async (given: CodeRequest, ears: SessionEars) => {
        this.opened.push(given)
        this.ears = ears
        return this.port()
      },
      events: async function* () {},
      find: async (runId: string) => ({ runId, workspace: '/w' }),
      lastRequest: async () => 'the one before',
    }
    return new SessionWork(site, request, {
      onBlocks: (blocks) => this.blocks.push(...blocks),
      onChange: () => {},
      onExit: () => {},
      now: () => this.nowMs,
    })
  }

  get texts(): readonly string[] {
    return this.blocks.flatMap((block) => ('text' in block ? [block.text] : []))
  }

  private port(): SessionPort {
    return {
      runId: 'run-1',
      state: { turns: this.turns, settings: this.settings },
      whenIdle: () => this.whenIdle(),
      cancelTurn: async () => true,
      close: async () => {
        this.isClosed = true
      },
      slash: async (line: string) => ({ text: `did ${line}` }),
      send: async (given: { text?: string }) => {
        this.sent.push(given)
        await this.work(given.text ?? '')
        return {} as never
      },
    } as unknown as SessionPort
  }
}

const request = {
  kind: 'permission',
  callId: 'c',
  toolName: 'edit',
  preview: { title: 'edit a.ts (+1 −1)', diff: '-a\n+b', paths: ['a.ts'], changes: [] },
  reason: 'No rule allows this change.',
  always: ['edit:a.ts'],
} as unknown as PermissionRequest

describe('SessionWork', () => {
  it('opens the session with the first request, by which it is listed', async () => {
    const sessions = new Sessions()
    const work = sessions.begin({ workspace: '/w' })
    expect(work.runId).toBeUndefined()
    await work.send('fix it', { kind: 'prompt', text: 'fix it' })
    await work.send('more', { kind: 'prompt', text: 'more' })
    expect(sessions.opened).toEqual([{ workspace: '/w', title: 'fix it' }])
    expect(work.runId).toBe('run-1')
  })

  it('does what is sent meanwhile one after the other, and gives it back on request', async () => {
    const sessions = new Sessions()
    const work = sessions.begin()
    const gate = Promise.withResolvers<void>()
    sessions.work = () => gate.promise
    const done = work.send('one', { kind: 'prompt', text: 'one' })
    for (const text of ['two', 'three']) void work.send(text, { kind: 'prompt', text })
    expect(work.queue).toEqual(['two', 'three'])
    expect(work.takeQueue()).toEqual(['two', 'three'])
    void work.send('/undo', { kind: 'slash', line: '/undo' })
    expect(work.isBusy).toBe(true)
    gate.resolve()
    await done
    expect(work.isBusy).toBe(false)
    expect(sessions.texts).toEqual(['one', '/undo', 'did /undo'])
  })

  it('continues with the same session after what ended its run', async () => {
    const sessions = new Sessions()
    const work = sessions.begin()
    sessions.work = async () => {
      throw new ScholiumError('limit_reached', 'Too much.', { hint: 'Raise it.' })
    }
    await work.send('one', { kind: 'prompt', text: 'one' })
    expect(sessions.texts).toEqual(['one', 'Too much.', 'Raise it.'])
    expect([sessions.isClosed, work.isBusy]).toEqual([true, false])
    sessions.work = async () => {}
    await work.send('two', { kind: 'prompt', text: 'two' })
    expect(sessions.opened.at(-1)).toEqual({ resume: 'run-1', grants: [] })
  })

  it('shows what was said before, and of what continues what it was asked', async () => {
    const turn = { turn: 1, kind: 'prompt', outcome: 'answer', prompt: 'first', answer: 'done' }
    const sessions = new Sessions()
    sessions.turns = [turn]
    sessions.whenIdle = async () => {
      sessions.ears?.onEvent({ type: 'turn.started', turn: 2, kind: 'prompt' })
    }
    await sessions.begin({ resume: 'run-1' }).begin()
    const [first, answer, ...others] = sessions.texts
    expect([first, answer]).toEqual(['first', 'done'])
    expect(others).toEqual(['the one before', 'This was interrupted; resuming it.'])
  })

  it('takes settings of the command line into a resumed session', async () => {
    const sessions = new Sessions()
    await sessions.begin({ resume: 'run-1', settings: { isYolo: true } }).begin()
    expect(sessions.sent).toEqual([{ kind: 'settings', change: { isYolo: true } }])
  })

  it('adds rules of the command line to those that a resumed session has', async () => {
    const sessions = new Sessions()
    sessions.settings = { allow: ['edit:src/'], deny: ['read:own/'] }
    await sessions.begin({ resume: 'run-1', settings: { allow: ['bash:make'] } }).begin()
    expect(sessions.sent).toEqual([
      { kind: 'settings', change: { allow: ['edit:src/', 'bash:make'] } },
    ])
  })

  it('asks what the session asks, and forgets it when nobody waits any more', async () => {
    const sessions = new Sessions()
    const work = sessions.begin()
    await work.send('one', { kind: 'prompt', text: 'one' })
    const given = sessions.ears?.onPermission(request, new AbortController().signal)
    expect(work.panel?.request).toBe(request)
    expect(sessions.texts.slice(-2)).toEqual(['Allow it to edit a.ts (+1 −1)?', '-a\n+b'])
    work.note()
    expect(work.panel?.isNoting).toBe(true)
    work.answer({ decision: 'no', note: 'not so' })
    expect(await given).toEqual({ decision: 'no', note: 'not so' })
    expect([work.panel, sessions.texts.at(-1)]).toEqual([undefined, 'You said no: not so'])

    const control = new AbortController()
    void sessions.ears?.onPermission(request, control.signal)
    control.abort()
    expect(work.panel).toBeUndefined()
  })

  it('takes letters for no answers while the person types', async () => {
    const sessions = new Sessions()
    const work = sessions.begin()
    await work.send('one', { kind: 'prompt', text: 'one' })
    sessions.nowMs = 10_000
    work.typedAtMs = 9_900
    void sessions.ears?.onPermission(request, new AbortController().signal)
    expect(work.panel?.opensAtMs).toBe(Number.POSITIVE_INFINITY)
    work.drawn()
    expect(work.panel?.opensAtMs).toBe(10_700)
    work.answer({ decision: 'once' })
    work.typedAtMs = 2_000
    void sessions.ears?.onPermission(request, new AbortController().signal)
    work.drawn()
    expect(work.panel?.opensAtMs).toBe(10_300)
    work.hold()
    expect(work.panel?.opensAtMs).toBe(10_700)
  })
})
