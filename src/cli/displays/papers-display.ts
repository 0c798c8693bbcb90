import type { PapersAnswer } from '../../app.ts'
import type { LiveEvent } from '../../kernel/run/event.ts'
import { papersPicture } from '../progress/live-pictures.ts'
import { tellLimit } from '../render/answer-advice.ts'
import { asObject } from '../render/as-object.ts'
import { renderPapers } from '../render/render-papers.ts'
import { topNode } from '../render/run-view.ts'
import { cut, oneLine } from '../render/text.ts'
import type { WorkflowDisplay } from './workflow-display.ts'

/** Whether an event says that a paper's analysis failed, which the paper's own line says as well. */
function isFailedPaper({ key }: Pick<LiveEvent, 'key'>): boolean {
  return /^papers\/[^/]+\/paper\[\d+\]\/(?:.+\/)?failed$/.test(key)
}

/** The progress line of an event of a run of papers; `undefined` if it is of no interest. */
export function describePapersEvent(event: LiveEvent): string | undefined {
  if (event.type !== 'progress') return undefined
  const { paper, search, state } = event.data
  if (paper !== undefined) return paperText(asObject(paper))
  if (search !== undefined) return searchText(asObject(search))
  if (state !== 'started') return undefined
  return /^synth/.test(topNode(event.key)) ? 'Writing the synthesis.' : undefined
}

const mostColumnsOfTitle = 60

function paperText({ title, status, share, confidence, reason }: ReturnType<typeof asObject>) {
  const name = `“${cut(oneLine(String(title)), mostColumnsOfTitle)}”`
  const why = typeof reason === 'string' ? `: ${reason}` : '.'
  switch (status) {
    case 'downloading':
      // Progress within it is shown only by the drawing.
      return share === undefined || share === 0 ? `Downloading ${name}.` : undefined
    case 'reading':
      return `Reading ${name}.`
    case 'analysing':
      return `Analysing ${name}.`
    case 'analysed':
      return `Analysed ${name}, confidence ${Number(confidence ?? 0).toFixed(2)}.`
    case 'dropped':
      // The failure has already been reported.
      if (confidence === 0 && !/not analysed/i.test(String(reason))) return undefined
      return `Dropped ${name}${why}`
    case 'unreadable':
      return `${name} cannot be read${why}`
    case 'failed':
      return `${name} failed${why}`
    default:
      return undefined
  }
}

function searchText({ place, status, found, detail }: ReturnType<typeof asObject>) {
  switch (status) {
    case 'searching':
      return `Searching ${place}.`
    case 'used':
      return `${place}: ${found} ${found === 1 ? 'paper' : 'papers'}. ${detail ?? ''}`.trim()
    case 'empty':
      return `${place}: nothing.`
    case 'failed':
      return `${place} could not be searched: ${detail ?? ''}`
    default:
      return undefined
  }
}

/** How runs of papers are shown: the status of each paper. */
export const papersDisplay: WorkflowDisplay<PapersAnswer> = {
  titleLabel: 'Topic',
  describe: describePapersEvent,
  isToldElsewhere: isFailedPaper,
  picture: papersPicture,
  render: renderPapers,
  tellEnd: tellLimit,
}
