import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPaint } from '../render/paint.ts'
import { noAnswer } from './answer-stream.ts'
import { type Block, blockRows, isFolded } from './blocks.ts'
import { type Editor, emptyEditor } from './editor-state.ts'
import { paintedColumns } from './paint-lines.ts'
import { newPanel, openPanel } from './permission-panel.ts'
import { type FrameParts, inputColumns, sessionFrame } from './session-frame.ts'
import { firstView } from './session-view.ts'
import { startBlocks } from './start-screen.ts'

const plain = createPaint(false)
const colored = createPaint(true)
const rowsAt = (block: Block, columns: number) => blockRows(block, { columns, paint: plain })
const markdown = (text: string, columns: number, fence = '') =>
  rowsAt({ kind: 'line', text, fence }, columns)

const sentence =
  'A sentence of **some** length, with `code` in it and a [link](https://example.org/a), that has to be broken.'

describe('blocks', () => {
  it('draw Markdown plainly, wrapped between words', () => {
    expect(markdown(sentence, 60)).toEqual([
      'A sentence of some length, with code in it and a link',
      '(https://example.org/a), that has to be broken.',
    ])
    expect(markdown(sentence, 200)).toHaveLength(1)
    expect(markdown('## A heading ##', 60)).toEqual(['A heading'])
    expect(markdown('1. one two three four five', 16)).toEqual(['1. one two three', '   four five'])
    expect(markdown('  - [x] done', 60)).toEqual(['  • ☑ done'])
    expect(markdown('> quoted', 60)).toEqual(['│ quoted'])
    expect(markdown('```ts', 60)).toEqual(['    ts'])
    expect(markdown('  const **a** = 1', 60, '```')).toEqual(['      const **a** = 1'])
    expect(markdown('a_b_c and 2 * 3 * 4', 60)).toEqual(['a_b_c and 2 * 3 * 4'])
  })

  it('colour a diff and fold a long one, which can be seen whole', () => {
    const changed = Array.from({ length: 60 }, (_, index) => `+line ${index}`).join('\n')
    const diff = `--- a/x\n+++ b/x\n@@ -1 +1,60 @@\n-old\n${changed}\n`
    const block: Block = { kind: 'diff', text: diff }
    const rows = blockRows(block, { columns: 60, paint: colored })
    expect(rows).toHaveLength(20)
    expect(rows.slice(0, 3)).toEqual([
      `    ${colored.cyan('@@ -1 +1,60 @@')}`,
      `    ${colored.red('-old')}`,
      `    ${colored.green('+line 0')}`,
    ])
    expect(rowsAt(block, 60).at(-1)).toBe('    … 43 more rows (ctrl+o shows all)')
    expect(isFolded(block, { columns: 60, paint: plain })).toBe(true)
    expect(blockRows(block, { columns: 60, paint: plain, isWhole: true })).toHaveLength(62)
  })

  it('show the end of what a program printed', () => {
    const text = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`).join('\n')
    const rows = rowsAt({ kind: 'output', text, most: 4 }, 60)
    expect(rows).toEqual([
      '    … 17 rows before (ctrl+o shows all)',
      '    line 18',
      '    line 19',
      '    line 20',
    ])
  })

  it('let no text steer the terminal', () => {
    const hostile = 'a\u001b[2J\u001b]0;title\u0007b\u009b31mc\rd\u202ee\u0008'
    const kinds = ['person', 'thought', 'command', 'diff', 'told'] as const
    const blocks: Block[] = [
      ...kinds.map((kind): Block => ({ kind, text: hostile })),
      { kind: 'line', text: hostile, fence: '' },
      { kind: 'line', text: hostile, fence: '```' },
      { kind: 'output', text: hostile, most: 9 },
      { kind: 'notice', level: 'info', text: hostile },
      { kind: 'tool', sign: 'done', title: hostile, note: hostile },
      ...startBlocks({ version: '1', folder: hostile, model: hostile }, 60),
    ]
    for (const block of blocks) {
      for (const row of rowsAt(block, 60)) {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
        expect(row).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/)
      }
    }
  })
})

const anyText = fc.string({ unit: 'grapheme', maxLength: 80 })
const lines = fc
  .array(
    fc.oneof(anyText, fc.constantFrom(sentence, '漢字'.repeat(40), '\t\tx', '- a', '| a | b |')),
    { maxLength: 6 },
  )
  .map((all) => all.join('\n'))
const anyBlock: fc.Arbitrary<Block> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('person', 'thought', 'command', 'diff', 'told'),
    text: lines,
  }) as fc.Arbitrary<Block>,
  fc.record({
    kind: fc.constant('line' as const),
    text: anyText,
    fence: fc.constantFrom('', '```'),
  }),
  fc.record({ kind: fc.constant('output' as const), text: lines, most: fc.constantFrom(3, 8) }),
  fc.record({
    kind: fc.constant('notice' as const),
    level: fc.constant('info' as const),
    text: lines,
  }),
  fc.record({
    kind: fc.constant('tool' as const),
    sign: fc.constant('done' as const),
    title: lines,
    note: lines,
  }),
)

