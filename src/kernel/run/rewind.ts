import type { EventOf, StoredEvent } from './event.ts'
import { isTopBoundary } from './place.ts'

/** The entries that still count after `event`: resuming from an earlier place discards everything after it. */
export function effectiveEvents<Kept extends Pick<StoredEvent, 'seq'>>(
  kept: Kept[],
  { type, data }: Pick<StoredEvent, 'type' | 'data'>,
): Kept[] {
  const { rewindToSeq } = data
  if (type !== 'run.resumed' || typeof rewindToSeq !== 'number') return kept
  return kept.filter(({ seq }) => seq <= rewindToSeq)
}

/** An event from which a run's state is folded. */
export type StateEvent = EventOf<'run.forked' | 'node.done'>

/** Whether a run's state is folded from an event: the end of a node of its own graph, or the changes of a fork. */
export function isStateEvent<E extends Pick<StoredEvent, 'type' | 'key'>>(
  event: E,
): event is E & { readonly type: StateEvent['type'] } {
  return event.type === 'run.forked' || isTopBoundary(event)
}
