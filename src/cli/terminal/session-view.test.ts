import { describe, expect, it } from 'vitest'
import type { CodeEvent } from '../../app.ts'
import { currentLine } from './answer-stream.ts'
import type { Block } from './blocks.ts'
import { firstView, hearEvent, type SessionView } from './session-view.ts'

function heard(events: readonly CodeEvent[], from: SessionView = firstView) {
  const blocks: Block[] = []
  let view = from
  for (const event of events) {
    const next = hearEvent(view, event)
    view = next.view
    blocks.push(...next.blocks)
  }
  return { view, blocks, texts: blocks.flatMap((block) => ('text' in block ? [block.text] : [])) }
}

const delta = (text: string, kind: 'text' | 'reasoning' = 'text'): CodeEvent => ({
  type: 'delta',
  kind,
  text,
})
const message = (text: string): CodeEvent => ({ type: 'message', text })
const begun: CodeEvent = { type: 'turn.started', turn: 1, kind: 'prompt' }
const ended = (outcome: 'answer' | 'cancelled' | 'max_steps', answer = ''): CodeEvent => {
  return { type: 'turn.done', turn: 1, outcome, answer }
}

describe('an answer', () => {
  it('goes up line by line while it is written, and is told once', () => {
    const first = heard([begun, delta('One\nTwo'), delta(' and')])
    expect(first.texts).toEqual(['One'])
    expect(currentLine(first.view.answering)).toBe('Two and')
    const second = heard(
      [delta(' more'), message('One\nTwo and more'), ended('answer')],
      first.view,
    )
    expect(second.texts).toEqual(['Two and more'])
    expect(second.view.turn).toBeUndefined()
  })

  it.each(['word ', 'endless', '漢字'])(
    'of a line without an end goes up in pieces: %s',
    (piece) => {
      const { view, texts } = heard([begun, ...Array.from({ length: 2_000 }, () => delta(piece))])
      const line = currentLine(view.answering)
      expect(line.length).toBeLessThanOrEqual(2_000)
      expect(texts.every((text) => text.length <= 2_010)).toBe(true)
      expect([...texts, line].join('')).toBe(piece.repeat(2_000))
      expect(heard([message(piece.repeat(2_000).trim())], view).texts).toHaveLength(1)
    },
  )

  it('keeps the fence in which each line stands', () => {
    const { blocks } = heard([delta('```ts\nconst a = 1\n```\nend\n')])
    expect(blocks.filter(({ kind }) => kind === 'line')).toEqual([
      { kind: 'line', text: '```ts', fence: '' },
      { kind: 'line', text: 'const a = 1', fence: '```' },
      { kind: 'line', text: '```', fence: '```' },
      { kind: 'line', text: 'end', fence: '' },
    ])
  })

  it('shows no thought or call that is written as text before it is whole', () => {
    const json = heard([delta('{"thought": "hm'), delta('"}\nSo: yes')])
    expect(json.texts).toEqual([])
    expect(heard([message('So: yes')], json.view).texts).toEqual(['So: yes'])
  })

  it('says that it begins anew where it broke off', () => {
    const retry: CodeEvent = {
      type: 'tool.progress',
      key: 'code/turn[1]/agent/1',
      data: { text: 'It broke off. Trying again in 1 s.' },
    }
    const broken = heard([delta('One\nTw'), retry])
    expect(broken.view.waiting).toContain('Trying again')
    const again = heard([delta('One\nTwo'), message('One\nTwo')], broken.view)
    expect(again.texts).toEqual(['The answer broke off there. It starts again:', 'One', 'Two'])
    expect(again.view.waiting).toBe('')
  })

  it('keeps what was written of one that was stopped', () => {
    const { texts, view } = heard([begun, delta('One\nTwo'), ended('cancelled', 'One\nTwo')])
    expect(texts).toEqual(['One', 'Two', 'Stopped. What was done so far stays.'])
    expect(currentLine(view.answering)).toBe('')
  })

  it('is shown where code wrote it at a limit', () => {
    expect(heard([begun, ended('max_steps', 'Files: a.ts')]).texts).toEqual(['Files: a.ts'])
    const failure = { code: 'limit_reached', retryable: false, message: 'm', hint: 'Go on: …' }
    const limited = { ...ended('max_steps', 'Files: a.ts'), outcome: 'limit', failure } as CodeEvent
    expect(heard([begun, limited]).texts).toEqual(['Files: a.ts', 'Go on: …'])
  })
})

