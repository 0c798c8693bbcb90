import { describe, expect, it } from 'vitest'
import type { SourceId } from '../../citations/source.ts'
import type { Answer } from '../arguments/app-settings.ts'
import { differencesBetween } from '../commands/runs/replay.ts'
import { createPaint } from './paint.ts'
import { type AnswerStyle, renderAnswer } from './render-answer.ts'
import { countColumns } from './text.ts'

const sourceId = 'a'.repeat(64) as SourceId
const evidence = (n: number, place: number | string) =>
  ({
    n,
    passageId: `${'a'.repeat(16)}:0-5`,
    quote: 'q',
    start: 0,
    end: 5,
    ...(typeof place === 'number' ? { page: place } : { section: place }),
  }) as Answer['claims'][number]['evidence'][number]
const claim = (change: Partial<Answer['claims'][number]>): Answer['claims'][number] => ({
  text: 'Water boils at 90 °C [1].',
  citations: [1],
  verdict: 'verbatim',
  evidence: [],
  judge: 'code',
  reason: 'It stands there.',
  ...change,
})
const nothing = {
  ...{
    claims: 0,
    checked: 0,
    uncited: 0,
    numbersNotFound: 0,
    verbatim: 0,
    supported: 0,
    altered: 0,
  },
  ...{ partial: 0, contradicted: 0, notFound: 0, unavailable: 0, unchecked: 0 },
}

const answered: Answer = {
  schema: 'scholium.answer/1',
  runId: '20261120-4kz9qd',
  workflow: 'ask',
  status: 'answered',
  stopReason: 'answered',
  question: 'At what temperature?',
  answer: 'Water boils at 100 °C [1].',
  reasoning: '',
  citations: [
    {
      n: 1,
      sourceId,
      title: 'Water',
      path: '/data/here/water.pdf',
      csl: { id: 'w', type: 'document' },
    },
    {
      n: 2,
      sourceId,
      title: 'Heat',
      path: '/data/else/heat.md',
      csl: { id: 'h', type: 'document' },
    },
  ],
  claims: [claim({ evidence: [evidence(1, 5), evidence(1, 3)] })],
  coverage: { ...nothing, claims: 1, checked: 1, uncited: 0, numbersNotFound: 0, verbatim: 1 },
  plan: { researchSteps: [], expertSteps: [] },
  retries: { planner: 0, researcher: 0, expert: 0 },
  gaps: [],
  usage: { inputTokens: 0, outputTokens: 0, embeddingTokens: 0, modelCalls: 12, toolCalls: 3 },
  costUsd: 0,
  timings: { wallMs: 321, modelMs: 5 },
  models: { planner: 'openai-compatible:m' },
  error: null,
}

const render = (change: Partial<Answer> = {}, style: Partial<AnswerStyle> = {}) =>
  renderAnswer(
    { ...answered, ...change },
    {
      columns: undefined,
      paint: createPaint(false),
      folder: '/data/here',
      asTyped: (text) => text,
      ...style,
    },
  )

