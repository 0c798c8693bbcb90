import type { RunStore } from '../kernel/run/run-store.ts'
import type { FaultStore } from './fault-store.ts'

/** How often each named thing was done, counted where it was done rather than from the log. */
export type Counts = ReadonlyMap<string, number>

/**
 * Problems with the writes found after a trial: those that happened more often or less often than without faults.
 * @param mayBeLost how many may be missing because the run reports their outcome as unknown
 */
export function writeProblems(clean: Counts, found: Counts, mayBeLost: number): readonly string[] {
  const repeated = [...found].flatMap(([name, count]) => {
    const most = Math.max(1, clean.get(name) ?? 0)
    const instead = most === 1 ? '' : ` instead of ${most}`
    return count > most ? [`"${name}" was written ${count} times${instead}`] : []
  })
  const lost = [...clean].flatMap(([name, count]) => {
    const missing = count - (found.get(name) ?? 0)
    return missing > 0 ? [{ name, count, missing }] : []
  })
  const missing = lost.reduce((sum, each) => sum + each.missing, 0)
  if (missing <= mayBeLost) return repeated
  const names = lost.map(({ name, count, missing: some }) => {
    const ofHow = count === 1 ? '' : `, ${some} of ${count} times`
    return `"${name}"${ofHow}`
  })
  const told = mayBeLost === 0 ? '' : ` (of ${mayBeLost} the run says that it does not know)`
  return [...repeated, `not written: ${names.join('; ')}${told}`]
}

/**
 * The number of writes whose outcome the log reports as unknown, except those whose end was being committed when a process died:
 * these did happen.
 */
export async function countUnknown(
  store: RunStore,
  runId: string,
  views: readonly FaultStore[],
): Promise<number> {
  const ended = views.flatMap(({ cut }) => cut).filter(({ type }) => type === 'step.done')
  const done = new Set(ended.map(({ key }) => key))
  const unknown = new Set<string>()
  const query = { types: ['step.outcome_unknown'], withOutput: false } as const
  for await (const { key } of store.events(runId, query)) if (!done.has(key)) unknown.add(key)
  return unknown.size
}
