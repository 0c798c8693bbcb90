import { afterAll, describe, expect, it } from 'vitest'
import type { Json } from '../../src/kernel/json.ts'
import { sparsePapers } from './workflow-papers.ts'
import {
  emptyAnalysis,
  emptySynthesis,
  type PapersScript,
  PapersWorld,
  paperIn,
  papersIn,
  type Running,
} from './workflow-world.ts'

const world = new PapersWorld(sparsePapers)
afterAll(() => world.close())
const query = 'Does sparse attention save memory?'

const saves = 'Sparse attention reduces memory use on long documents.'
const first = 'Sparse attention reduces memory use by 38 percent on long documents.'
const second = 'Sparse attention reduces memory use on long documents in each of our experiments.'
const longer = 'Training time increases with the number of windows per layer.'
const shorter = 'Training time decreases with the number of windows per layer.'

const agreed = {
  point: saves,
  papers: [1, 2],
  quotes: [
    { paper: 1, quote: first },
    { paper: 2, quote: second },
  ],
}
const opposed = {
  description: 'Whether training takes longer with more windows.',
  context: 'The data differ.',
  a: { says: longer, papers: [1], quotes: [{ paper: 1, quote: longer }] },
  b: { says: shorter, papers: [2], quotes: [{ paper: 2, quote: shorter }] },
}
const open = {
  text: 'Other languages than English were not considered.',
  papers: [3],
  quotes: [{ paper: 3, quote: 'Papers in other languages than English were not considered.' }],
}

/** A run whose synthesizer says this. */
async function synthesized(said: { readonly [field: string]: Json }, running: Running = {}) {
  const { script, ...others } = running
  const own: PapersScript = (seen) =>
    seen.role === 'synthesizer'
      ? { json: { ...emptySynthesis, summary: `${second.replace('.', ' [2].')}`, ...said } }
      : script?.(seen)
  const ran = await world.run(query, { ...others, script: own })
  expect((await world.replay(ran.runId)).result).toEqual(ran.result)
  return ran
}

