import type { LiveEvent } from '../../src/index.ts'

/** Where a process is killed: each while some of that work is done and some is not. */
export const stages = ['search', 'download', 'reading', 'analysis', 'synthesis', 'check'] as const
export type Stage = (typeof stages)[number]

/** Whether an event is one at which a process is to be stopped in a stage, after those that were heard. */
export function isAt(stage: Stage, event: LiveEvent, heard: readonly LiveEvent[]): boolean {
  switch (stage) {
    case 'search':
      return hasEnded(event, /^papers\/retriever\[\d+\]\/search\//)
    case 'download':
      // A second file is on its way, and a first one is there.
      return isShare(event) && heard.some((one) => hasEnded(one, /\/download$/))
    case 'reading':
      return statusOf(event) === 'reading' && heard.some((one) => hasEnded(one, /\/read$/))
    case 'analysis':
      return hasEnded(event, /^papers\/analyzer.*\/model$/)
    case 'synthesis':
      return hasBegun(event, /^papers\/synthesizer.*\/model$/)
    case 'check':
      return hasEnded(event, /^papers\/synthesizer.*\/model$/)
  }
}

function hasEnded(event: LiveEvent, key: RegExp): boolean {
  return !('transient' in event) && event.type === 'step.done' && key.test(event.key)
}

function hasBegun(event: LiveEvent, key: RegExp): boolean {
  return !('transient' in event) && event.type === 'step.started' && key.test(event.key)
}

function isShare(event: LiveEvent): boolean {
  const { status, share } = paperOf(event)
  return status === 'downloading' && Number(share) > 0 && Number(share) < 1
}

function statusOf(event: LiveEvent): unknown {
  return paperOf(event).status
}

function paperOf(event: LiveEvent): Readonly<Record<string, unknown>> {
  const paper = event.type === 'progress' ? event.data.paper : undefined
  return (typeof paper === 'object' && paper !== null ? paper : {}) as Readonly<
    Record<string, unknown>
  >
}
