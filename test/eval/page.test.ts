import { parseHTML } from 'linkedom'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../../src/ask/result.ts'
import { pageScript, renderReportPage } from '../../src/eval/report/page.ts'
import { toFailedResult, toResult } from '../../src/eval/result.ts'
import { summarize } from '../../src/eval/summary.ts'

const hostile = `</title></script><script>alert(1)</script><img src=x onerror="alert(2)">' " & \u202e\u0007`
const coverage = {
  ...{ claims: 2, checked: 2, verbatim: 1, supported: 0, altered: 1, partial: 0 },
  ...{ contradicted: 0, notFound: 0, unavailable: 0, unchecked: 0 },
}
const answerOf = (parts: Partial<Answer>) =>
  ({
    ...{
      runId: 'run-1',
      status: 'answered',
      stopReason: 'answered',
      answer: 'Bath',
      coverage,
      citations: [],
    },
    claims: [
      {
        text: `It is ${hostile}`,
        citations: [1],
        verdict: 'altered',
        evidence: [],
        judge: 'code',
        reason: '',
      },
    ],
    ...{ costUsd: 0.01, timings: { wallMs: 1500, modelMs: 1 }, error: null },
    usage: { inputTokens: 1, outputTokens: 2, embeddingTokens: 0, modelCalls: 3, toolCalls: 4 },
    ...parts,
  }) as Answer
const question = (id: string) => ({
  ...{ id, set: hostile, line: 1, question: `Q ${hostile}`, answers: [`Bath ${hostile}`, 'Bath'] },
  ...{ labels: [], files: [], context: [] },
})

function pageOf(costs: readonly (number | null)[], models = { planner: 'extractive' }) {
  const results = [
    ...costs.map((costUsd, index) =>
      toResult(
        question(`q${index}${hostile}`),
        answerOf({ costUsd, timings: { wallMs: 900 - index, modelMs: 1 } }),
      ),
    ),
    toFailedResult(
      question('failed'),
      { code: 'internal', message: hostile, retryable: false },
      null,
    ),
  ]
  const html = renderReportPage({
    ...{ title: hostile, madeAt: '2026-11-20T00:00:00Z', answerFormat: 'short', models },
    ...{ treatments: [], refused: [{ line: 3, reason: hostile }], total: 9, done: results.length },
    ...{ sets: summarize(results), results },
  })
  return { html, document: parseHTML(html).document }
}

describe('the page of an evaluation', () => {
  const { html, document } = pageOf([0.25, 0.5, null])

  it('has no element, attribute or script of what questions, answers, ids or errors hold', () => {
    expect(document.querySelectorAll('script')).toHaveLength(1)
    expect(document.querySelectorAll('img, iframe, object, link, form, a, base')).toHaveLength(0)
    const names = [...document.querySelectorAll('*')].flatMap((element) => [
      ...element.getAttributeNames(),
    ])
    expect(names.filter((name) => /^on|^style$|href|src/i.test(name))).toEqual([])
    for (const sign of ['\u202e', '\u0007']) expect(html).not.toContain(sign)
    // It is all there as text.
    expect(document.querySelector('#questions')?.textContent).toContain(
      '<img src=x onerror="alert(2)">',
    )
  })

  it('asks for nothing, and a browser would let nothing else run', () => {
    expect(html).not.toMatch(/https?:|url\(|@import|import\(/)
    const policy = document.querySelector('meta[http-equiv]')?.getAttribute('content') ?? ''
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'$/,
    )
  })

  it('names who answered, and says of the built-in engine that it is no language model', () => {
    expect(document.body.textContent).toContain('Answered by extractive')
    expect(document.body.textContent).toContain('not a language model')
    const { document: other } = pageOf([1], { planner: 'openai:gpt' })
    expect(other.body.textContent).not.toContain('not a language model')
  })

  it('has four charts of finite size, bars with whiskers, and each with a name', () => {
    const charts = [...document.querySelectorAll('svg')]
    expect(charts).toHaveLength(4)
    for (const chart of charts) expect(chart.getAttribute('aria-label')).toBeTruthy()
    expect(document.querySelectorAll('.whisker').length).toBeGreaterThan(3)
    expect(document.querySelectorAll('circle.dot')).toHaveLength(1)
    const svg = charts.map(({ outerHTML }) => outerHTML).join('')
    expect(svg).not.toMatch(/NaN|Infinity|undefined/)
  })

  it('never shows an unknown cost as nothing', () => {
    expect(document.body.textContent).toContain('at least $0.7500, unknown for 1')
    const { document: unknown } = pageOf([null])
    expect(unknown.body.textContent).toContain('unknown')
    const { document: free } = pageOf([0])
    expect(free.body.textContent).toContain('No cost.')
  })

  it('is sound with no result at all', () => {
    const html = renderReportPage({
      ...{ title: 'x', madeAt: '', answerFormat: 'full', models: {}, treatments: [], refused: [] },
      ...{ total: 3, done: 0, sets: [], results: [] },
    })
    expect(html).toContain('0 of 3 questions so far')
    expect(html).not.toMatch(/NaN|Infinity|undefined/)
  })
})

describe('the table of questions', () => {
  /** The ids in the order of the rows. The script of the page runs on a document that is no browser's. */
  function sortedBy(head: string, times: number) {
    const { document } = pageOf([0.5, 0.25, null, 10])
    new Function('document', pageScript)(document)
    const heads = [...document.querySelectorAll('#questions th')]
    const button = heads.find(({ textContent }) => textContent === head)?.querySelector('button')
    for (let time = 0; time < times; time++)
      button?.dispatchEvent(new document.defaultView.Event('click'))
    const rows = [...document.querySelectorAll('#questions tbody tr')]
    const ids = rows.map((row) => row.children[1]?.textContent.slice(0, 2))
    return { ids, sort: heads.map((one) => one.getAttribute('aria-sort')).filter((one) => one) }
  }

  it('is sorted by numbers as numbers, what is not known last, and again the other way', () => {
    expect(sortedBy('cost', 1)).toEqual({
      ids: ['fa', 'q1', 'q0', 'q3', 'q2'],
      sort: ['ascending'],
    })
    expect(sortedBy('cost', 2)).toEqual({
      ids: ['q3', 'q0', 'q1', 'fa', 'q2'],
      sort: ['descending'],
    })
  })

  it('is sorted by words as words', () => {
    expect(sortedBy('id', 1).ids).toEqual(['fa', 'q0', 'q1', 'q2', 'q3'])
  })
})
