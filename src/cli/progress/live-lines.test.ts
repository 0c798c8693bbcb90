import { describe, expect, it } from 'vitest'
import { createPaint } from '../render/paint.ts'
import { emptyView, type RunView, type Work } from '../render/run-view.ts'
import { countColumns } from '../render/text.ts'
import { isReflowing, LiveBlock } from './live-block.ts'
import { type LiveFrame, liveLines } from './live-lines.ts'

const work = (text: string, change: Partial<Work> = {}): Work => ({
  ...emptyView.plan,
  text,
  ...change,
})
const done = { state: 'done', isApproved: true, isJudged: true } as const
const frame = (change: Partial<LiveFrame> = {}): LiveFrame => ({
  columns: 80,
  rows: 24,
  elapsedMs: 1234,
  isOver: false,
  paint: createPaint(false),
  ...change,
})

const view: RunView = {
  ...emptyView,
  runId: '20261120-4kz9qd',
  part: 'research',
  plan: work('', done),
  research: [
    work('What is CRISPR?', { ...done, searches: 2 }),
    work('Who invented CRISPR, and who was given the prize for it?', {
      state: 'doing',
      rejections: 1,
      feedback: 'cites nothing',
    }),
    work('Как работает 遺伝子編集 👩‍🔬?'),
  ],
  activity: 'searched "CRISPR": 8 passages',
  modelCalls: 12,
  toolCalls: 1,
  costUsd: 0.00125,
}

describe('liveLines', () => {
  it('shows plan, steps with their verdicts, what happens now, and what was used', () => {
    expect(liveLines(view, frame({ columns: 110 }))).toEqual([
      '✓ Plan: 3 research steps  approved',
      ' ✓ 1. What is CRISPR?  2 searches, approved',
      ' ⠹ 2. Who invented CRISPR, and who was given the prize fo…  searched "CRISPR": 8 passages, rejected 1×: cites…',
      ' · 3. Как работает 遺伝子編集 👩‍🔬?',
      '· Answer',
      '· Claim check',
      '1.2 s · 12 model calls · 1 tool call · $0.0013 · 20261120-4kz9qd',
    ])
  })

  it('draws no line wider than the terminal, and no more lines than it has', () => {
    const many = {
      ...view,
      research: [...view.research, ...Array.from({ length: 17 }, (_, n) => work(`Step ${n}`))],
    }
    for (let columns = 1; columns <= 120; columns++) {
      for (const rows of [1, 2, 5, 9, 24]) {
        const lines = liveLines(many, frame({ columns, rows }))
        expect(lines.length).toBeLessThanOrEqual(rows)
        for (const line of lines) expect(countColumns(line)).toBeLessThanOrEqual(columns)
      }
    }
  })

  it('keeps the current step in sight where there is no room for all', () => {
    const research = Array.from({ length: 12 }, (_, n) => work(`Step ${n + 1}`, n < 8 ? done : {}))
    const lines = liveLines({ ...view, research }, frame({ rows: 8 }))
    expect(lines.join('\n')).toContain('9. Step 9')
    expect(lines.join('\n')).toContain('… 9 more steps')
  })

  it('says when the cost is unknown, and stops turning when the run is over', () => {
    const lines = liveLines({ ...view, costUsd: null }, frame({ isOver: true }))
    expect(lines.at(-1)).toContain('cost unknown')
    expect(lines[2]).toMatch(/^ – 2\./)
  })

  it('says at the current step what is being waited for', () => {
    const lines = liveLines(view, frame({ columns: 110, waiting: 'waiting for ollama:m, 12 s' }))
    expect(lines.filter((line) => line.includes('waiting for ollama:m, 12 s'))).toEqual([lines[2]])
  })

  it('has no control characters of what it shows', () => {
    const steps = [work('\u001b[2J\u0007evil\nnext', { state: 'doing' })]
    const lines = liveLines({ ...view, research: steps, activity: '\u001b]0;x\u0007read' }, frame())
    expect(lines[1]).toBe(' ⠹ 1. evil next  read')
  })
})

describe('LiveBlock', () => {
  const screen = {
    columns: 40,
    rows: 10,
    written: [] as string[],
    write: (text: string) => void screen.written.push(text),
  }
  const drawTwice = (reflows: boolean, columnsAfter: number) => {
    Object.assign(screen, { columns: 40, written: [] })
    const block = new LiveBlock(screen, { reflows })
    block.draw(['a'.repeat(30), 'b'])
    screen.columns = columnsAfter
    block.draw(['c'])
    return screen.written
  }

  it('draws over its own lines and no more', () => {
    expect(drawTwice(true, 40)).toEqual([
      `${'a'.repeat(30)}\u001b[K\nb\u001b[K\n`,
      '\u001b[2A\rc\u001b[K\n\u001b[K\n\u001b[1A\r',
    ])
  })

  it('counts lines that a narrower terminal has broken, only where terminals do so', () => {
    expect(drawTwice(true, 20)[1]).toContain('\u001b[3A\r')
    expect(drawTwice(false, 20)[1]).toContain('\u001b[2A\r')
    expect(isReflowing({ TERM: 'xterm' })).toBe(false)
    expect(isReflowing({ TERM: 'tmux-256color', TERM_PROGRAM: 'tmux' })).toBe(true)
  })

  it('puts text above itself, and leaves what it drew when released', () => {
    Object.assign(screen, { columns: 40, written: [] })
    const block = new LiveBlock(screen, { reflows: true })
    block.draw(['a'])
    block.insert('Note: x')
    block.release()
    block.draw(['b'])
    expect(screen.written).toEqual([
      'a\u001b[K\n',
      '\u001b[1A\rNote: x\u001b[K\na\u001b[K\n',
      'b\u001b[K\n',
    ])
  })
})
