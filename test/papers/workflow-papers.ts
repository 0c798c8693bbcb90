import type { MadePaper } from './workflow-world.ts'

/** Three made-up papers that agree in one thing, and of which two contradict each other. */
export const sparsePapers: readonly MadePaper[] = [
  {
    id: 'arxiv:2401.00001',
    title: 'Windowed attention for long texts',
    more: { arxivId: '2401.00001v2', url: 'https://arxiv.org/abs/2401.00001' },
    pages: [
      'Methods. We trained twelve models with windowed attention on the Harrowmere corpus.\nData. The corpus has 40,000 documents of legal text.',
      'Results. Sparse attention reduces memory use by 38 percent on long documents. Accuracy on short texts stays within one point.\nScaling. Training time increases with the number of windows per layer.',
      'Conclusions. We conclude that windows of 512 tokens suffice for legal text.\nLimitations. Our study is limited to English documents. Future work should examine other languages.',
    ],
  },
  {
    id: 'arxiv:2402.00002',
    title: 'Sparse patterns and their costs',
    more: { arxivId: '2402.00002' },
    pages: [
      'Methods. We evaluated sparse patterns on three benchmark data sets with four baselines.',
      'Results. Sparse attention reduces memory use on long documents in each of our experiments. It costs two points of accuracy.\nScaling. Training time decreases with the number of windows per layer.',
      'Conclusions. These results suggest that sparse patterns are worth their cost.\nLimitations. We leave the question of very short texts to future work.',
    ],
  },
  {
    id: 'arxiv:2403.00003',
    title: 'A survey of efficient transformers',
    pages: [
      'Methods. We surveyed 120 papers on efficient transformers that were published since 2019.',
      'Results. Most surveyed methods trade accuracy for memory. Linear attention was rarely compared with sparse attention.',
      'Conclusions. We conclude that comparable benchmarks are missing.\nLimitations. Papers in other languages than English were not considered.',
    ],
  },
]

/** So many papers of which each says one thing of its own, in four chunks. */
export function manyPapers(count: number): readonly MadePaper[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `arxiv:25${String(index).padStart(2, '0')}.00001`,
    title: `Study ${index + 1} of glimmerstone`,
    pages: [
      `Methods. We measured sample ${index + 1} of glimmerstone with a calorimeter.`,
      `Results. Sample ${index + 1} of glimmerstone melts at ${400 + index} degrees Celsius.`,
      `Conclusions. We conclude that sample ${index + 1} came from Harrowmere.\nLimitations. Our study is limited to sample ${index + 1} alone.`,
    ],
  }))
}
