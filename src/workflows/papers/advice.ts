import type { PapersState } from './state.ts'

/** What a person can do where a run ended without a synthesis, after what happened. Markdown. */
export function adviceFor(state: PapersState, kind: 'no_papers' | 'none_kept'): string {
  return kind === 'no_papers' ? noPapers(state) : noneKept(state)
}

function noPapers({ search, category, searchFor }: PapersState): string {
  const asked = search.filter(({ outcome }) => outcome !== 'not asked')
  const failed = asked.filter(({ outcome }) => outcome === 'failed')
  const where = asked.map(({ place }) => place).join(', ') || 'no place'
  const advice = [
    ...(failed.length > 0 ? ['Try again later: a place that was asked did not answer.'] : []),
    'Use fewer and more general words.',
    ...(category === '' ? [] : [`Leave the category ${category} out.`]),
    'Look in other places: a folder of PDFs (`--source DIR`), the library (`--source library`), or arXiv and others (`--web`).',
  ]
  const first = searchFor === '' ? 'There is no paper.' : `No paper was found in ${where}.`
  return [first, ...advice.map((line) => `- ${line}`)].join('\n')
}

function noneKept({ papers, threshold, dropped, unread }: PapersState): string {
  const titles = new Map(papers.map(({ id, title }) => [id, title || id]))
  const reasons = [...unread, ...dropped].map(
    ({ paperId, reason }) => `- ${titles.get(paperId) ?? paperId}: ${reason}`,
  )
  const advice = [
    ...(dropped.length > 0
      ? [`Keep papers of which less was seen: a threshold below ${threshold} (\`--threshold\`).`]
      : []),
    'Ask for more papers (`-n`), or give files of your own (`--source`).',
  ]
  return [
    `None of ${papers.length} papers could be used:`,
    ...reasons,
    '',
    ...advice.map((line) => `- ${line}`),
  ].join('\n')
}
