import { isSameWork } from '../../bibliography/same-work.ts'
import type { CslItem } from '../../citations/source.ts'
import type { FoundWork } from '../../sources/lookup/papers/found-work.ts'

/** A work that one or several sources found. */
export interface MergedWork {
  /** The fullest reference, its gaps filled from the others. */
  readonly item: CslItem
  readonly url?: string
  readonly pdfUrl?: string
  readonly citationCount?: number
  /** What a source says of a retraction. */
  readonly retraction?: string
  /** The names of the sources that know it, in the order in which they were given. */
  readonly sources: readonly FoundWork['record']['source'][]
}

/**
 * Works of several sources, each once: what {@link isSameWork} holds for one work is one. In turns: the first of each source, then
 * the second of each, so that every source's best stand first.
 *
 * @param lists one for each source, the best first
 */
export function mergeWorks(lists: readonly (readonly FoundWork[])[]): readonly MergedWork[] {
  const merged: MergedWork[] = []
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  for (let rank = 0; rank < longest; rank++) {
    for (const list of lists) {
      const work = list[rank]
      if (work === undefined) continue
      const known = merged.findIndex(({ item }) => isSameWork(item, work.record.item))
      const one = known < 0 ? undefined : merged[known]
      if (one === undefined) merged.push(workOf(work))
      else merged[known] = joined(one, work)
    }
  }
  return merged
}

function workOf({ record, url, pdfUrl, citationCount }: FoundWork): MergedWork {
  const { item, source, retraction } = record
  return { item, sources: [source], ...given({ url, pdfUrl, citationCount, retraction }) }
}

function joined(one: MergedWork, work: FoundWork): MergedWork {
  const other = workOf(work)
  const counts = [one.citationCount, other.citationCount].filter((count) => count !== undefined)
  return {
    ...other,
    ...one,
    item: { ...other.item, ...one.item },
    sources: [...new Set([...one.sources, ...other.sources])],
    ...(counts.length === 0 ? {} : { citationCount: Math.max(...counts) }),
  }
}

function given<Value extends object>(value: Value) {
  const entries = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(entries) as {
    readonly [name in keyof Value]?: NonNullable<Value[name]>
  }
}
