import type { LiveEvent, RunEvent } from '../../kernel/run/event.ts'
import { emptyPapersView, reducePapers } from '../render/papers-view.ts'
import type { RunView } from '../render/run-view.ts'
import { type LiveFrame, liveLines } from './live-lines.ts'
import { papersLines } from './papers-lines.ts'

/** What is drawn of a run in progress. */
export interface Picture {
  hear(event: LiveEvent): void
  lines(view: RunView, frame: LiveFrame): readonly string[]
}

/** A question: everything drawn is in its view. */
export const askPicture: Picture = { hear: () => {}, lines: liveLines }

/** A run of papers: the status of each. @param history the log of a resumed run so far */
export function papersPicture(history: readonly RunEvent[]): Picture {
  let papers = history.reduce(reducePapers, emptyPapersView)
  return {
    hear(event) {
      papers = reducePapers(papers, event)
    },
    lines: (view, frame) => papersLines(papers, view, frame),
  }
}
