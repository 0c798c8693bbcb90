import type { RunContext } from '../kernel/run/run-context.ts'
import type { Paper } from './paper.ts'

/** A paper's progress, as reported to listeners. */
export type PaperStage =
  | 'found'
  | 'downloading'
  | 'reading'
  | 'read'
  | 'analysing'
  | 'analysed'
  | 'kept'
  | 'dropped'
  | 'unreadable'
  | 'failed'

/** Data of a transient `progress` event about a paper. */
export type PaperProgress = {
  readonly paper: {
    readonly paperId: string
    readonly title: string
    readonly status: PaperStage
    /** Fraction downloaded, 0 to 1. */
    readonly share?: number
    /** Confidence of the analysis, 0 to 1. */
    readonly confidence?: number
    /** Why it was dropped, unreadable or failed. */
    readonly reason?: string
  }
}

/** Data of a transient `progress` event about the search of a place. */
export type SearchProgress = {
  readonly search: {
    readonly place: string
    readonly status: 'searching' | 'used' | 'empty' | 'failed'
    readonly found?: number
    readonly detail?: string
  }
}

/** Reports a paper's progress to listeners. */
export function emitPaperProgress(
  context: RunContext,
  { id, title }: Pick<Paper, 'id' | 'title'>,
  status: PaperStage,
  more: Omit<PaperProgress['paper'], 'paperId' | 'title' | 'status'> = {},
): void {
  context.emit('progress', { paper: { paperId: id, title, status, ...more } })
}

/** Reports a search's progress to listeners. */
export function emitSearchProgress(context: RunContext, search: SearchProgress['search']): void {
  context.emit('progress', { search })
}
