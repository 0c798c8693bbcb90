import type { Claim } from '../../src/citations/claim.ts'
import { measureCoverage } from '../../src/claims/check/check-claim.ts'
import { splitClaims } from '../../src/claims/check/parse-claims.ts'
import { sha256 } from '../../src/kernel/json.ts'
import type { ReportInput } from '../../src/papers/report/report-facts.ts'
import type { Analysis, Synthesis } from '../../src/papers/result.ts'
import { evidence, finding, fixturePapers, stance } from './report-papers.ts'

const answer = `Answering beside retrieved passages lowers the rate of unsupported statements: Retrieved passages reduce unsupported statements from 27.4% to 9.1% on the test set [1]. The finding was repeated in other domains [2][4].

Retrieval alone is **not enough**. In our audit, 14% of the statements that cite a passage are not borne out by it [2]. A second reading of each sentence removes three quarters of the remaining errors [3].

- Checking the sentences afterwards lowers it further, from 9% to 3% [4].
- A model that may decline to answer makes 41% fewer unsupported statements at equal coverage [5].

Whether longer contexts help is disputed [2, 3].`

const judged: readonly Pick<Claim, 'verdict' | 'evidence' | 'judge' | 'reason'>[] = [
  finding(
    1,
    6,
    'Retrieved passages reduce unsupported statements from 27.4% to 9.1% on the test set.',
  ),
  {
    ...finding(
      2,
      9,
      '',
      'Retrieved passages reduced unsupported statements in every domain that we studied.',
    ),
    evidence: [
      evidence(
        2,
        9,
        'Retrieved passages reduced unsupported statements in every domain that we studied.',
      ),
      evidence(
        4,
        3,
        'grounding answers in passages lowers the rate of unsupported statements',
        'Discussion',
      ),
    ],
  },
  {
    verdict: 'unchecked',
    evidence: [],
    judge: 'code',
    reason: 'It cites nothing and was not checked.',
  },
  finding(2, 8, 'In our audit, 14% of the statements that cite a passage are not borne out by it.'),
  finding(
    3,
    5,
    '',
    'A verifier that reads each sentence beside its source removes two thirds of the remaining errors.',
    'altered',
  ),
  finding(4, 12, 'Checking the sentences afterwards lowers it further, from 9% to 3%.'),
  finding(
    5,
    4,
    'A model that may decline to answer makes 41% fewer unsupported statements at equal coverage.',
  ),
  {
    ...finding(
      2,
      10,
      '',
      'Adding more than ten passages made answers worse rather than better.',
      'partial',
    ),
    evidence: [
      evidence(2, 10, 'Adding more than ten passages made answers worse rather than better.'),
      evidence(3, 7, 'Longer contexts helped: accuracy rose steadily up to forty passages.'),
    ],
  },
]

const claims: readonly Claim[] = splitClaims(answer).map(({ text, citations }, index) => {
  const found = judged[index]
  if (found === undefined) throw new Error(`The fixture has no verdict for: ${text}`)
  const { verdict, evidence: places, judge, reason } = found
  return { text, citations, verdict, evidence: places, judge, reason }
})

