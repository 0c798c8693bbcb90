import type { EventOf, LiveEvent } from '../../kernel/run/event.ts'
import { findDisplayOfEvent } from '../displays/displays.ts'
import type { RunView } from '../render/run-view.ts'

/**
 * The progress line of an event; `undefined` if it is of no interest.
 * @param view the run's view after this event
 */
export function describeEvent(event: LiveEvent, view: RunView): string | undefined {
  const display = findDisplayOfEvent(event)
  if (display.isToldElsewhere?.(event) === true) return undefined
  if ('transient' in event) {
    if (event.type === 'progress' && event.data.text !== undefined)
      return event.data.text.replace(/(?<![.!?]) (?=Trying again in \d+ s\.$)/, '. ')
    return display.describe(event, view)
  }
  switch (event.type) {
    case 'run.started':
      return `Run ${event.runId}`
    case 'run.resumed':
      return `Resuming run ${event.runId}.`
    case 'limit.reached':
      return event.data.failure.message
    case 'notice':
      return describeNotice(event)
    default:
      return display.describe(event, view)
  }
}

/** Whether an event's line stays, even if a drawing replaces the others. */
export function isLasting(event: LiveEvent): boolean {
  return !('transient' in event) && (event.type === 'notice' || event.type === 'limit.reached')
}

function describeNotice({ data }: EventOf<'notice'>): string | undefined {
  const { level, text, usage } = data
  // A model without a price costs nothing.
  if (usage?.costUsd === 0) return undefined
  return level === 'info' ? `Note: ${text}` : `${level === 'error' ? 'Failed' : 'Warning'}: ${text}`
}
