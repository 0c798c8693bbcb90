import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { describeError } from '../api/client.ts'
import type { RunSummary } from '../api/operations.ts'
import frame from '../frame/frame.module.css'
import { useKeys } from '../frame/keys.tsx'
import { addressOf, goTo, type InsideView } from '../route.ts'
import { texts } from '../texts.ts'
import { EventDetails } from './event-details.tsx'
import { EventList } from './event-list.tsx'
import { ForkDialog } from './fork-dialog.tsx'
import { GraphView } from './graph-view.tsx'
import styles from './inside.module.css'
import { useLog } from './use-log.ts'
import { Waterfall } from './waterfall.tsx'

interface InsidePageProps {
  readonly runId: string
  readonly view: InsideView
  /** The number of the event that is shown. */
  readonly seq: number | undefined
}

const { inside: said } = texts

/** The inside of a run: what took the time, every event with its input and output, and the way through the graph. */
export function InsidePage({ runId, view, seq }: InsidePageProps): ReactNode {
  const log = useLog(runId)
  const { run, error, isAll, count } = log
  const [forkAt, setForkAt] = useState<string>()
  const show = useCallback(
    (number?: number) =>
      goTo({ place: 'inside', runId, view, ...(number !== undefined && { seq: number }) }, true),
    [runId, view],
  )
  useKeys({
    Escape: () => {
      if (seq === undefined) return
      show()
      document.querySelector<HTMLElement>(`[data-seq="${seq}"]`)?.focus()
    },
  })
  const title = run?.title ?? runId
  useEffect(() => {
    document.title = `${said.title}: ${title} · ${texts.product}`
  }, [title])
  if (error !== undefined)
    return (
      <div className={frame.document}>
        <h1>{said.title}</h1>
        <p>{error.status === 404 ? texts.run.gone : describeError(error)}</p>
      </div>
    )
  return (
    <div className={seq === undefined ? undefined : styles.columns}>
      <div className={frame.wide}>
        <header>
          <p className="soft">{said.title}</p>
          <h1>{title}</h1>
          <p className={styles.head}>
            <a href={addressOf({ place: 'run', runId })}>{said.back}</a>
            {run && <b>{texts.statuses[run.status]}</b>}
            <span role="status" className="soft">
              {said.events(count, isAll)}
            </span>
          </p>
        </header>
        {!log.isConnected && <p role="status">{texts.run.reconnecting}</p>}
        <nav aria-label={said.views} className={styles.views}>
          {(['time', 'events', 'graph'] as const).map((name) => (
            <a
              key={name}
              href={addressOf({ place: 'inside', runId, view: name })}
              aria-current={name === view ? 'page' : undefined}
            >
              {said.viewNames[name]}
            </a>
          ))}
        </nav>
        {view === 'time' && <Waterfall log={log} show={show} />}
        {view === 'events' && <EventList runId={runId} log={log} seq={seq} />}
        {view === 'graph' && <GraphView runId={runId} ends={log.timeline.nodes.length} />}
      </div>
      {seq !== undefined && (
        <aside className={frame.proof} aria-label={said.event(seq)}>
          <EventDetails
            key={seq}
            runId={runId}
            seq={seq}
            onClose={() => show()}
            {...(run?.workflow !== 'code' && { onFork: setForkAt })}
          />
        </aside>
      )}
      {forkAt !== undefined && run !== undefined && (
        <ForkDialog
          run={run satisfies RunSummary}
          at={forkAt}
          onClose={() => setForkAt(undefined)}
        />
      )}
    </div>
  )
}