const request = {
  kind: 'permission',
  callId: '1',
  toolName: 'bash',
  preview: { title: 'run', command: 'npm test', paths: [], changes: [] },
  reason: 'No rule allows "npm test".',
  always: ['bash:npm test'],
} as const

function partsOf(given: Partial<FrameParts>): FrameParts {
  return {
    view: firstView,
    editor: emptyEditor,
    panel: undefined,
    queue: [],
    facts: ['openai:gpt-4o', '12k of 128k tokens (9 %)', '$0.0100', '/help'],
    hint: '',
    elapsedMs: 1_500,
    columns: 60,
    rows: 20,
    paint: plain,
    ...given,
  }
}

function editorWith(text: string): Editor {
  const items = [{ text: `/${text.slice(0, 9)}`, note: text }]
  const menu = { from: 0, items, takesEnter: false, selected: 0, isChosen: false }
  return { ...emptyEditor, text, cursor: text.length, menu }
}

describe('any text', () => {
  it('is drawn in rows no wider than the screen', () => {
    fc.assert(
      fc.property(
        anyBlock,
        fc.constantFrom(20, 60, 200),
        fc.boolean(),
        (block, columns, isWhole) => {
          for (const paint of [plain, colored]) {
            const rows = blockRows(block, { columns, paint, isWhole })
            expect(Math.max(0, ...rows.map(paintedColumns))).toBeLessThanOrEqual(columns)
          }
        },
      ),
      { numRuns: 400 },
    )
  })

  it('stands at the end of the screen in its columns and rows, with the cursor in it', () => {
    fc.assert(
      fc.property(
        lines,
        fc.constantFrom(20, 60, 200),
        fc.integer({ min: 3, max: 30 }),
        (text, columns, rows) => {
          const answering = { ...noAnswer, text, head: text.slice(0, 40), rest: text }
          const tool = { callId: '1', name: 'bash', title: text, input: {}, isShown: false }
          const working = {
            ...firstView,
            turn: 'prompt',
            answering,
            tools: [tool, tool],
            waiting: text,
            printed: text,
          }
          const thinking = { ...working, showsThoughts: true, thinking: text }
          for (const given of [
            { view: working, queue: [text], editor: editorWith(text) },
            { view: thinking, hint: text },
            {
              view: thinking,
              panel: openPanel(newPanel(request), 0, 0),
              editor: { ...emptyEditor, text },
            },
            {
              editor: {
                ...emptyEditor,
                search: { query: text, found: undefined, before: emptyEditor },
              },
            },
          ]) {
            const { lines: drawn, cursor } = sessionFrame(partsOf({ ...given, columns, rows }))
            expect(Math.max(...drawn.map(paintedColumns))).toBeLessThanOrEqual(columns)
            expect(drawn.length).toBeLessThanOrEqual(rows)
            expect(drawn[cursor.row]).toBeDefined()
            expect(cursor.column).toBeLessThanOrEqual(columns)
          }
        },
      ),
    )
  })
})

describe('the end of the screen', () => {
  it('says how the session stands, and what can be answered', () => {
    const { lines: idle, cursor } = sessionFrame(partsOf({}))
    expect(idle).toEqual(['', '> ', '  openai:gpt-4o · 12k of 128k tokens (9 %) · $0.0100 · /help'])
    expect(cursor).toEqual({ row: 1, column: 2 })
    const panel = openPanel(newPanel(request), 0, Number.NEGATIVE_INFINITY)
    expect(sessionFrame(partsOf({ panel, columns: 200 })).lines.slice(0, 2)).toEqual([
      'No rule allows "npm test".',
      'y yes · a always (bash:npm test) · n no, and why · esc stops the turn',
    ])
    const once = { ...panel, request: { ...request, always: [] } }
    expect(sessionFrame(partsOf({ panel: once })).lines[1]).not.toContain('always')
  })

  it('shows the last lines of the command that runs, a row each', () => {
    const tool = { callId: '1', name: 'bash', title: 'bash npm test', input: {}, isShown: true }
    const printed = Array.from({ length: 9 }, (_, index) => `line ${index} ${'x'.repeat(99)}`)
    const view = {
      ...firstView,
      turn: 'prompt',
      tools: [tool, { ...tool, title: 'read a' }],
      printed: printed.join('\n'),
    }
    const { lines: drawn } = sessionFrame(partsOf({ view, columns: 30 }))
    expect(drawn.slice(0, 8)).toEqual([
      expect.stringMatching(/ bash npm test$/),
      ...[4, 5, 6, 7, 8].map((number) => `    line ${number} ${'x'.repeat(18)}…`),
      expect.stringMatching(/ read a$/),
      expect.stringContaining('Running, '),
    ])
  })

  it('shows as much of a long text as there is room for, around the cursor', () => {
    const text = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`).join('\n')
    const editor = { ...emptyEditor, text, cursor: text.length }
    const { lines: drawn, cursor } = sessionFrame(partsOf({ editor, rows: 10 }))
    expect(drawn).toHaveLength(7)
    expect(drawn[cursor.row]).toBe('  line 30')
    expect(inputColumns(60)).toBe(58)
  })
})
