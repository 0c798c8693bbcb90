import { describe, expect, it } from 'vitest'
import { noUsage, type Span } from '../../observe/span.ts'
import { createPaint } from './paint.ts'
import { countColumns } from './text.ts'
import { agentShares, buildTrees, toRows } from './trace-tree.ts'
import { drawWaterfall } from './trace-waterfall.ts'

function span(spanId: string, parentId: string | null, changes: Partial<Span> = {}): Span {
  return {
    traceId: 't',
    spanId,
    parentId,
    runId: 'run',
    key: spanId,
    name: spanId,
    kind: 'node',
    execution: 1,
    startMs: 0,
    endMs: 100,
    status: 'ok',
    attributes: {},
    usage: noUsage,
    ...changes,
  }
}

const called = { ...noUsage, modelCalls: 1, inputTokens: 1_200, outputTokens: 34, costUsd: 0.0125 }

/** A node with an agent, whose second call failed, and one that only routes. */
const spans: readonly Span[] = [
  span('call', 'agent', { kind: 'model', endMs: 40, usage: called, attributes: { model: 'a:b' } }),
  span('again', 'agent', {
    kind: 'model',
    startMs: 40,
    status: 'failed',
    failure: { code: 'model_failed', message: 'No such \u001b[31mmodel.' },
    attributes: { model: '日本:日本語', requests: 3 },
    agent: 'writer',
  }),
  span('agent', 'write', { kind: 'agent', name: 'writer', agent: 'writer', usage: called }),
  span('write', 'root', {
    usage: called,
    status: 'failed',
    failure: { code: 'error', message: 'write: No such \u001b[31mmodel.' },
  }),
  span('route', 'root', { startMs: 100, endMs: 100 }),
  span('root', null, { kind: 'workflow', usage: called }),
]

const [tree] = buildTrees(spans) as [ReturnType<typeof buildTrees>[number]]
const rows = (options: { depth?: number; hasAll?: boolean } = {}) =>
  toRows(tree, { depth: Infinity, hasAll: false, totalMs: 100, ...options })
const draw = (columns: number, isColored = false) =>
  drawWaterfall(rows(), {
    columns,
    paint: createPaint(isColored),
    offsetMs: ({ startMs }) => startMs,
    totalMs: 100,
  })

describe('the waterfall', () => {
  it('draws each call where it was at work, with what it used', () => {
    expect(draw(70)).toEqual([
      '✗ write                        ━━━━━━━━━━━  100 ms  1,234 tok  $0.0125',
      '  call b                       ████          40 ms  1,234 tok  $0.0125',
      '  ✗ again 日本語 (3 requests)      ███████   60 ms',
      '    model_failed: No such model.',
    ])
  })

  it.each([20, 30, 48, 63, 64, 80, 120, 200])('keeps within %d columns', (columns) => {
    for (const line of draw(columns)) expect(countColumns(line)).toBeLessThanOrEqual(columns)
    expect(draw(columns).join('\n')).not.toContain('\u001b')
  })

  it('has colours where they are wanted: red for what failed', () => {
    expect(draw(80, true)[2]).toContain('\u001b[31m')
  })

  it('leaves out agents, and nodes that called nothing and took no time', () => {
    const names = (options = {}) => rows(options).map(({ span: { name }, depth }) => [name, depth])
    expect(names()).toEqual([
      ['write', 0],
      ['call', 1],
      ['again', 1],
    ])
    expect(names({ depth: 1 })).toEqual([['write', 0]])
    expect(names({ hasAll: true })).toEqual([
      ['write', 0],
      ['writer', 1],
      ['call', 2],
      ['again', 2],
      ['route', 0],
    ])
  })

  it('says how many of very many siblings are not shown', () => {
    const many = Array.from({ length: 450 }, (_, index) =>
      span(`s${index}`, 'root', { kind: 'model' }),
    )
    const [all] = buildTrees([...many, span('root', null)]) as [typeof tree]
    const shown = toRows(all, { depth: Infinity, hasAll: false, totalMs: 100 })
    expect(shown).toHaveLength(200)
    expect(shown.at(-1)?.hidden).toBe(250)
  })

  it('adds up what each agent took', () => {
    expect(agentShares(spans)).toEqual([
      { agent: 'writer', times: 1, durationMs: 100, usage: called },
    ])
  })
})

describe('what failed', () => {
  const failed = { status: 'failed', failure: { code: 'x', message: 'No.' }, endMs: 0 } as const
  const shownOf = (...given: readonly Span[]) => {
    const [tree] = buildTrees([span('root', null, { kind: 'workflow' }), ...given])
    const options = { depth: Infinity, hasAll: false, totalMs: 100 }
    return toRows(tree as NonNullable<typeof tree>, options).map((row) => row.span.spanId)
  }

  it('is never left out, however short it and what is around it was', () => {
    const quick = { endMs: 0 }
    expect(
      shownOf(span('node', 'root', quick), span('step', 'node', { kind: 'step', ...quick })),
    ).toEqual([])
    expect(
      shownOf(span('node', 'root', quick), span('step', 'node', { kind: 'step', ...failed })),
    ).toEqual(['node', 'step'])
    expect(shownOf(span('node', 'root', quick), span('inner', 'node', failed))).toEqual([
      'node',
      'inner',
    ])
    expect(
      shownOf(span('node', 'root'), span('agent', 'node', { kind: 'agent', ...failed })),
    ).toEqual(['node', 'agent'])
  })

  it('is shown among very many', () => {
    const many = Array.from({ length: 500 }, (_, index) =>
      span(`n${index}`, 'root', index === 400 ? failed : {}),
    )
    expect(shownOf(...many)).toHaveLength(201)
    expect(shownOf(...many).at(-1)).toBe('n400')
  })
})
