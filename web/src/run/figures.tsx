import { type ReactNode, useEffect, useState } from 'react'
import { texts } from '../texts.ts'
import type { RunView } from './run-view.ts'

/** Time, calls and cost of a run; the time goes on while it works. */
export function Figures({
  view,
  isWorking,
}: {
  readonly view: RunView
  readonly isWorking: boolean
}): ReactNode {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!isWorking) return
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [isWorking])
  const { workedMs, sessionStartedAt, calls, costUsd } = view
  const openMs =
    isWorking && sessionStartedAt !== undefined ? Math.max(0, now - sessionStartedAt) : 0
  const cost = costUsd === null ? [] : [`$${costUsd.toFixed(4)}`]
  return (
    <span className="soft">
      {[formatTime(workedMs + openMs), texts.run.calls(calls), ...cost].join(' · ')}
    </span>
  )
}

/** `0.6 s`, `12 s`, `3:05`. */
export function formatTime(ms: number): string {
  const seconds = ms / 1_000
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  if (seconds < 60) return `${Math.round(seconds)} s`
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`
}
