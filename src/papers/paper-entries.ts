import type { PaperEntry, PaperStatus } from './result.ts'
import { numberOf, type PapersState } from './state.ts'

/** The papers of a result, each with its number and where it ended. */
export function paperEntries(state: PapersState): readonly PaperEntry[] {
  return state.papers.map((paper): PaperEntry => {
    const { id } = paper
    const n = numberOf(state, id)
    const reading = state.readings[id]
    const analysis = state.analyses.find(({ paperId }) => paperId === id)
    const { status, reason } = endOf(state, id)
    return {
      ...paper,
      ...(n === undefined ? {} : { n }),
      status,
      ...(analysis === undefined ? {} : { confidence: analysis.confidence }),
      ...(reading === undefined
        ? {}
        : {
            pageCount: reading.pageCount,
            chunkCount: reading.chunks.length,
            referenceCount: reading.referenceCount,
          }),
      ...(reason === undefined ? {} : { reason }),
    }
  })
}

function endOf(
  state: PapersState,
  id: string,
): { readonly status: PaperStatus; readonly reason?: string } {
  if (state.kept.includes(id)) return { status: 'kept' }
  const unread = state.unread.find(({ paperId }) => paperId === id)
  if (unread !== undefined) return { status: unread.status, reason: unread.reason }
  const analysis = state.analyses.find(({ paperId }) => paperId === id)
  const failed = analysis?.error
  if (failed !== undefined) return { status: 'failed', reason: failed }
  const dropped = state.dropped.find(({ paperId }) => paperId === id)
  if (dropped !== undefined) return { status: 'dropped', reason: dropped.reason }
  return { status: 'found', reason: 'The run ended before it was looked at.' }
}