describe('renderAnswer', () => {
  it('gives the answer, its sources with pages, its coverage, and what it took', () => {
    expect(render()).toBe(
      [
        'Water boils at 100 °C [1].',
        '',
        'Sources',
        '[1] Water — water.pdf, pp. 3, 5',
        '[2] Heat — /data/else/heat.md',
        '',
        'Claims: 1 · checked 1 · supported 1 (1 verbatim)',
        '',
        'Run 20261120-4kz9qd · 0.3 s · 12 model calls · $0.0000',
        '',
      ].join('\n'),
    )
  })

  it('shows signs that were escaped for Markdown as they were written in a terminal, and nowhere else', () => {
    const answer = 'Look\\![1] `<i>` is no &lt;b>.\n\n```\n&lt;b>\n```'
    expect(render({ answer }, { columns: 80 })).toMatch(
      /^Look!\[1\] `<i>` is no <b>\.\n\n```\n&lt;b>\n```\n/,
    )
    expect(render({ answer }).startsWith(answer)).toBe(true)
  })

  it('says in which sheet of a workbook the evidence stands, within the width of the terminal', () => {
    const [source] = answered.citations
    if (source === undefined) throw new Error('no source')
    const citations = [{ ...source, title: 'Budget', path: '/data/here/budget.xlsx' }]
    const claims = [claim({ evidence: [evidence(1, 'Year\u001b[31m 2024')] })]
    expect(render({ citations, claims })).toContain(
      'Sources\n[1] Budget — budget.xlsx, sheet “Year 2024”\n\n',
    )
    const many = ['A first sheet with a long name', 'A second sheet with a long name', 'C', 'D']
    const text = render(
      { citations, claims: [claim({ evidence: many.map((name) => evidence(1, name)) })] },
      { columns: 80 },
    )
    expect(text).toContain('and 2 more\n')
    for (const line of text.split('\n')) expect(countColumns(line)).toBeLessThanOrEqual(80)
  })

  it('lists every claim that is not supported, with the reason', () => {
    const claims = [
      claim({}),
      claim({ verdict: 'altered', reason: '90 is not 100.' }),
      claim({ verdict: 'not_found', text: 'Ice floats [2].', reason: 'No place has it.' }),
      claim({ verdict: 'unchecked', text: 'It is 9.', citations: [], reason: 'Calculated.' }),
    ]
    const coverage = {
      ...nothing,
      claims: 4,
      checked: 3,
      uncited: 0,
      numbersNotFound: 0,
      verbatim: 1,
      altered: 1,
      notFound: 1,
      unchecked: 1,
    }
    expect(render({ claims, coverage })).toContain(
      [
        'Claims: 4 · checked 3 · supported 1 (1 verbatim) · altered 1 · not found 1 · not checked 1 (calculated)',
        '  altered: “Water boils at 90 °C [1].” 90 is not 100.',
        '  not found: “Ice floats [2].” No place has it.',
        '  unchecked: “It is 9.” Calculated.',
        'Claims were checked by code only. To have a language model judge the rest, add --model verifier=NAME',
      ].join('\n'),
    )
  })

  it('says what to do when the sources do not say', () => {
    const text = render({
      status: 'unanswered',
      stopReason: 'no_evidence',
      answer: 'The sources do not say.',
      citations: [],
      claims: [],
      coverage: nothing,
      gaps: [
        { kind: 'no_evidence', detail: 'Who won?' },
        { kind: 'unreadable_source', detail: 'It is encrypted.', source: '/data/here/x.pdf' },
      ],
    })
    expect(text).toContain(
      'Missing\n- No answer was found for: Who won?\n- x.pdf: It is encrypted.',
    )
    expect(text).toContain('scholium library add PATH')
    expect(text).not.toContain('Claims')
  })

  it('gives the hint of what failed, and an unknown price is said to be unknown', () => {
    const text = render(
      {
        status: 'failed',
        stopReason: 'error',
        answer: 'planner failed: no address',
        costUsd: null,
      },
      { failure: { code: 'model_unavailable', message: '', retryable: true, hint: 'Start it.' } },
    )
    expect(text).toContain('\n\nStart it. Then resume with: scholium resume 20261120-4kz9qd\n\n')
    expect(text).toContain('cost unknown')
    expect(text).not.toContain('$')
  })

  it('says what failed next to an answer that stands, and what to do', () => {
    const gaps = [{ kind: 'error', detail: 'finalizer: refused' } as const]
    const failure = { code: 'model_failed', message: '', retryable: false, hint: 'Check the key.' }
    for (const status of ['partial', 'failed'] as const) {
      const text = render({ status, stopReason: 'error', gaps }, { failure } as never)
      expect(text).toContain('Sources\n[1] Water')
      expect(text).toContain('Missing\n- finalizer: refused\n\nCheck the key.\n')
    }
  })

  it('does not ask for files when what was cited says something else', () => {
    const gaps = [{ kind: 'unsupported_answer', detail: 'Nothing was found.' } as const]
    const text = render({ status: 'partial', stopReason: 'gaps', gaps })
    expect(text).toContain('Compare it with its sources')
    expect(text).not.toContain('library add')
  })

  it('says of the built-in engine that it is no language model', () => {
    expect(render({ models: { planner: 'extractive' } })).toContain('not a language model')
    const some = render({ models: { planner: 'extractive', critic: 'extractive', expert: 'x:y' } })
    expect(some).toContain('not a language model, did the work of: planner, critic.')
    expect(render({ models: { planner: 'extractive' }, status: 'failed' })).not.toContain(
      'extractive',
    )
    expect(render()).not.toContain('not a language model')
  })

  it('wraps for a terminal and strips what could steer it', () => {
    const answer = `# Title\n\n- ${'word '.repeat(40)}[1]\n\u001b[2Jend`
    const text = render({ answer }, { columns: 60 })
    for (const line of text.split('\n')) expect(countColumns(line)).toBeLessThanOrEqual(60)
    expect(text).not.toContain('\u001b')
    expect(text).toContain('\n  word word')
    expect(render({ answer: '**so** [1, 2]' }, { paint: createPaint(true) })).toContain(
      '\u001b[1mso\u001b[22m',
    )
  })
})

describe('differencesBetween', () => {
  it('names the places that differ, and nothing else', () => {
    const before = { a: 1, claims: [{ verdict: 'verbatim', n: 1 }], gone: true }
    const after = { a: 1, claims: [{ verdict: 'altered', n: 1 }, {}] }
    expect(differencesBetween(before, after)).toEqual([
      { path: 'claims[0].verdict', recorded: '"verbatim"', replayed: '"altered"' },
      { path: 'claims[1]', recorded: 'nothing', replayed: '{}' },
      { path: 'gone', recorded: 'true', replayed: 'nothing' },
    ])
    expect(differencesBetween(before, structuredClone(before))).toEqual([])
  })
})
