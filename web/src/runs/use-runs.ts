import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { call, describeError } from '../api/client.ts'
import type { RunFigures, RunSummary } from '../api/operations.ts'

const pageSize = 200
const refreshMs = 3_000
/** While fewer are known, the next page is read without being asked for: a filter may leave pages empty. */
const minShown = 50

/** Which runs are listed; empty texts leave nothing out. */
export interface RunFilter {
  readonly text: string
  readonly workflow: string
  readonly status: string
  /** Days, as `2026-11-24`. */
  readonly from: string
  readonly to: string
  readonly minCostUsd: string
}

/** A filter that leaves nothing out. */
export const noFilter: RunFilter = {
  text: '',
  workflow: '',
  status: '',
  from: '',
  to: '',
  minCostUsd: '',
}

/** The runs that were read so far, newest first. */
export interface KnownRuns {
  readonly runs: readonly RunSummary[]
  readonly isRead: boolean
  readonly isAll: boolean
  readonly problem: string
  /** Reads the next page, if there is one. */
  readonly more: () => void
  readonly refresh: () => void
}

interface Known {
  readonly filter: RunFilter
  readonly runs: readonly RunSummary[]
  readonly next: string | undefined
  readonly isRead: boolean
}

/** Reads runs page by page, and the newest page again from time to time. */
export function useRuns(filter: RunFilter): KnownRuns {
  const [known, setKnown] = useState<Known>({ filter, runs: [], next: undefined, isRead: false })
  const [problem, setProblem] = useState('')
  const current = useRef(filter)
  current.current = filter
  const isReading = useRef<RunFilter>(undefined)
  const read = useCallback(
    async (cursor?: string) => {
      if (isReading.current === filter) return
      isReading.current = filter
      try {
        const page = await call('GET /api/runs', {
          query: { ...toQuery(filter), cursor } as object,
        })
        if (current.current !== filter) return
        setKnown((before) => {
          const isSame = before.filter === filter && before.isRead
          const runs = isSame ? before.runs : []
          const isFirst = cursor === undefined
          const next = isFirst && isSame && before.next !== undefined ? before.next : page.next
          const merged = isFirst ? withNewest(runs, page) : append(runs, page.runs)
          return { filter, runs: merged, next, isRead: true }
        })
        setProblem('')
      } catch (error) {
        setProblem(describeError(error))
      } finally {
        if (isReading.current === filter) isReading.current = undefined
      }
    },
    [filter],
  )
  useEffect(() => {
    void read()
    const timer = setInterval(() => document.hidden || read(), refreshMs)
    return () => clearInterval(timer)
  }, [read])
  const { next, runs } = known
  const more = useCallback(() => {
    if (next !== undefined) void read(next)
  }, [next, read])
  useEffect(() => {
    if (runs.length < minShown) more()
  }, [runs.length, more])
  const refresh = useCallback(() => void read(), [read])
  const isRead = known.isRead && known.filter === filter
  return { runs, isRead, isAll: next === undefined, problem, more, refresh }
}

function toQuery(filter: RunFilter) {
  const given = Object.entries(filter).filter(([, value]) => value !== '')
  return { limit: pageSize, ...Object.fromEntries(given) }
}

/** The newest page in front of the older runs that are known; runs that are gone from it are left out. */
function withNewest(
  known: readonly RunSummary[],
  { runs, next }: { readonly runs: readonly RunSummary[]; readonly next?: string },
): readonly RunSummary[] {
  const last = runs.at(-1)
  if (next === undefined) return runs
  if (last === undefined) return known
  const ids = new Set(runs.map(({ runId }) => runId))
  const older = known.filter(
    ({ runId, createdAt }) => createdAt <= last.createdAt && !ids.has(runId),
  )
  return [...runs, ...older]
}

function append(known: readonly RunSummary[], runs: readonly RunSummary[]): readonly RunSummary[] {
  const ids = new Set(known.slice(-2 * pageSize).map(({ runId }) => runId))
  return [...known, ...runs.filter(({ runId }) => !ids.has(runId))]
}

const figuresAfterMs = 80
const maxAsked = 50

/** The figures of the runs that are shown, by run, asked for when scrolling has come to rest. */
export function useFigures(shown: readonly RunSummary[]): ReadonlyMap<string, RunFigures> {
  const [figures, setFigures] = useState<ReadonlyMap<string, RunFigures>>(new Map())
  const missing = shown
    .filter(
      ({ runId, status, lastSeq }) =>
        status !== 'running' && figures.get(runId)?.lastSeq !== lastSeq,
    )
    .map(({ runId }) => runId)
    .slice(0, maxAsked)
    .join(',')
  useEffect(() => {
    if (missing === '') return
    const control = new AbortController()
    const ask = async () => {
      const query = { runs: missing }
      const { signal } = control
      const found = await call('GET /api/run-figures', { query, signal }).catch(() => null)
      if (found !== null && !signal.aborted)
        setFigures(
          (known) => new Map([...known, ...found.figures.map((one) => [one.runId, one] as const)]),
        )
    }
    const timer = setTimeout(ask, figuresAfterMs)
    return () => {
      clearTimeout(timer)
      control.abort()
    }
  }, [missing])
  return figures
}

const filterKey = 'scholium.runs'

/** The filter, kept in the tab for the way back, and the one to ask with, which waits for the end of typing. */
export function useFilter(): {
  readonly filter: RunFilter
  readonly settled: RunFilter
  readonly change: (part: Partial<RunFilter>) => void
} {
  const [filter, setFilter] = useState(readFilter)
  const [settled, setSettled] = useState(filter)
  useEffect(() => {
    sessionStorage.setItem(filterKey, JSON.stringify(filter))
    const timer = setTimeout(() => setSettled(filter), 200)
    return () => clearTimeout(timer)
  }, [filter])
  const change = useCallback(
    (part: Partial<RunFilter>) => setFilter((known) => ({ ...known, ...part })),
    [],
  )
  return useMemo(() => ({ filter, settled, change }), [filter, settled, change])
}

function readFilter(): RunFilter {
  try {
    return { ...noFilter, ...JSON.parse(sessionStorage.getItem(filterKey) ?? '{}') }
  } catch {
    return noFilter
  }
}
