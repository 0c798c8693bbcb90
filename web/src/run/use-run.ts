import { useCallback, useEffect, useState } from 'react'
import type { ApiError } from '../api/client.ts'
import { call } from '../api/client.ts'
import { followRun } from '../api/follow-run.ts'
import type { Run } from '../api/operations.ts'
import { emptyView, type RunView, reduceRun } from './run-view.ts'

const askAgainMs = 200

/** A run as the page knows it. */
export interface KnownRun {
  readonly view: RunView
  /** The run with its result or question, as the server last told it. */
  readonly run: Run | undefined
  readonly isConnected: boolean
  readonly error: ApiError | undefined
  /** Follows the run again, after something was done with it. */
  readonly refresh: (run: Run) => void
}

/** Follows a run while the component is shown. */
export function useRun(runId: string): KnownRun {
  const [view, setView] = useState(emptyView)
  const [run, setRun] = useState<Run>()
  const [isConnected, setConnected] = useState(true)
  const [error, setError] = useState<ApiError>()
  const [round, setRound] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each round follows the run anew
  useEffect(() => {
    const control = new AbortController()
    const { signal } = control
    let known = emptyView
    const ask = async (): Promise<void> => {
      const told = await call('GET /api/runs/{id}', { path: { id: runId }, signal }).catch(
        () => null,
      )
      if (told !== null) setRun(told)
      // The log may be ahead of the run's status.
      const isBehind = told?.status === 'running' && known.status !== 'running'
      if (isBehind && !signal.aborted) setTimeout(ask, askAgainMs)
    }
    void ask()
    const following = followRun(
      runId,
      {
        hear(events) {
          const { status } = known
          known = events.reduce(reduceRun, known)
          setView(known)
          if (known.status !== status) void ask()
        },
        connect(isNow) {
          setConnected(isNow)
          if (isNow) void ask()
        },
        fail: setError,
      },
      signal,
    )
    void following.then(() => (signal.aborted ? undefined : ask()))
    return () => control.abort()
  }, [runId, round])
  const refresh = useCallback((changed: Run) => {
    setRun(changed)
    setRound((count) => count + 1)
  }, [])
  return { view, run, isConnected, error, refresh }
}