describe('a synthesis', () => {
  it('ties each point to papers and to the pages that say it', async () => {
    const { result } = await synthesized({
      consensus: [agreed],
      contradictions: [opposed],
      gaps: [open],
    })
    expect(result.refused).toEqual([])
    const [point] = result.synthesis.consensus
    expect(point?.point).toBe(saves)
    expect(
      point?.stances.map(({ paperId, n, stance, evidence }) => [
        paperId,
        n,
        stance,
        evidence[0]?.page,
      ]),
    ).toEqual([
      ['arxiv:2401.00001', 1, 'supports', 2],
      ['arxiv:2402.00002', 2, 'supports', 2],
    ])
    const [contradiction] = result.synthesis.contradictions
    expect(contradiction).toMatchObject({
      description: opposed.description,
      context: opposed.context,
      sideA: { says: longer, stances: [{ n: 1, verdict: 'verbatim', evidence: [{ page: 2 }] }] },
      sideB: { says: shorter, stances: [{ n: 2, verdict: 'verbatim', evidence: [{ page: 2 }] }] },
    })
    expect(result.synthesis.gaps).toMatchObject([
      { text: open.text, stances: [{ n: 3, evidence: [{ page: 3 }] }] },
    ])
    expect(result.synthesis.confidence).toBe(1)
    expect(result.coverageOfPoints.claims).toBe(15 + 2 + 2 + 1)
  })

  it('takes what a model wrote in a form of its own', async () => {
    const { result } = await synthesized({
      consensus: { point: [saves], papers: '[1][2]', quotes: agreed.quotes[0] as Json },
      contradictions: [null, [opposed]],
      gaps: 'Comparable benchmarks are missing.',
      summary: [second.replace('.', ' [2].'), null],
    })
    expect(result.synthesis.consensus[0]?.stances.map(({ n }) => n)).toEqual([1, 2])
    expect(result.synthesis.contradictions).toHaveLength(1)
    expect(result.synthesis.gaps).toEqual([
      { text: 'Comparable benchmarks are missing.', stances: [] },
    ])
    expect(result.claims).toMatchObject([{ verdict: 'verbatim' }])
  })

  it('knows papers by their ids as well', async () => {
    const papers = ['arXiv:2401.00001v2', 'Paper 2']
    const { result } = await synthesized({ consensus: [{ ...agreed, papers }] })
    expect(result.synthesis.consensus[0]?.stances.map(({ n }) => n)).toEqual([1, 2])
  })

  it.each<[string, Json, RegExp]>([
    ['no paper', { ...agreed, papers: [], quotes: [] }, /names no paper/],
    ['one paper', { ...agreed, papers: [1], quotes: [] }, /only one paper, \[1\]/],
    ['a paper that does not exist', { ...agreed, papers: [1, 2, 9] }, /“9”.*not a paper/],
    ['an unknown id', { ...agreed, papers: [1, '2409.12345'] }, /“2409\.12345”/],
    [
      'an unknown paper among its quotations',
      { ...agreed, quotes: [{ paper: 7, quote: first }] },
      /“7”/,
    ],
    ['nothing to say', { ...agreed, point: ' ' }, /says nothing/],
    [
      'an address of no paper',
      { ...agreed, point: `${saves} See https://elsewhere.example/x` },
      /elsewhere/,
    ],
    [
      'papers of which no page shows it',
      { point: 'Moths prefer red lamps.', papers: [1, 2], quotes: [] },
      /fewer than two papers.*\[1\].*\[2\]/,
    ],
    [
      'words that do not stand on a page',
      {
        point: 'Moths prefer red lamps.',
        papers: [1, 2],
        quotes: [
          { paper: 1, quote: 'Moths were seen at red lamps.' },
          { paper: 2, quote: second },
        ],
      },
      /The quotation is not there/,
    ],
    [
      'another number than its paper',
      { ...agreed, point: 'Sparse attention reduces memory use by 83 percent on long documents.' },
      /38/,
    ],
  ])('refuses a consensus with %s', async (_what, point, reason) => {
    const { result } = await synthesized({ consensus: [point] })
    expect(result.synthesis.consensus).toEqual([])
    expect(result.refused).toHaveLength(1)
    expect(result.refused[0]).toMatchObject({ kind: 'consensus' })
    expect(result.refused[0]?.reason).toMatch(reason)
  })

  it.each<[string, Json, RegExp]>([
    ['one side', { ...opposed, b: { says: '', papers: [], quotes: [] } }, /One side/],
    ['a side that is missing', { ...opposed, b: null }, /One side/],
    [
      'a side without a paper',
      { ...opposed, b: { ...opposed.b, papers: [], quotes: [] } },
      /names no paper/,
    ],
    [
      'a paper on both sides',
      { ...opposed, b: { ...opposed.b, papers: [1, 2] } },
      /\[1\] is on both sides/,
    ],
    ['a paper that was not analysed', { ...opposed, b: { ...opposed.b, papers: [4] } }, /“4”/],
    [
      'a side that no page shows',
      { ...opposed, b: { says: 'Moths prefer red lamps.', papers: [2], quotes: [] } },
      /One of its sides.*\[2\]/,
    ],
  ])('refuses a contradiction with %s', async (_what, contradiction, reason) => {
    const { result } = await synthesized({ contradictions: [contradiction] })
    expect(result.synthesis.contradictions).toEqual([])
    expect(result.refused[0]).toMatchObject({ kind: 'contradiction' })
    expect(result.refused[0]?.reason).toMatch(reason)
  })

  it('is made without findings that misstate their paper', async () => {
    const wrong = 'Sparse attention reduces memory use by 83 percent on long documents.'
    const { calls } = await synthesized(
      {},
      {
        script: (seen) =>
          seen.role === 'analyzer' && paperIn(seen).n === 1
            ? { json: { key_findings: [wrong, first] } }
            : undefined,
      },
    )
    const [paper] = papersIn(calls.find(({ role }) => role === 'synthesizer') as never)
    expect(paper?.key_findings).toEqual([{ text: first, quote: first, page: 2 }])
  })

  it('has no paper that was dropped', async () => {
    const { result } = await synthesized(
      {
        consensus: [agreed],
        summary: `${first.replace('.', ' [1].')} ${second.replace('.', ' [2].')}`,
      },
      {
        script: (seen) =>
          seen.role === 'analyzer' && paperIn(seen).n === 1 ? { text: 'No.' } : undefined,
      },
    )
    expect(result.refused[0]?.reason).toContain('“1”')
    expect(result.answer).toBe(second.replace('.', ' [2].'))
    expect(result.gaps).toContainEqual({
      kind: 'claim_dropped',
      detail: `Left out: “${first.replace('.', ' [1].')}” [1] is not a paper that was analysed and kept.`,
    })
  })

  it('cites no number that stands for nothing', async () => {
    const { result } = await synthesized({
      summary: `${second.replace('.', ' [2].')} Moths like lamps [12]. It is so [0].`,
    })
    expect(result.answer).toBe(second.replace('.', ' [2].'))
    expect(result.status).toBe('partial')
  })

  it('loads and runs nothing by being shown', async () => {
    const { result } = await synthesized({
      consensus: [{ ...agreed, point: `${saves} <b>Yes</b>` }],
      gaps: ['Look: ![x](https://spy.example/p.png)'],
      summary: `${second.replace('.', ' [2].')}\n\n<img src=x onerror=alert(1)>`,
    })
    expect(JSON.stringify([result.synthesis, result.refused])).not.toMatch(/<(?:b|img)|[^\\]!\[/)
  })
})

describe('a synthesis that fails', () => {
  it('leaves what code puts together of findings that hold, and says so', async () => {
    const script: PapersScript = ({ role }) =>
      role === 'synthesizer' ? { text: 'I cannot.' } : undefined
    const { result, runId } = await world.run(query, { script })
    expect(result).toMatchObject({ status: 'partial', stopReason: 'error' })
    expect(result.synthesis).toMatchObject({ consensus: [], contradictions: [], confidence: 0 })
    expect(result.answer).toContain(
      'Sparse attention reduces memory use by 38 percent on long documents [1].',
    )
    expect(result.claims.every(({ verdict }) => verdict === 'verbatim')).toBe(true)
    expect(result.errors).toEqual([expect.stringContaining('synthesizer: ')])
    expect(result.error?.code).toBe('model_output_malformed')
    expect((await world.replay(runId)).result).toEqual(result)
  })
})

describe('the policy for claims', () => {
  const free = 'Memory is what one saves with sparse patterns, nobody doubts it [2].'
  const wrong = 'Sparse attention reduces memory use by 83 percent on long documents [1].'
  const said = { consensus: [agreed], summary: `${second.replace('.', ' [2].')} ${free} ${wrong}` }

  it('marks what does not hold', async () => {
    const { result } = await synthesized(said)
    expect(result.claims.map(({ verdict }) => verdict)).toEqual([
      'verbatim',
      'unchecked',
      'altered',
    ])
    expect(result).toMatchObject({ status: 'partial', stopReason: 'gaps' })
  })

  it('leaves out what does not hold, where it is strict', async () => {
    const { result } = await synthesized(said, { claims: 'strict' })
    expect(result.answer).toBe(second.replace('.', ' [2].'))
    expect(result.synthesis.summary).toBe(result.answer)
    expect(result.gaps.filter(({ kind }) => kind === 'claim_dropped')).toHaveLength(2)
    // That the quoted words stand on a page is not that the page says the point.
    expect(result.refused).toMatchObject([{ kind: 'consensus' }])
  })

  it('leaves findings out of analyses that no page supports, where it is strict', async () => {
    const script: PapersScript = (seen) =>
      seen.role === 'analyzer' && paperIn(seen).n === 1
        ? { json: { ...emptyAnalysis, key_findings: [first, wrong.replace(' [1]', '')] } }
        : undefined
    const marked = await world.run(query, { script })
    const findings = marked.result.analyses[0]?.keyFindings ?? []
    expect(findings.map(({ verdict }) => verdict)).toEqual(['verbatim', 'altered'])
    const { result } = await world.run(query, { script, claims: 'strict' })
    expect(result.analyses[0]?.keyFindings).toEqual(findings.slice(0, 1))
    expect(result.gaps).toContainEqual({
      kind: 'claim_dropped',
      detail: expect.stringContaining('by 83 percent'),
      source: result.analyses[0]?.title,
    })
  })

  it('falls back on findings that hold, where it is strict and nothing else does', async () => {
    const { result } = await synthesized({ summary: `${free} ${wrong}` }, { claims: 'strict' })
    expect(result.answer).toContain(first.replace('.', ' [1].'))
    expect(result.claims.every(({ verdict }) => verdict === 'verbatim')).toBe(true)
    expect(result.gaps.filter(({ kind }) => kind === 'claim_dropped')).toHaveLength(2)
  })

  it('has the verifier’s word count where code has none', async () => {
    const script: PapersScript = ({ role, lastText }) => {
      if (role !== 'verifier') return undefined
      const claims = lastText.split('\n').filter((line) => line.startsWith('{"claim"'))
      return {
        json: {
          verdicts: claims.map((line) => {
            const { claim, cites } = JSON.parse(line) as { claim: number; cites: number[] }
            const quote = cites[0] === 1 ? first : second
            return { claim, verdict: 'supported', quote, reason: 'It says so.' }
          }),
        },
      }
    }
    const { result, calls } = await synthesized(said, { claims: 'strict', script })
    const verifying = calls.filter(({ role }) => role === 'verifier')
    expect(verifying).toHaveLength(1)
    expect(verifying[0]?.lastText).toMatch(/^The passages:\n\[1\] \S/m)
    expect(result.synthesis.consensus[0]?.stances).toMatchObject([
      {
        n: 1,
        verdict: 'supported',
        judge: 'test:scripted',
        evidence: [{ quote: first.slice(0, -1), page: 2 }],
      },
      { n: 2, verdict: 'supported' },
    ])
    expect(result.claims.map(({ verdict }) => verdict)).toEqual(['verbatim', 'supported'])
  })

  it('takes a paper that contradicts a point for one that disputes it', async () => {
    const third = 'Linear attention was rarely compared with sparse attention.'
    const verdicts = [
      { claim: 1, verdict: 'supported', quote: first, reason: 'Yes.' },
      { claim: 2, verdict: 'supported', quote: second, reason: 'Yes.' },
      { claim: 3, verdict: 'contradicted', quote: third, reason: 'No.' },
    ]
    const script: PapersScript = ({ role, lastText }) =>
      role === 'verifier' && lastText.includes('[2]') ? { json: { verdicts } } : undefined
    const point = 'Windows cut what is needed of memory.'
    const all = { ...agreed, point, papers: [1, 2, 3] }
    const { result } = await synthesized({ consensus: [all] }, { script })
    const [held] = result.synthesis.consensus
    expect(held?.stances.map(({ n, stance }) => [n, stance])).toEqual([
      [1, 'supports'],
      [2, 'supports'],
      [3, 'disputes'],
    ])
    const pair = { ...agreed, point, papers: [2, 3], quotes: [] }
    verdicts.splice(0, 2, { claim: 1, verdict: 'supported', quote: second, reason: 'Yes.' })
    verdicts[1] = { claim: 2, verdict: 'contradicted', quote: third, reason: 'No.' }
    const { result: lone } = await synthesized({ consensus: [pair] }, { script })
    expect(lone.refused).toMatchObject([{ reason: expect.stringContaining('[3] No.') }])
  })

  it('counts no paper as support whose page says it with another direction', async () => {
    const third = 'Linear attention was rarely compared with sparse attention.'
    const verdicts = [
      { claim: 1, verdict: 'contradicted', quote: shorter, reason: 'No.' },
      { claim: 2, verdict: 'supported', quote: third, reason: 'Yes.' },
    ]
    const script: PapersScript = ({ role, lastText }) =>
      role === 'verifier' && lastText.includes('[2]') ? { json: { verdicts } } : undefined
    const point = { point: longer, papers: [1, 2, 3], quotes: [] }
    const { result } = await synthesized({ consensus: [point] }, { script })
    expect(
      result.synthesis.consensus[0]?.stances.map(({ n, stance, verdict }) => [n, stance, verdict]),
    ).toEqual([
      [1, 'supports', 'verbatim'],
      [2, 'differs', 'altered'],
      [3, 'supports', 'supported'],
    ])
  })

  it('checks nothing where it is off', async () => {
    const { result, calls } = await synthesized(said, { claims: 'off' })
    expect(calls.some(({ role }) => role === 'verifier')).toBe(false)
    expect(result.coverage).toMatchObject({ claims: 3, unchecked: 3 })
    expect(result.coverageOfPoints.unchecked).toBe(result.coverageOfPoints.claims)
  })
})
