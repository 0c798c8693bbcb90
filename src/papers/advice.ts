import { placeNames } from './input.ts'
import type { PapersState } from './state.ts'

/** Next steps for a run that ended without a synthesis, after a sentence on what happened. Markdown. */
export function adviceFor(state: PapersState, kind: 'no_papers' | 'none_kept'): string {
  return kind === 'no_papers' ? adviseOnNoPapers(state) : adviseOnNoneKept(state)
}

function adviseOnNoPapers({ search, category, searchFor }: PapersState): string {
  const asked = search.filter(({ outcome }) => outcome !== 'not asked')
  const places = asked.map(({ place }) => place)
  const failed = asked.filter(({ outcome }) => outcome === 'failed')
  const told = asked.flatMap(({ outcome, detail }) => (outcome === 'empty' ? detail : []))
  // Given files are never filtered by the words of the query.
  const isByWords = places.some((place) => place !== placeNames.files)
  const advice = [
    ...(failed.length > 0 ? ['Try again later: a service did not respond.'] : []),
    ...(places.includes(placeNames.files) ? [fileAdvice] : []),
    ...(places.includes(placeNames.library) ? [libraryAdvice] : []),
    ...(isByWords ? ['Use fewer and more general words.'] : []),
    ...(category === '' || !isByWords ? [] : [`Omit the category ${category}.`]),
    'Look in other places: a folder of PDFs (`--source DIR`), the library (`--source library`), or arXiv and others (`--web`).',
  ]
  const first =
    searchFor === ''
      ? 'No papers were found.'
      : [`No paper was found in ${places.join(', ') || 'no place'}.`, ...told].join(' ').trim()
  return [first, ...advice.map((line) => `- ${line}`)].join('\n')
}

const fileAdvice = 'Give PDFs, or a folder with PDFs, Word documents, EPUB, HTML, Markdown or text.'
const libraryAdvice =
  'Add papers to the library (`scholium library add DIR`), and list them: `scholium library list`.'

function adviseOnNoneKept(state: PapersState): string {
  const { papers, dropped, unread } = state
  const titles = new Map(papers.map(({ id, title }) => [id, title || id]))
  const reasons = [...unread, ...dropped].map(
    ({ paperId, reason }) => `- ${titles.get(paperId) ?? paperId}: ${reason}`,
  )
  const first =
    papers.length === 1
      ? 'The one paper that was found could not be used:'
      : `None of ${papers.length} papers could be used:`
  return [first, ...reasons, '', ...listNextSteps(state).map((line) => `- ${line}`)].join('\n')
}

function listNextSteps({
  papers,
  analyses,
  threshold,
  unread,
  count,
}: PapersState): readonly string[] {
  const isBelow = analyses.some((one) => one.error === undefined && one.confidence < threshold)
  const isUnreadable = unread.some(({ status }) => status === 'unreadable')
  return [
    ...(isBelow
      ? [
          `Keep papers of which less was seen with a threshold below ${threshold} (\`--threshold\`).`,
        ]
      : []),
    ...(isUnreadable ? [unreadableAdvice] : []),
    papers.length < count
      ? 'Give other files (`--source`), or look elsewhere: the library (`--source library`), arXiv and others (`--web`).'
      : 'Ask for more papers (`-n`), or give files of your own (`--source`).',
  ]
}

const unreadableAdvice =
  'Save protected PDFs without a password, run OCR on scans, download broken files again.'
