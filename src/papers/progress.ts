import type { RunContext } from '../kernel/run/run-context.ts'
import type { Paper } from './paper.ts'

/** Where a paper is on its way, as listeners of a run hear it while it happens. */
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

/** The data of a transient event `progress` about a paper. */
export type PaperProgress = {
  readonly paper: {
    readonly paperId: string
    readonly title: string
    readonly status: PaperStage
    /** Of what is downloaded, 0 to 1. */
    readonly share?: number
    /** Of an analysis, 0 to 1. */
    readonly confidence?: number
    /** Why it is dropped, unreadable or failed. */
    readonly reason?: string
  }
}

/** The data of a transient event `progress` about a place that is asked for papers. */
export type SearchProgress = {
  readonly search: {
    readonly place: string
    readonly status: 'searching' | 'used' | 'empty' | 'failed'
    readonly found?: number
    readonly detail?: string
  }
}

/** Tells listeners where a paper is. */
export function emitPaperProgress(
  context: RunContext,
  { id, title }: Pick<Paper, 'id' | 'title'>,
  status: PaperStage,
  more: Omit<PaperProgress['paper'], 'paperId' | 'title' | 'status'> = {},
): void {
  context.emit('progress', { paper: { paperId: id, title, status, ...more } })
}

/** Tells listeners how a search goes. */
export function emitSearchProgress(context: RunContext, search: SearchProgress['search']): void {
  context.emit('progress', { search })
}
