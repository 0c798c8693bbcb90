import { useCallback, useEffect, useRef, useState } from 'react'
import { call, describeError } from '../api/client.ts'
import type { RunSummary } from '../api/operations.ts'

const pageSize = 200
const refreshMs = 3_000

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

/** Reads runs page by page, and the newest page again from time to time. */
export function useRuns(): KnownRuns {
  const [runs, setRuns] = useState<readonly RunSummary[]>([])
  const [isRead, setRead] = useState(false)
  const [next, setNext] = useState<string>()
  const [problem, setProblem] = useState('')
  const isReading = useRef(false)
  const read = useCallback(async (cursor?: string) => {
    if (isReading.current) return
    isReading.current = true
    try {
      const query = { limit: pageSize, ...(cursor !== undefined && { cursor }) }
      const page = await call('GET /api/runs', { query })
      setRuns((known) => merge(known, page.runs, cursor === undefined && page.next === undefined))
      setNext((before) => (cursor === undefined && before !== undefined ? before : page.next))
      setProblem('')
      setRead(true)
    } catch (error) {
      setProblem(describeError(error))
    } finally {
      isReading.current = false
    }
  }, [])
  useEffect(() => {
    void read()
    const timer = setInterval(() => document.hidden || read(), refreshMs)
    return () => clearInterval(timer)
  }, [read])
  const more = useCallback(() => {
    if (next !== undefined) void read(next)
  }, [next, read])
  const refresh = useCallback(() => void read(), [read])
  return { runs, isRead, isAll: next === undefined, problem, more, refresh }
}

/** @param isWhole whether the page has all runs, so that others are gone */
function merge(
  known: readonly RunSummary[],
  page: readonly RunSummary[],
  isWhole: boolean,
): readonly RunSummary[] {
  if (isWhole) return page
  const byId = new Map([...known, ...page].map((run) => [run.runId, run]))
  return [...byId.values()].sort(
    (one, other) => other.createdAt - one.createdAt || other.runId.localeCompare(one.runId),
  )
}
