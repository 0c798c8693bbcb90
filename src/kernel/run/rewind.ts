import type { RunEvent } from './event.ts'
import { isTopBoundary } from './place.ts'

/**
 * What still counts of what a run came to, once `event` came: a session that goes on from an earlier place takes back what
 * lies behind it.
 */
export function stillCounting<Kept extends Pick<RunEvent, 'seq'>>(
  kept: Kept[],
  { type, data }: Pick<RunEvent, 'type' | 'data'>,
): Kept[] {
  const { rewindToSeq } = data
  if (type !== 'run.resumed' || typeof rewindToSeq !== 'number') return kept
  return kept.filter(({ seq }) => seq <= rewindToSeq)
}

/** Whether a run's state is folded from an event: the end of a node of its own graph, or what a fork changed. */
export function isOfState(event: Pick<RunEvent, 'type' | 'key'>): boolean {
  return event.type === 'run.forked' || isTopBoundary(event)
}