const synthesis: Synthesis = {
  summary: answer,
  confidence: 0.84,
  consensus: [
    {
      point: 'Retrieved passages lower the rate of unsupported statements.',
      stances: [
        stance(
          1,
          6,
          'Retrieved passages reduce unsupported statements from 27.4% to 9.1% on the test set.',
          'supported',
        ),
        stance(
          2,
          9,
          'Retrieved passages reduced unsupported statements in every domain that we studied.',
          'verbatim',
        ),
        stance(4, 3, 'grounding answers in passages lowers the rate of unsupported statements'),
      ],
    },
    {
      point:
        'Checking each sentence after it was written removes most of the errors that retrieval leaves.',
      stances: [
        stance(
          3,
          5,
          'A verifier that reads each sentence beside its source removes two thirds of the remaining errors.',
        ),
        stance(
          4,
          12,
          'Checking the sentences afterwards lowers it further, from 9% to 3%.',
          'partial',
        ),
        stance(
          2,
          8,
          'In our audit, 14% of the statements that cite a passage are not borne out by it.',
          'unchecked',
          'disputes',
        ),
      ],
    },
    {
      point: 'A model that may decline to answer makes fewer unsupported statements.',
      stances: [
        stance(
          5,
          4,
          'A model that may decline to answer makes 41% fewer unsupported statements at equal coverage.',
        ),
        stance(1, 6, 'The gain is largest for questions about rare entities.', 'partial'),
      ],
    },
  ],
  contradictions: [
    {
      description: 'Do more passages make answers better?',
      context: 'The studies differ in the retriever and in how many passages they count as many.',
      sideA: {
        says: 'Accuracy rises steadily up to forty passages.',
        stances: [
          stance(
            3,
            7,
            'Longer contexts helped: accuracy rose steadily up to forty passages.',
            'verbatim',
          ),
        ],
      },
      sideB: {
        says: 'More than ten passages make answers worse.',
        stances: [
          stance(2, 10, 'Adding more than ten passages made answers worse rather than better.'),
          stance(
            5,
            7,
            'We did not find that more passages change the rate in either direction.',
            'partial',
          ),
        ],
      },
    },
    {
      description: 'Is retrieval by itself enough?',
      context: '',
      sideA: {
        says: 'The effect holds for all model sizes.',
        stances: [
          stance(1, 8, 'The effect holds for all four model sizes that we tried [12, 14].'),
        ],
      },
      sideB: {
        says: 'Retrieval does not cure hallucination.',
        stances: [stance(2, 1, 'Hallucination is not cured by retrieval.', 'verbatim')],
      },
    },
  ],
  gaps: [
    {
      text: 'Nobody has measured languages other than English.',
      stances: [stance(4, 17, 'No study that we know of measures other languages.')],
    },
    {
      text: 'It is open whether the findings carry over to specialised corpora.',
      stances: [
        stance(
          1,
          13,
          'It remains open whether this carries over to specialised corpora.',
          'verbatim',
        ),
      ],
    },
    {
      text: 'None of the papers compares verification with abstention under equal cost.',
      stances: [],
    },
  ],
}

const analyses: readonly Analysis[] = [
  analysis(1, 12, {
    methodology: [finding(1, 3, 'We used 3,200 questions, each of which two annotators judged.')],
    keyFindings: [
      finding(
        1,
        6,
        'Retrieval cuts unsupported statements to a third.',
        'Retrieved passages reduce unsupported statements from 27.4% to 9.1% on the test set.',
      ),
      finding(1, 6, 'The gain is largest for questions about rare entities.'),
    ],
    conclusions: [
      finding(1, 8, 'The effect holds for all four model sizes that we tried [12, 14].'),
    ],
    limitations: [finding(1, 13, 'Our passages come from one encyclopedia only.')],
    contributions: [
      finding(
        1,
        2,
        'The first controlled study of its kind.',
        'We compare answers that are given from memory with answers that are given beside retrieved passages.',
        'partial',
      ),
    ],
  }),
  analysis(2, 14, {
    keyFindings: [
      finding(
        2,
        8,
        'In our audit, 14% of the statements that cite a passage are not borne out by it.',
      ),
    ],
    limitations: [finding(2, 20, 'Annotators disagreed on 11% of the statements.')],
  }),
  analysis(3, 9, {
    methodology: [finding(3, 4, 'All runs used the same retriever.')],
    keyFindings: [
      finding(
        3,
        5,
        'Verification removes three quarters of the errors.',
        'A verifier that reads each sentence beside its source removes two thirds of the remaining errors.',
        'altered',
      ),
    ],
    conclusions: [finding(3, 10, 'We see no loss of fluency (see [Smith et al., 2020]).')],
  }),
  analysis(4, 11, {
    keyFindings: [
      finding(4, 12, 'Checking the sentences afterwards lowers it further, from 9% to 3%.'),
    ],
    contributions: [finding(4, 2, 'Code and data are at https://github.com/example/grounded-qa.')],
    limitations: [finding(4, 17, 'The benchmark is in English only.')],
  }),
  analysis(5, 8, {
    conclusions: [finding(5, 8, 'Users accept abstention when a reason is given.')],
    keyFindings: [finding(5, 4, 'Abstention is a neglected remedy.')],
  }),
  { ...analysis(6, 1, {}), confidence: 0, error: 'The model gave no usable form twice.' },
]