describe('a tool call', () => {
  const started = (toolName: string, input: object): CodeEvent =>
    ({ type: 'tool.started', callId: 'c', toolName, input }) as CodeEvent
  const done = (toolName: string, output: unknown, isError = false): CodeEvent =>
    ({ type: 'tool.done', callId: 'c', toolName, output, isError }) as CodeEvent
  const tool = (blocks: readonly Block[]) => blocks.find(({ kind }) => kind === 'tool')

  it('is a line that says what came of it', () => {
    const first = heard([started('grep', { pattern: 'sum', path: 'src' })])
    expect(first.view.tools[0]?.title).toBe('grep sum in src')
    const { blocks, view } = heard([done('grep', { files: [], matchCount: 1 })], first.view)
    expect(tool(blocks)).toEqual({
      kind: 'tool',
      sign: 'done',
      title: 'grep sum in src',
      note: '1 match',
    })
    expect(view.tools).toEqual([])
  })

  it('shows what a command prints while it runs, and not after it', () => {
    const printed = (output: string): CodeEvent => ({
      type: 'tool.progress',
      key: 'code/turn[1]/agent/1/tools/1-bash/call',
      data: { output },
    })
    const { view, blocks } = heard([begun, printed('one'), printed('one\ntwo')])
    expect([view.printed, view.waiting, blocks]).toEqual(['one\ntwo', '', []])
    expect(heard([ended('cancelled')], view).view.printed).toBe('')
  })

  it('shows what a command printed, more of it where it failed', () => {
    const output = { command: 'x', exitCode: 1, output: 'oh', durationMs: 1_240 }
    const { blocks } = heard([started('bash', { command: 'npm test' }), done('bash', output)])
    expect(tool(blocks)).toMatchObject({ sign: 'failed', note: 'exit code 1, 1.2 s' })
    expect(blocks.at(-1)).toEqual({ kind: 'output', text: 'oh', most: 16 })
  })

  it('shows a change that nobody was asked about', () => {
    const edit = { path: 'a.ts', old: 'one', new: 'two' }
    expect(heard([started('edit', edit), done('edit', {})]).texts).toContain('-one\n+two')
    const request = { callId: 'c' } as Extract<CodeEvent, { type: 'permission' }>['request']
    const asked = heard([started('edit', edit), { type: 'permission', request }, done('edit', {})])
    expect(asked.texts).toEqual([])
  })

  it('that was refused, cut off or stopped says so', () => {
    const refused = { error: 'edit was not called: the person said no. They say: leave it' }
    expect(tool(heard([done('edit', refused, true)]).blocks)).toMatchObject({
      sign: 'refused',
      note: 'not done',
    })
    const unknown = { code: 'outcome_unknown', error: 'It is unknown whether "x" happened.' }
    expect(tool(heard([done('bash', unknown, true)]).blocks)).toMatchObject({
      sign: 'failed',
      note: 'it was cut off while running; the outcome is unknown',
    })
    const stopped = heard([begun, started('bash', { command: 'sleep 9' }), ended('cancelled')])
    expect(tool(stopped.blocks)).toMatchObject({ sign: 'stopped', title: 'bash sleep 9' })
  })
})

describe('other events', () => {
  it('show thoughts only where they are wanted', () => {
    const events = [delta('I see', 'reasoning'), { type: 'thought', text: 'I see' } as const]
    expect(heard(events).texts).toEqual([])
    expect(heard(events, { ...firstView, showsThoughts: true }).texts).toEqual(['I see'])
    expect(heard(events.slice(0, 1)).view.thinking).toBe('I see')
  })

  it('call settings as their commands do', () => {
    const kind = 'settings' as const
    const { texts } = heard([
      { type: 'turn.started', turn: 1, kind },
      { type: 'turn.done', turn: 1, outcome: 'done', answer: 'isYolo: true; maxSteps: 5' },
    ])
    expect(texts).toEqual(['yolo: on; iterations: 5'])
  })

  it('tell why a turn failed and what to do', () => {
    const failure = {
      code: 'model_failed',
      message: 'No.',
      hint: 'Try again.',
      retryable: false,
    } as const
    const done: CodeEvent = { type: 'turn.done', turn: 1, outcome: 'failed', answer: '', failure }
    expect(heard([begun, done]).texts).toEqual(['No.', 'Try again.'])
  })
})
