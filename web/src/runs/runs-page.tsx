import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { RunFigures, RunSummary } from '../api/operations.ts'
import { formatTime } from '../format-time.ts'
import frame from '../frame/frame.module.css'
import { useKeys } from '../frame/keys.tsx'
import { moveThroughRows } from '../frame/row-keys.ts'
import { addressOf, goTo } from '../route.ts'
import { texts } from '../texts.ts'
import { CoverageBar } from './coverage-bar.tsx'
import { RunFilters } from './run-filters.tsx'
import styles from './runs.module.css'
import { SelectionBar } from './selection-bar.tsx'
import { type KnownRuns, noFilter, useFigures, useFilter, useRuns } from './use-runs.ts'

const rowPx = 58

/** Every run, filtered by the server; chosen ones are compared, forked, replayed and deleted. */
export function RunsPage(): ReactNode {
  const { filter, settled, change } = useFilter()
  const known = useRuns(settled)
  const { runs, isRead, isAll, problem } = known
  const [chosen, setChosen] = useState<readonly RunSummary[]>([])
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    document.title = `${texts.runs.title} · ${texts.product}`
  }, [])
  const [first, second, third] = chosen
  useKeys({
    '/': () => input.current?.focus(),
    c: () => {
      if (first !== undefined && second !== undefined && third === undefined)
        goTo({ place: 'compare', first: first.runId, second: second.runId })
    },
  })
  const choose = (run: RunSummary) =>
    setChosen((before) =>
      before.some(({ runId }) => runId === run.runId)
        ? before.filter(({ runId }) => runId !== run.runId)
        : [...before, run],
    )
  const isFiltered = JSON.stringify(filter) !== JSON.stringify(noFilter)
  return (
    <div className={frame.wide}>
      <h1>{texts.runs.title}</h1>
      <RunFilters {...{ filter, change, input }} />
      <SelectionBar
        chosen={chosen}
        onDone={(gone) => {
          setChosen((before) => before.filter(({ runId }) => !gone.includes(runId)))
          known.refresh()
        }}
        onClear={() => setChosen([])}
      />
      <p role="status" className="soft">
        {isRead && texts.runs.count(runs.length, isAll)}
      </p>
      {problem !== '' && <p role="alert">{problem}</p>}
      {isRead && isAll && runs.length === 0 ? (
        <p>
          {isFiltered ? texts.runs.noneFound : texts.runs.none}{' '}
          {!isFiltered && <a href={addressOf({ place: 'ask' })}>{texts.runs.ask}</a>}
        </p>
      ) : (
        <RunTable runs={runs} known={known} chosen={chosen} choose={choose} />
      )}
    </div>
  )
}

interface RunTableProps {
  readonly runs: readonly RunSummary[]
  readonly known: KnownRuns
  readonly chosen: readonly RunSummary[]
  readonly choose: (run: RunSummary) => void
}

function RunTable({ runs, known, chosen, choose }: RunTableProps): ReactNode {
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
  const figures = useFigures(items.flatMap(({ index }) => runs[index] ?? []))
  useEffect(() => {
    if (!isAll && lastShown >= runs.length - 20) more()
  }, [isAll, lastShown, runs.length, more])
  const onKeyDown = (event: KeyboardEvent) => {
    const row = (event.target as Element).closest<HTMLElement>('[data-index]')
    const run = runs[Number(row?.dataset.index)]
    if (run === undefined) return
    if (event.key === ' ' && event.target instanceof HTMLAnchorElement) {
      event.preventDefault()
      choose(run)
      return
    }
    moveThroughRows(event, rows, runs.length, (one) => one.querySelector('a'))
  }
  return (
    <div
      role="table"
      aria-label={texts.runs.title}
      aria-rowcount={runs.length + 1}
      className={styles.table}
    >
      <div role="row" className={styles.headRow}>
        {Object.entries(texts.runs.columns).map(([name, title]) => (
          <span key={name} role="columnheader">
            {name === 'choose' ? <span className="hidden">{title}</span> : title}
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
                <Row
                  run={run}
                  figures={figures.get(run.runId)}
                  isChosen={chosen.some(({ runId }) => runId === run.runId)}
                  onChoose={() => choose(run)}
                />
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}

const when = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'short' })

interface RowProps {
  readonly run: RunSummary
  readonly figures: RunFigures | undefined
  readonly isChosen: boolean
  readonly onChoose: () => void
}

function Row({ run, figures, isChosen, onChoose }: RowProps): ReactNode {
  const { runId, title, status, createdAt, workflow } = run
  const cost = figures?.costUsd
  return (
    <>
      <span role="cell">
        <input
          type="checkbox"
          aria-label={texts.runs.choose(title)}
          checked={isChosen}
          onChange={onChoose}
        />
      </span>
      <span role="cell" className={styles.title}>
        <a href={addressOf({ place: 'run', runId })}>{title || runId}</a>
      </span>
      <span role="cell" className="soft">
        {texts.runs.kinds[workflow] ?? workflow}
      </span>
      <span role="cell" className={styles[status]}>
        {texts.statuses[status]}
      </span>
      <span role="cell">{figures?.coverage && <CoverageBar coverage={figures.coverage} />}</span>
      <span role="cell" className="soft">
        {when.format(createdAt)}
      </span>
      <span role="cell" className={`soft ${styles.number}`}>
        {figures && formatTime(figures.wallMs)}
      </span>
      <span role="cell" className={`soft ${styles.number}`}>
        {cost !== undefined && `$${cost.toFixed(4)}`}
      </span>
    </>
  )
}
