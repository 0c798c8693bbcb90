import { type ReactNode, useEffect, useState } from 'react'
import { formatTime } from '../format-time.ts'
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