function analysis(n: number, chunks: number, parts: Partial<Analysis>): Analysis {
  const { id = '', title = '', confidence = 0 } = fixturePapers.find((entry) => entry.n === n) ?? {}
  const none = {
    methodology: [],
    keyFindings: [],
    conclusions: [],
    limitations: [],
    contributions: [],
  }
  return { paperId: id, title, ...none, confidence, chunks, ...parts }
}

function allPoints(): readonly Claim[] {
  const { consensus, contradictions, gaps } = synthesis
  const stances = [
    ...consensus,
    ...contradictions.flatMap(({ sideA, sideB }) => [sideA, sideB]),
    ...gaps,
  ]
  const findings = analyses.flatMap((one) => [
    ...one.methodology,
    ...one.keyFindings,
    ...one.conclusions,
    ...one.limitations,
    ...one.contributions,
  ])
  const judgedAll = [...stances.flatMap((point) => point.stances), ...findings]
  return judgedAll.map((one) => ({ ...one, text: '', citations: [] }))
}

const kept = fixturePapers.filter(({ n }) => n !== undefined)

/** What went amiss, where it was looked for, and what it took. */
const facts: Pick<ReportInput, 'refused' | 'search' | 'gaps' | 'errors' | 'error' | 'usage'> = {
  refused: [
    {
      kind: 'consensus',
      text: 'Larger models need no retrieval.',
      reason: 'It cites paper 6, which was not kept.',
    },
    {
      kind: 'contradiction',
      text: 'Abstention helps or harms users.',
      reason: 'Only one side has a paper.',
    },
  ],
  search: [
    {
      place: 'arXiv over MCP',
      outcome: 'failed',
      found: 0,
      detail: 'The server did not answer within 10 s.',
    },
    { place: 'arXiv', outcome: 'used', found: 6, detail: '' },
    {
      place: 'Semantic Scholar and OpenAlex',
      outcome: 'used',
      found: 4,
      detail: '2 were known already',
    },
    { place: 'library', outcome: 'empty', found: 0, detail: '' },
  ],
  gaps: [
    {
      kind: 'unreadable_source',
      detail: 'The PDF holds pictures of pages and no text.',
      source: 'Scanned Proceedings on Text Generation',
    },
  ],
  errors: ['Semantic Scholar answered 429 once; it was asked again after 3 s.'],
  error: null,
  usage: {
    inputTokens: 184_223,
    outputTokens: 9_871,
    embeddingTokens: 61_540,
    modelCalls: 34,
    toolCalls: 11,
  },
}

/** A whole result on eight papers: five kept, one dropped, two that could not be had; with points that hold and points that do not. */
export function reportInput(changes: Partial<ReportInput> = {}): ReportInput {
  return {
    schema: 'scholium.papers/1',
    runId: '01k9y3t6-grounded-answers',
    status: 'partial',
    stopReason: 'gaps',
    question: 'Does retrieval keep language models from making unsupported statements?',
    category: 'cs.CL',
    answer,
    reasoning: '',
    citations: kept.map(({ n = 0, title, url = '', csl }) => ({
      n,
      sourceId: sha256(`paper ${n}`),
      title,
      url,
      csl,
    })),
    claims,
    coverage: measureCoverage(claims),
    coverageOfPoints: measureCoverage(allPoints()),
    papers: fixturePapers,
    analyses,
    dropped: [{ paperId: fixturePapers[5]?.id ?? '', reason: 'below the threshold' }],
    synthesis,
    references: kept.slice(0, 5).map(({ n = 0, id, authors, title, published, arxivId, url }) => ({
      n,
      paperId: id,
      line: `${authors.join(', ')}. (${published.slice(0, 4)}). ${title}. arXiv:${arxivId}. ${url}`,
      remarks: n === 3 ? ['Crossref names another year: 2023.'] : [],
    })),
    ...facts,
    costUsd: 0.4213,
    timings: { wallMs: 94_300, modelMs: 211_800 },
    models: { analyzer: 'model-a', synthesis: 'model-a', verifier: 'extractive' },
    ...changes,
  }
}
