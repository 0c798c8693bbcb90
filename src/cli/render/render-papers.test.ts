import { describe, expect, it } from 'vitest'
import type { PapersAnswer } from '../../app.ts'
import { createPaint } from './paint.ts'
import type { AnswerStyle } from './render-answer.ts'
import { renderPapers } from './render-papers.ts'
import { countColumns } from './text.ts'

const none = {
  claims: 0,
  checked: 0,
  verbatim: 0,
  supported: 0,
  altered: 0,
  partial: 0,
  contradicted: 0,
  notFound: 0,
  unavailable: 0,
  unchecked: 0,
}
const csl = { id: 'x', type: 'article' }
const stance = (n: number, page: number, more: object = {}) => ({
  paperId: `p${n}`,
  n,
  stance: 'supports',
  verdict: 'verbatim',
  evidence: [{ n, passageId: 'x:0-1', quote: 'q', start: 0, end: 1, page }],
  judge: 'code',
  reason: '',
  ...more,
})
const answer = {
  schema: 'scholium.papers/1',
  runId: '20261120-aaaaaa',
  workflow: 'papers',
  status: 'answered',
  stopReason: 'answered',
  question: 'memory',
  category: '',
  answer: 'It saves memory [1].',
  reasoning: '',
  citations: [],
  claims: [],
  coverage: none,
  coverageOfPoints: none,
  papers: [
    {
      id: 'arxiv:2401.00001',
      n: 1,
      title: 'A title that is much longer than the sixty columns that a table gives to it',
      authors: ['Ada Quill', 'Bo Vale', 'Cy Lind', 'Di Moss'],
      abstract: '',
      published: '2024-01-05',
      categories: [],
      foundBy: [],
      csl,
      status: 'kept',
      confidence: 0.9,
    },
    {
      id: `file:${'0'.repeat(16)}`,
      title: 'Another',
      authors: [],
      abstract: '',
      published: '',
      categories: [],
      foundBy: [],
      csl,
      status: 'unreadable',
      reason: 'It is no PDF.',
    },
  ],
  analyses: [],
  dropped: [],
  synthesis: {
    consensus: [{ point: 'It saves memory.', stances: [stance(1, 4), stance(2, 7)] }],
    contradictions: [
      {
        description: 'Whether it is exact.',
        context: 'other data',
        sideA: { says: 'It is.', stances: [stance(1, 2)] },
        sideB: { says: 'It is not.', stances: [stance(2, 3, { verdict: 'partial' })] },
      },
    ],
    gaps: [{ text: 'Nobody tried images.', stances: [] }],
    summary: '',
    confidence: 0.9,
  },
  refused: [],
  references: [
    { n: 1, paperId: 'p1', line: 'Quill, A. (2024). A title.', remarks: ['Retracted.'] },
  ],
  search: [],
  gaps: [],
  errors: [],
  error: null,
  usage: { inputTokens: 10, outputTokens: 5, embeddingTokens: 0, modelCalls: 2, toolCalls: 0 },
  costUsd: 0.01234,
  timings: { wallMs: 1_500, modelMs: 100 },
  models: { analyzer: 'a:b', synthesizer: 'a:b', verifier: 'a:b' },
} as unknown as PapersAnswer

const style: AnswerStyle = {
  columns: undefined,
  paint: createPaint(false),
  folder: '/',
  asTyped: (text) => text,
}

describe('a synthesis for people', () => {
  it('has each point with its papers, pages and doubts', () => {
    const text = renderPapers(answer, style)
    expect(text).toContain('- It saves memory. [1] p. 4; [2] p. 7\n')
    expect(text).toContain('- Whether it is exact. (other data)\n  - It is. [1] p. 2\n')
    expect(text).toContain('  - It is not. [2] p. 3 (partial)\n')
    expect(text).toContain('- Nobody tried images.\n')
    expect(text).toContain('[1] Quill, A. (2024). A title.\n    Retracted.')
    expect(text).toContain('2 papers, 1 used')
    expect(text).toContain('15 tokens · $0.0123')
  })

  it('calls no paper used where none says anything of the query', () => {
    const none = { ...answer, status: 'unanswered', stopReason: 'no_evidence' } as PapersAnswer
    expect(renderPapers(none, style)).toContain('2 papers, 1 read, none relevant')
  })

  it('has a table with titles cut at 60, three authors at most, and why a paper is not used', () => {
    const text = renderPapers(answer, style)
    expect(text).toContain('[1]  A title that is much longer than the sixty columns that a t…  ')
    expect(text).toContain('Ada Quill, Bo Vale, Cy Lind …')
    expect(text).toContain('unreadable: “Another” It is no PDF.')
  })

  it.each([40, 60, 80, 120])('is no wider than %i columns where its words are not', (columns) => {
    const lines = renderPapers(answer, { ...style, columns }).split('\n')
    for (const line of lines) expect(countColumns(line)).toBeLessThanOrEqual(columns)
  })

  it('says what a search left out, and not again why a place failed', () => {
    const search = [
      { place: 'files', outcome: 'used', found: 2, detail: 'Passed over: notes.zip.' },
      { place: 'arXiv', outcome: 'failed', found: 0, detail: 'It is down.' },
      { place: 'library', outcome: 'empty', found: 0, detail: '' },
    ]
    const text = renderPapers({ ...answer, search } as PapersAnswer, style)
    expect(text).toContain('\nSearch\n- files: Passed over: notes.zip.\n\n')
    expect(text).not.toContain('It is down.')
    const none = { ...answer, search, stopReason: 'no_papers' } as PapersAnswer
    expect(renderPapers(none, style)).not.toContain('\nSearch\n')
  })

  it('says that nothing was found between papers, and what the engine does not see', () => {
    const [first] = answer.papers
    const synthesis = { ...answer.synthesis, consensus: [], contradictions: [] }
    const alone = { ...answer, synthesis } as PapersAnswer
    const models = { ...answer.models, synthesizer: 'extractive' }
    const two = { ...alone, papers: [first, first], models } as PapersAnswer
    expect(renderPapers(two, style)).toMatch(
      /No agreements or contradictions .* nearly identical\./,
    )
    expect(renderPapers(alone, style)).not.toContain('No agreements or contradictions')
    expect(renderPapers(answer, style)).not.toContain('No agreements or contradictions')
  })

  it('shows no confidence of an analysis that failed', () => {
    const papers = [{ ...answer.papers[0], status: 'failed', confidence: 0 }]
    expect(renderPapers({ ...answer, papers } as PapersAnswer, style)).not.toContain('0.00')
    const narrow = renderPapers({ ...answer, papers } as PapersAnswer, { ...style, columns: 40 })
    expect(narrow).not.toContain('0.00')
  })

  it('says once how a run that failed continues', () => {
    const hint = 'Check that the service is running and reachable, then resume the run.'
    const error = { code: 'model_unavailable', message: 'It is down.', hint, retryable: true }
    const failed = { ...answer, status: 'failed', stopReason: 'error', error } as PapersAnswer
    expect(renderPapers(failed, style)).toContain(
      'reachable, then resume with: scholium resume 20261120-aaaaaa\n',
    )
  })

  it('says of which run it is where it is given again', () => {
    const reused = {
      by: 'meaning',
      query: 'memory use',
      createdAt: '2026-11-19T08:00:00.000Z',
      similarity: 0.97,
    }
    const text = renderPapers({ ...answer, reused } as PapersAnswer, style)
    expect(text).toMatch(
      /^A similar query was asked before \(“memory use”, cosine 0\.970\): .* 20261120-aaaaaa of 2026-11-19 08:00.*--fresh\n/,
    )
  })
})
