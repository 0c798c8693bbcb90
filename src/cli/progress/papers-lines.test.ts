import { describe, expect, it } from 'vitest'
import type { LiveEvent } from '../../kernel/run/event.ts'
import { describePapersEvent } from '../displays/papers-display.ts'
import { createPaint } from '../render/paint.ts'
import { emptyPapersView, reducePapers } from '../render/papers-view.ts'
import { emptyView } from '../render/run-view.ts'
import { countColumns } from '../render/text.ts'
import type { LiveFrame } from './live-lines.ts'
import { papersLines } from './papers-lines.ts'

const key = 'papers/reader[1]/paper[1]'
const progress = (data: object): LiveEvent =>
  ({ transient: true, key, type: 'progress', data }) as unknown as LiveEvent
const paper = (paperId: string, status: string, more: object = {}) =>
  progress({ paper: { paperId, title: `Paper ${paperId}`, status, ...more } })
const search = (place: string, status: string, found = 0) =>
  progress({ search: { place, status, found } })

const frame: LiveFrame = {
  columns: 80,
  rows: 24,
  elapsedMs: 1_200,
  isOver: false,
  paint: createPaint(false),
}

function drawn(events: readonly LiveEvent[], more: Partial<LiveFrame> = {}): readonly string[] {
  const view = events.reduce(reducePapers, emptyPapersView)
  return papersLines(view, emptyView, { ...frame, ...more })
}

describe('the drawing of a run of papers', () => {
  const events = [
    search('arXiv', 'searching'),
    search('arXiv', 'failed'),
    search('library', 'used', 4),
    paper('a', 'found'),
    paper('b', 'found'),
    paper('c', 'found'),
    paper('d', 'found'),
    paper('a', 'downloading', { share: 0 }),
    paper('a', 'downloading', { share: 0.404 }),
    paper('b', 'reading'),
    paper('c', 'analysed', { confidence: 0.9 }),
    paper('d', 'dropped', { confidence: 0.3, reason: 'Its confidence is too low.' }),
  ]

  it('says of each paper where it is', () => {
    expect(drawn(events)).toEqual([
      '✓ Search: 4 papers  arXiv: failed, library: 4',
      ' ⠹ Paper a  downloading 40 %',
      ' ⠹ Paper b  reading',
      ' ✓ Paper c  confidence 0.90',
      ' – Paper d  dropped: Its confidence is too low.',
      '· Synthesis',
      '1.2 s · 0 model calls · $0.0000',
    ])
  })

  it('keeps to the width and the height of the terminal, what is worked on last to go', () => {
    const lines = drawn(events, { columns: 30, rows: 6 })
    expect(lines).toHaveLength(6)
    for (const line of lines) expect(countColumns(line)).toBeLessThanOrEqual(30)
    expect(lines.join('\n')).toMatch(/Paper a.*Paper b.*… 2 more papers/s)
  })

  it('shows after a resume what the ends of nodes say', () => {
    const done = (node: string, output: object): LiveEvent =>
      ({ type: 'node.done', key: `papers/${node}[1]`, data: {}, output }) as unknown as LiveEvent
    const before = [
      done('retriever', { papers: [{ id: 'a', title: 'Paper a' }] }),
      done('analyzer', { analyses: [{ paperId: 'a', confidence: 0.8 }] }),
      done('filter', { kept: ['a'], dropped: [] }),
    ]
    expect(drawn(before)[1]).toBe(' ✓ Paper a  confidence 0.80')
  })
})

describe('progress of papers as lines', () => {
  it.each([
    [search('arXiv', 'searching'), 'Searching arXiv.'],
    [search('arXiv', 'used', 1), 'arXiv: 1 paper.'],
    [search('arXiv', 'empty'), 'arXiv: nothing.'],
    [paper('a', 'downloading', { share: 0 }), 'Downloading “Paper a”.'],
    [paper('a', 'downloading', { share: 0.5 }), undefined],
    [paper('a', 'analysed', { confidence: 0.9 }), 'Analysed “Paper a”, confidence 0.90.'],
    [
      paper('a', 'unreadable', { reason: 'It is no PDF.' }),
      '“Paper a” cannot be read: It is no PDF.',
    ],
    [paper('a', 'dropped', { confidence: 0, reason: 'The service failed.' }), undefined],
    [
      paper('a', 'dropped', { confidence: 0, reason: 'It was not analysed.' }),
      'Dropped “Paper a”: It was not analysed.',
    ],
  ])('%j: %s', (event, line) => {
    expect(describePapersEvent(event)).toBe(line)
  })
})
