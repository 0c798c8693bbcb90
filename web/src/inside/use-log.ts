import { useEffect, useRef, useState } from 'react'
import { ApiError, call } from '../api/client.ts'
import type { LogEntry, Run } from '../api/operations.ts'
import { Timeline } from './timeline.ts'

/** A first page that is there at once, then pages that are read in a few milliseconds each. */
const firstLimit = 300
const pageLimit = 2_000
const endStatuses = new Set(['answered', 'partial', 'unanswered', 'failed'])
const firstPauseMs = 500
const maxPauseMs = 10_000

/** The log of a run as far as it was read. */
export interface KnownLog {
  /** The same list each time: it grows. `count` says how far. */
  readonly events: readonly LogEntry[]
  readonly timeline: Timeline
  readonly count: number
  /** Whether everything that the log has was read. */
  readonly isAll: boolean
  readonly run: Run | undefined
  readonly error: ApiError | undefined
  readonly isConnected: boolean
}

/** Reads the log of a run page by page, and what is added while the run is executed. */
export function useLog(runId: string): KnownLog {
  const known = useRef({ events: [] as LogEntry[], timeline: new Timeline() })
  const [state, setState] = useState<Omit<KnownLog, 'events' | 'timeline'>>({
    count: 0,
    isAll: false,
    run: undefined,
    error: undefined,
    isConnected: true,
  })
  useEffect(() => {
    const control = new AbortController()
    const { signal } = control
    const { events, timeline } = known.current
    const change = (part: Partial<typeof state>) =>
      signal.aborted || setState((before) => ({ ...before, ...part }))
    /** Reads the next page; false after the last. */
    const readPage = async (): Promise<boolean> => {
      const limit = events.length === 0 ? firstLimit : pageLimit
      const query = { after: events.at(-1)?.seq ?? 0, limit }
      const page = await call('GET /api/runs/{id}/log', { path: { id: runId }, query, signal })
      if (signal.aborted) return false
      for (const event of page.events) {
        events.push(event)
        timeline.hear(event)
      }
      const isAll = page.next === undefined
      change({ count: events.length, isAll, isConnected: true })
      return !isAll
    }
    const follow = async () => {
      for (let pauseMs = firstPauseMs; !signal.aborted; ) {
        try {
          const before = events.length
          // The first rows come before anything else is asked for.
          await readPage()
          const run = await call('GET /api/runs/{id}', { path: { id: runId }, signal })
          change({ run, isConnected: true })
          // Typing and scrolling come first. What was written until the end is read after the run's status.
          do await new Promise((resolve) => setTimeout(resolve, 10))
          while (await readPage())
          if (endStatuses.has(run.status)) return
          pauseMs = events.length > before ? firstPauseMs : Math.min(pauseMs * 1.5, maxPauseMs)
        } catch (error) {
          if (signal.aborted) return
          if (error instanceof ApiError && error.status < 500 && error.status !== 429)
            return change({ error })
          change({ isConnected: false })
          pauseMs = Math.min(pauseMs * 2, maxPauseMs)
        }
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
    }
    void follow()
    return () => control.abort()
  }, [runId])
  return { ...known.current, ...state }
}
