import type { Evidence, Verdict } from '../../src/citations/claim.ts'
import { passageId } from '../../src/citations/source.ts'
import { sha256 } from '../../src/kernel/json.ts'
import type { Finding, PaperEntry, PaperStance } from '../../src/papers/result.ts'

/** The text of each paper of the fixture, by its number: what evidence quotes stands in it. */
export const paperTexts: Readonly<Record<number, string>> = {
  1: `We compare answers that are given from memory with answers that are given beside retrieved passages. Retrieved passages reduce unsupported statements from 27.4% to 9.1% on the test set. The gain is largest for questions about rare entities. The effect holds for all four model sizes that we tried [12, 14]. We used 3,200 questions, each of which two annotators judged. Our passages come from one encyclopedia only. It remains open whether this carries over to specialised corpora.`,
  2: `Hallucination is not cured by retrieval. In our audit, 14% of the statements that cite a passage are not borne out by it. Adding more than ten passages made answers worse rather than better. Retrieved passages reduced unsupported statements in every domain that we studied. The audit covers law, medicine and software manuals. Annotators disagreed on 11% of the statements.`,
  3: `A verifier that reads each sentence beside its source removes two thirds of the remaining errors. Verification costs 0.8 additional model calls per sentence. Longer contexts helped: accuracy rose steadily up to forty passages. All runs used the same retriever. We see no loss of fluency (see [Smith et al., 2020]).`,
  4: `Our results agree with earlier work: grounding answers in passages lowers the rate of unsupported statements. Checking the sentences afterwards lowers it further, from 9% to 3%. Code and data are at https://github.com/example/grounded-qa. The benchmark is in English only. No study that we know of measures other languages.`,
  5: `Abstention is a neglected remedy. A model that may decline to answer makes 41% fewer unsupported statements at equal coverage. Users accept abstention when a reason is given. We did not find that more passages change the rate in either direction.`,
}

/** Five papers that were kept and three that were not. */
export const fixturePapers: readonly PaperEntry[] = [
  paper(
    1,
    'Retrieval Reduces Unsupported Statements: A Controlled Study',
    ['Amara Okafor', 'Lena Vogt'],
    '2023-05-11',
    0.94,
    14,
  ),
  paper(
    2,
    'Cited but Not Supported: An Audit of Grounded Answers',
    ['Tomás Herrera', 'Wei-Ling Chen', 'Ruth Adler', 'Ivo Marek'],
    '2024-02-02',
    0.88,
    22,
  ),
  paper(
    3,
    'Reading Twice: Sentence-Level Verification for Long Answers',
    ['Priya Raman'],
    '2024-07-19',
    0.79,
    11,
  ),
  paper(
    4,
    'Grounded Question Answering, Revisited',
    ['Jonas Lindqvist', 'Mei Tanaka', 'Samuel Brandt'],
    '2025-01-30',
    0.91,
    18,
  ),
  paper(5, 'When Not to Answer', ['Élodie Marchand', 'Kofi Mensah'], '2025-09-04', 0.66, 9),
  {
    ...paper(
      6,
      'A Survey of Prompt Formats for Chat Assistants',
      ['Dana Whitfield'],
      '2022-11-20',
      0.31,
      35,
    ),
    status: 'dropped',
    reason:
      'Its confidence 0.31 is below the threshold 0.50: only one of the four queries found a passage in it.',
  },
  {
    ...withoutReading(
      paper(7, 'Scanned Proceedings on Text Generation', ['Unknown'], '1998', 0, 0),
    ),
    status: 'unreadable',
    reason: 'The PDF holds pictures of pages and no text.',
  },
  {
    ...withoutReading(
      paper(8, 'Faithful Summaries by Construction', ['Hana Novak'], '2024-12-01', 0, 0),
    ),
    status: 'failed',
    reason: 'The download was refused: the server answered 403.',
  },
]

function withoutReading(entry: PaperEntry): PaperEntry {
  const {
    n: _,
    confidence: _confidence,
    pageCount: _pages,
    chunkCount: _chunks,
    referenceCount: _references,
    ...rest
  } = entry
  return rest
}

function paper(
  n: number,
  title: string,
  authors: readonly string[],
  published: string,
  confidence: number,
  pageCount: number,
): PaperEntry {
  const arxivId = `${published.slice(2, 4)}05.0${1000 + n}v1`
  const url = `https://arxiv.org/abs/${arxivId}`
  const names = authors.map((name) => {
    const [given = '', ...family] = name.split(' ')
    return family.length === 0 ? { literal: name } : { given, family: family.join(' ') }
  })
  return {
    id: `arxiv:${arxivId.slice(0, -2)}`,
    n,
    title,
    authors,
    abstract: '',
    published,
    categories: ['cs.CL'],
    arxivId,
    url,
    pdfUrl: `https://arxiv.org/pdf/${arxivId}`,
    foundBy: n % 2 === 0 ? ['arXiv', 'Semantic Scholar and OpenAlex'] : ['arXiv'],
    csl: {
      id: `arxiv:${arxivId}`,
      type: 'article',
      title,
      author: names,
      issued: { 'date-parts': [published.split('-').map(Number)] },
      number: `arXiv:${arxivId}`,
      URL: url,
    },
    status: 'kept',
    confidence,
    pageCount,
    chunkCount: pageCount * 3,
    referenceCount: 20 + n * 7,
  }
}

/** The words of a paper of the fixture as evidence. */
export function evidence(n: number, page: number, quote: string, section = 'Results'): Evidence {
  const sourceId = sha256(`paper ${n}`)
  const start = Math.max(0, (paperTexts[n] ?? '').indexOf(quote))
  const end = start + quote.length
  return { n, passageId: passageId(sourceId, start, end), quote, start, end, page, section }
}

const reasons: Partial<Readonly<Record<Verdict, string>>> = {
  verbatim: 'Verbatim.',
  supported: 'The same in other words.',
  partial:
    'The quotation is verbatim. Undecided by code: "always" in the answer, not in the source.',
  altered: '"two thirds" in the source, "three quarters" in the answer.',
  unchecked: 'Not decided by code, and no verifier model was set.',
}

/** A paper's stance on a point, with the place that shows it. */
export function stance(
  n: number,
  page: number,
  quote: string,
  verdict: Verdict = 'supported',
  side: PaperStance['stance'] = 'supports',
): PaperStance {
  const paperId = fixturePapers.find((entry) => entry.n === n)?.id ?? ''
  const judge = verdict === 'verbatim' ? 'code' : 'model-a'
  const reason = reasons[verdict] ?? ''
  return { paperId, n, stance: side, verdict, evidence: [evidence(n, page, quote)], judge, reason }
}

/** Something that an analysis says, with the place that shows it. */
export function finding(
  n: number,
  page: number,
  text: string,
  quote = text,
  verdict: Verdict = text === quote ? 'verbatim' : 'supported',
): Finding {
  const { judge, reason, evidence: places } = stance(n, page, quote, verdict)
  return { text, verdict, evidence: places, judge, reason }
}
