import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { call, describeError } from '../api/client.ts'
import type { RunSummary } from '../api/operations.ts'
import frame from '../frame/frame.module.css'
import { useKeys } from '../frame/keys.tsx'
import { addressOf } from '../route.ts'
import { texts } from '../texts.ts'
import styles from './runs.module.css'
import { type KnownRuns, useRuns } from './use-runs.ts'

const rowPx = 58

/** Every run, filtered by typing. */
export function RunsPage(): ReactNode {
  const known = useRuns()
  const { runs, isRead, isAll, problem, more } = known
  const [filter, setFilter] = useState('')
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    document.title = `${texts.runs.title} · ${texts.product}`
  }, [])
  useKeys({ '/': () => input.current?.focus() })
  const found = useMemo(() => filterRuns(runs, filter), [runs, filter])
  // While few match, the older ones are looked through as well.
  const isSearching = filter !== '' && found.length < 50 && !isAll
  useEffect(() => {
    if (isSearching) more()
  }, [isSearching, more])
  return (
    <div className={frame.wide}>
      <h1>{texts.runs.title}</h1>
      <div className={styles.filter}>
        <label>
          {texts.runs.filter}
          <input
            ref={input}
            type="search"
            value={filter}
            placeholder={texts.runs.filterHint}
            onChange={(event) => setFilter(event.target.value)}
          />
        </label>
        <span role="status" className="soft">
          {isRead && texts.runs.count(found.length, isAll)}
        </span>
      </div>
      {problem !== '' && <p role="alert">{problem}</p>}
      {isRead && found.length === 0 ? (
        <p>
          {filter === '' ? texts.runs.none : texts.runs.noneFound}{' '}
          {filter === '' && <a href={addressOf({ place: 'ask' })}>{texts.runs.ask}</a>}
        </p>
      ) : (
        <RunTable runs={found} known={known} />
      )}
      <p className="soft small">{texts.runs.keys}</p>
    </div>
  )
}

function filterRuns(runs: readonly RunSummary[], filter: string): readonly RunSummary[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return runs
  return runs.filter((run) => {
    const text = [run.title, kindOf(run), texts.statuses[run.status], run.runId].join(' ')
    return words.every((word) => text.toLowerCase().includes(word))
  })
}

function kindOf({ workflow }: RunSummary): string {
  return texts.runs.kinds[workflow] ?? workflow
}

function RunTable({
  runs,
  known,
}: {
  readonly runs: readonly RunSummary[]
  readonly known: KnownRuns
}): ReactNode {
  const box = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: runs.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowPx,
    getItemKey: (index) => runs[index]?.runId ?? index,
    overscan: 8,
  })
  const items = rows.getVirtualItems()
  const lastShown = items.at(-1)?.index ?? 0
  const { more, isAll } = known
  useEffect(() => {
    if (!isAll && lastShown >= runs.length - 20) more()
  }, [isAll, lastShown, runs.length, more])
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const row = (event.target as Element).closest<HTMLElement>('[data-index]')
    if (step === undefined || row === null) return
    event.preventDefault()
    const index = Number(row.dataset.index) + step
    if (index < 0 || index >= runs.length) return
    rows.scrollToIndex(index)
    requestAnimationFrame(() =>
      box.current?.querySelector<HTMLElement>(`[data-index="${index}"] a`)?.focus(),
    )
  }
  const { columns } = texts.runs
  return (
    <div
      role="table"
      aria-label={texts.runs.title}
      aria-rowcount={runs.length + 1}
      className={styles.table}
    >
      <div role="row" className={styles.headRow}>
        {Object.values(columns).map((name) => (
          <span key={name} role="columnheader">
            {name}
          </span>
        ))}
      </div>
      <div ref={box} role="rowgroup" className={styles.box} onKeyDown={onKeyDown}>
        <div role="presentation" className={styles.all} style={{ height: rows.getTotalSize() }}>
          {items.map(({ index, key, start }) => {
            const run = runs[index]
            if (run === undefined) return null
            return (
              <div
                key={key}
                role="row"
                aria-rowindex={index + 2}
                data-index={index}
                className={styles.row}
                style={{ transform: `translateY(${start}px)`, height: rowPx }}
              >
                <Row run={run} refresh={known.refresh} />
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}

const when = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'short' })

function Row({
  run,
  refresh,
}: {
  readonly run: RunSummary
  readonly refresh: () => void
}): ReactNode {
  const { runId, title, status, createdAt } = run
  return (
    <>
      <span role="cell" className={styles.title}>
        <a href={addressOf({ place: 'run', runId })}>{title || runId}</a>
      </span>
      <span role="cell" className="soft">
        {kindOf(run)}
      </span>
      <span role="cell" className={styles[status]}>
        {texts.statuses[status]}
      </span>
      <span role="cell" className="soft">
        {when.format(createdAt)}
      </span>
      <span role="cell" className={styles.acts}>
        <RowActions run={run} refresh={refresh} />
      </span>
    </>
  )
}

function RowActions({
  run,
  refresh,
}: {
  readonly run: RunSummary
  readonly refresh: () => void
}): ReactNode {
  const [isSure, setSure] = useState(false)
  const [problem, setProblem] = useState('')
  const { runId, title, status, workflow } = run
  const path = { id: runId }
  const act = (does: Promise<unknown>) =>
    does.then(refresh, (error: unknown) => setProblem(describeError(error)))
  const named = (name: string) => texts.runs.actOn(name, title)
  if (problem !== '') return <span role="alert">{problem}</span>
  if (status === 'running')
    return (
      <button
        type="button"
        aria-label={named(texts.runs.stop)}
        onClick={() => act(call('POST /api/runs/{id}/cancel', { path }))}
      >
        {texts.runs.stop}
      </button>
    )
  if (isSure)
    return (
      <>
        <button
          type="button"
          className="danger"
          aria-label={named(texts.runs.sure)}
          onClick={() => act(call('DELETE /api/runs/{id}', { path }))}
        >
          {texts.runs.sure}
        </button>
        <button
          type="button"
          className="quiet"
          aria-label={named(texts.runs.keep)}
          onClick={() => setSure(false)}
        >
          {texts.runs.keep}
        </button>
      </>
    )
  return (
    <>
      {status === 'interrupted' && workflow !== 'code' && (
        <button
          type="button"
          aria-label={named(texts.runs.resume)}
          onClick={() => act(call('POST /api/runs/{id}/resume', { path }))}
        >
          {texts.runs.resume}
        </button>
      )}
      <button
        type="button"
        className="quiet"
        aria-label={named(texts.runs.delete)}
        onClick={() => setSure(true)}
      >
        {texts.runs.delete}
      </button>
    </>
  )
}
