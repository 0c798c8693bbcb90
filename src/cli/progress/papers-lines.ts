import type { PapersView, ShownPaper, ShownSearch } from '../render/papers-view.ts'
import type { RunView } from '../render/run-view.ts'
import { oneLine } from '../render/text.ts'
import { count, drawn, footer, type Line, type LiveFrame, spinnerAt } from './live-lines.ts'

/** Draws a run of papers: the search, each paper with its status, the synthesis and usage. */
export function papersLines(
  papers: PapersView,
  view: RunView,
  frame: LiveFrame,
): readonly string[] {
  const lines = [
    searchLine(papers, frame),
    ...fitted(
      papers.papers.map((paper) => paperLine(paper, frame)),
      papers.papers,
      Math.max(1, frame.rows - 3),
    ),
    synthesisLine(papers, frame),
  ]
  const most = Math.max(1, frame.rows - 1)
  const shown = lines.slice(-most).map((line) => drawn(line, frame))
  return [...shown, footer(view, frame)].slice(-Math.max(1, frame.rows))
}

function searchLine({ search, papers }: PapersView, frame: LiveFrame): Line {
  const isOver = papers.length > 0 || search.some(({ status }) => status !== 'searching')
  const isBusy = search.some(({ status }) => status === 'searching')
  return {
    sign: chooseSign(isBusy ? 'doing' : isOver ? 'done' : 'todo', frame),
    text: papers.length === 0 ? 'Search' : `Search: ${count(papers.length, 'paper')}`,
    note: search.map(searchText).join(', '),
  }
}

function searchText({ place, status, found }: ShownSearch): string {
  const told: Readonly<Record<string, string>> = {
    searching: 'searching …',
    used: String(found),
    empty: 'nothing',
    failed: 'failed',
  }
  return `${oneLine(place)}: ${told[status] ?? status}`
}

function paperLine(paper: ShownPaper, frame: LiveFrame): Line {
  return {
    sign: ` ${chooseSign(formatState(paper), frame)}`,
    text: oneLine(paper.title),
    note: paperNote(paper),
  }
}

type State = 'todo' | 'doing' | 'done' | 'lost'

function formatState({ status }: ShownPaper): State {
  if (status === 'found' || status === 'read') return 'todo'
  if (status === 'kept' || status === 'analysed') return 'done'
  return isLost(status) ? 'lost' : 'doing'
}

function isLost(status: string): boolean {
  return status === 'dropped' || status === 'unreadable' || status === 'failed'
}

/** A paper's status in a few words: `downloading 40 %`, `confidence 0.90`, `dropped: …`. */
function paperNote({ status, share, confidence, reason = '' }: ShownPaper): string {
  if (status === 'downloading' && share !== undefined)
    return `downloading ${Math.floor(share * 100)} %`
  if (isLost(status)) return `${status}${reason === '' ? '' : `: ${oneLine(reason)}`}`
  if (confidence !== undefined) return `confidence ${confidence.toFixed(2)}`
  return status === 'found' ? '' : status
}

function synthesisLine({ isSynthesised, node }: PapersView, frame: LiveFrame): Line {
  const state = isSynthesised ? 'done' : /^synth/.test(node) ? 'doing' : 'todo'
  return {
    sign: chooseSign(state, frame),
    text: 'Synthesis',
    note: state === 'doing' ? (frame.waiting ?? '') : '',
  }
}

/** If there is no room for all, papers in progress are left out last. */
function fitted(
  lines: readonly Line[],
  papers: readonly ShownPaper[],
  room: number,
): readonly Line[] {
  if (lines.length <= room) return lines
  const order = papers
    .map((paper, index) => ({ index, isBusy: formatState(paper) === 'doing' }))
    .toSorted((one, other) => Number(other.isBusy) - Number(one.isBusy) || one.index - other.index)
  const shown = Math.max(1, room - 1)
  const chosen = order.slice(0, shown).map(({ index }) => index)
  const kept = lines.filter((_, index) => chosen.includes(index))
  if (room === 1) return kept
  return [...kept, { sign: ' ', text: `… ${count(lines.length - shown, 'more paper')}`, note: '' }]
}

function chooseSign(state: State, { paint, elapsedMs, isOver }: LiveFrame): string {
  if (state === 'done') return paint.green('✓')
  if (state === 'todo') return paint.dim('·')
  if (state === 'lost' || isOver) return paint.yellow('–')
  return paint.cyan(spinnerAt(elapsedMs))
}
