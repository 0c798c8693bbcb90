import type { PdfContent } from './paper-pdf.ts'

/** A paper that the services of the tests know. */
export interface ServedPaper extends PdfContent {
  /** With its version: `2401.00001v2`. */
  readonly arxivId: string
  /** A day: `2024-01-02`. */
  readonly published: string
  readonly categories: readonly string[]
  readonly doi?: string
  readonly citationCount?: number
  /** Whether arXiv's answer links its PDF. Default `true`. */
  readonly hasPdfLink?: boolean
}

interface Draft {
  readonly id: string
  readonly title: string
  readonly authors: readonly string[]
  readonly abstract: string
  readonly method: string
  readonly results: string
  readonly limits: string
  readonly conclusion: string
  readonly category?: string
  readonly citationCount: number
}

/** What each section says in addition to its point, so that papers have several pages and stretches of their own. */
function filler(topic: string): readonly string[] {
  return [
    `This part describes ${topic} in the order in which the work was done. Each step was written down before the next one began, and the notes are part of the released material.`,
    `All runs for ${topic} used the same seeds, the same hardware and the same budget of training steps. Runs that ended early were repeated once, and both outcomes were kept.`,
    `Readers who want to repeat ${topic} find the scripts beside the data. The scripts print every setting that they read, and they stop when a setting is missing.`,
  ]
}

function paper(draft: Draft): ServedPaper {
  const { id, method, results, limits, conclusion, category = 'cs.CL', citationCount } = draft
  const subject = draft.title.toLowerCase()
  return {
    arxivId: id,
    title: draft.title,
    authors: draft.authors,
    abstract: draft.abstract,
    published: `20${id.slice(0, 2)}-${id.slice(2, 4)}-05`,
    categories: [category, 'cs.LG'],
    doi: `10.48550/arXiv.${id.replace(/v\d+$/, '')}`,
    citationCount,
    sections: [
      {
        heading: 'Introduction',
        paragraphs: [draft.abstract, ...filler(`the study of ${subject}`)],
      },
      { heading: 'Methods', paragraphs: [method, ...filler('the method')] },
      { heading: 'Results', paragraphs: [results, ...filler('the measurements')] },
      { heading: 'Limitations', paragraphs: [limits, ...filler('the open questions')] },
      { heading: 'Conclusion', paragraphs: [conclusion, ...filler('the conclusions')] },
    ],
    references: [
      'A. Vaswani et al. Attention is all you need. NeurIPS, 2017.',
      'R. Child et al. Generating long sequences with sparse transformers. arXiv:1904.10509, 2019.',
      'I. Beltagy et al. Longformer: the long-document transformer. arXiv:2004.05150, 2020.',
    ],
  }
}

/**
 * Six invented papers on sparse attention. They agree that memory falls, two of them contradict each other on quality for long
 * inputs, and all leave small languages open. The last is of another category.
 */
export const sparseAttentionPapers: readonly ServedPaper[] = [
  paper({
    id: '2401.00011v2',
    title: 'Block Sparse Attention for Long Documents',
    authors: ['Ada Quill', 'Bruno Hatherley'],
    abstract:
      'We study block sparse attention for transformers on long documents. It halves memory use while quality stays the same.',
    method:
      'We replace dense attention by blocks of 64 tokens and train twelve models on 16 thousand news articles.',
    results:
      'Block sparse attention lowers memory use by 52 percent. Accuracy on long inputs is the same as that of dense attention, 81.4 percent.',
    limits: 'We did not test languages with few speakers. Only English articles were used.',
    conclusion:
      'Sparse attention reduces memory use, and it does not reduce accuracy on long inputs.',
    citationCount: 41,
  }),
  paper({
    id: '2402.00022v1',
    title: 'Sparse Attention Loses Distant Evidence',
    authors: ['Carla Osei', 'Dmitri Vale', 'Ewa Lind'],
    abstract:
      'We measure what sparse attention in transformers misses. It saves memory, but accuracy on long inputs falls.',
    method:
      'We hide one sentence in documents of 32 thousand tokens and ask nine models to find it.',
    results:
      'Sparse attention lowers memory use by 47 percent. Accuracy on long inputs falls from 83.0 to 71.5 percent, since distant sentences are missed.',
    limits: 'Languages with few speakers were not tested, because no such collection exists.',
    conclusion: 'Sparse attention reduces memory use, and it reduces accuracy on long inputs.',
    citationCount: 17,
  }),
  paper({
    id: '2403.00033v1',
    title: 'Learned Sparsity Patterns in Transformer Attention',
    authors: ['Farid Noor'],
    abstract:
      'Patterns of sparse attention can be learned by transformers. Learned patterns save memory and need no tuning by hand.',
    method: 'We train a small network that picks 128 positions for each token, on 40 GPUs.',
    results:
      'Learned patterns lower memory use by 49 percent and training time by 18 percent against fixed patterns.',
    limits: 'The cost of training the small network is not counted. Small languages remain open.',
    conclusion: 'Learned sparse attention reduces memory use without settings chosen by hand.',
    citationCount: 8,
  }),
  paper({
    id: '2404.00044v3',
    title: 'A Survey of Sparse Attention Methods',
    authors: ['Greta Moss', 'Hiro Tanabe'],
    abstract: 'We compare 58 papers on sparse attention in transformers by memory and by quality.',
    method: 'We collected 58 papers from 2019 to 2024 and ran 21 of them on the same machine.',
    results:
      'In 20 of 21 repeated experiments sparse attention lowered memory use, on average by 44 percent.',
    limits: 'Papers that give no code could not be repeated. No paper covers small languages.',
    conclusion: 'That sparse attention reduces memory use is well supported.',
    citationCount: 96,
  }),
  paper({
    id: '2405.00055v1',
    title: 'Sparse Attention on Small Devices',
    authors: ['Ines Carvalho', 'Jonas Petrov'],
    abstract:
      'We run transformers with sparse attention on telephones, within 3 gigabytes of memory.',
    method: 'Three telephones ran seven models for two weeks; energy was measured each second.',
    results: 'Sparse attention lowers energy use by 31 percent and memory use by 50 percent.',
    limits: 'Only telephones of one maker were used.',
    conclusion: 'Sparse attention reduces memory use enough for telephones.',
    citationCount: 3,
  }),
  paper({
    id: '2406.00066v1',
    title: 'Sparse Attention in Images of the Night Sky',
    authors: ['Kofi Mensah'],
    abstract: 'Transformers with sparse attention find faint stars in images of the night sky.',
    method: 'We label 900 images by hand and train two models on them.',
    results: 'The models find 12 percent more faint stars than the usual method.',
    limits: 'All images come from one telescope.',
    conclusion: 'Sparse attention helps to find faint stars.',
    category: 'cs.CV',
    citationCount: 1,
  }),
]
