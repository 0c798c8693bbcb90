import { useVirtualizer } from '@tanstack/react-virtual'
import { type PointerEvent, type ReactNode, useMemo, useRef, useState } from 'react'
import { formatSpan } from '../format-time.ts'
import { useKeys } from '../frame/keys.tsx'
import { moveThroughRows } from '../frame/row-keys.ts'
import { texts } from '../texts.ts'
import styles from './inside.module.css'
import type { RoleUse, TimedNode, TimedStep, Timeline, TimeShare } from './timeline.ts'
import type { KnownLog } from './use-log.ts'

const { inside: said } = texts
const rowPx = 30
const minWindowMs = 1
/** With more steps, only the nodes are shown at first. */
const maxOpenSteps = 300
/** What took the time is worked out anew after so many more events. */
const sharesEach = 20_000

interface Zoom {
  readonly fromMs: number
  readonly toMs: number
}

interface WaterfallProps {
  readonly log: KnownLog
  readonly show: (seq: number) => void
}

/** What took the time, in words and as bars that can be zoomed into, and what it cost. */
export function Waterfall({ log, show }: WaterfallProps): ReactNode {
  const { timeline, count, isAll } = log
  const [zoom, setZoom] = useState<Zoom>()
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const whole = { fromMs: 0, toMs: Math.max(minWindowMs, timeline.totalMs) }
  const shown = zoom ?? whole
  const round = isAll ? count : Math.floor(count / sharesEach)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the timeline grows in place
  const shares = useMemo(() => timeline.shares(), [timeline, round])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the timeline grows in place
  const rows = useMemo(() => toRows(timeline, toggled), [timeline, toggled, count])
  const zoomBy = (factor: number) => () => {
    const middle = (shown.fromMs + shown.toMs) / 2
    const half = Math.max(minWindowMs, (shown.toMs - shown.fromMs) * factor) / 2
    setZoom(within(whole, middle - half, middle + half))
  }
  const panBy = (share: number) => () => {
    const by = (shown.toMs - shown.fromMs) * share
    if (zoom !== undefined && shown.fromMs + by >= 0 && shown.toMs + by <= whole.toMs)
      setZoom({ fromMs: shown.fromMs + by, toMs: shown.toMs + by })
  }
  useKeys({
    '+': zoomBy(0.5),
    '-': zoomBy(2),
    0: () => setZoom(undefined),
    ArrowLeft: panBy(-0.25),
    ArrowRight: panBy(0.25),
  })
  return (
    <>
      <Shares shares={shares} totalMs={timeline.totalMs} />
      <section aria-labelledby="waterfall" className={styles.section}>
        <h2 id="waterfall">{said.waterfall}</h2>
        <div className={styles.buttons}>
          <button type="button" onClick={zoomBy(0.5)}>
            {said.zoomIn}
          </button>
          <button type="button" onClick={zoomBy(2)} disabled={zoom === undefined}>
            {said.zoomOut}
          </button>
          <button type="button" onClick={() => setZoom(undefined)} disabled={zoom === undefined}>
            {said.wholeRun}
          </button>
          <span className="soft small">{said.zoomKeys}</span>
        </div>
        <Axis whole={whole} shown={shown} onZoom={(from, to) => setZoom(within(whole, from, to))} />
        <Bars
          rows={rows}
          shown={shown}
          totalMs={timeline.totalMs}
          onToggle={(key) => setToggled((before) => withToggled(before, key))}
          show={show}
        />
      </section>
      <Money roles={[...timeline.roles.values()]} />
    </>
  )
}

function within(whole: Zoom, fromMs: number, toMs: number): Zoom | undefined {
  const from = Math.max(whole.fromMs, fromMs)
  const to = Math.min(whole.toMs, Math.max(from + minWindowMs, toMs))
  return from <= whole.fromMs && to >= whole.toMs ? undefined : { fromMs: from, toMs: to }
}

function withToggled(before: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const after = new Set(before)
  if (!after.delete(key)) after.add(key)
  return after
}

type BarRow =
  | { readonly node: TimedNode; readonly isOpen: boolean; readonly step?: never }
  | { readonly step: TimedStep; readonly node?: never }

function toRows({ nodes }: Timeline, toggled: ReadonlySet<string>): readonly BarRow[] {
  const total = nodes.reduce((sum, { steps }) => sum + steps.length, 0)
  const rows: BarRow[] = []
  for (const node of nodes) {
    const isOpen = total <= maxOpenSteps !== toggled.has(node.key)
    rows.push({ node, isOpen })
    if (isOpen) for (const step of node.steps) rows.push({ step })
  }
  return rows
}

/** What took the time, in words. */
function Shares({
  shares,
  totalMs,
}: {
  readonly shares: readonly TimeShare[]
  readonly totalMs: number
}): ReactNode {
  return (
    <section aria-labelledby="shares" className={styles.section}>
      <h2 id="shares">{said.shares}</h2>
      {shares.length === 0 ? (
        <p className="soft">{said.noShares}</p>
      ) : (
        <ul className={styles.shares}>
          {shares.slice(0, 5).map(({ what, ms, calls }) => (
            <li key={`${what.kind} ${what.name}`}>
              {said.share(
                formatSpan(ms),
                formatSpan(totalMs),
                said.whats[what.kind](what.name, calls),
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

interface AxisProps {
  readonly whole: Zoom
  readonly shown: Zoom
  readonly onZoom: (fromMs: number, toMs: number) => void
}

/** The time of the whole run; what is drawn over is zoomed into. */
function Axis({ whole, shown, onZoom }: AxisProps): ReactNode {
  const [drawn, setDrawn] = useState<readonly [number, number]>()
  const toMs = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const share = Math.min(1, Math.max(0, (event.clientX - left) / width))
    return share * whole.toMs
  }
  const [fromMs, untilMs] = drawn ?? [shown.fromMs, shown.toMs]
  const percent = (ms: number) => `${(100 * ms) / whole.toMs}%`
  const finish = () => {
    if (drawn !== undefined && Math.abs(drawn[1] - drawn[0]) > minWindowMs)
      onZoom(Math.min(...drawn), Math.max(...drawn))
    setDrawn(undefined)
  }
  return (
    <div
      className={styles.axis}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        setDrawn([toMs(event), toMs(event)])
      }}
      onPointerMove={(event) => drawn && setDrawn([drawn[0], toMs(event)])}
      onPointerUp={finish}
      onPointerCancel={() => setDrawn(undefined)}
    >
      <span
        className={styles.window}
        style={{
          left: percent(Math.min(fromMs, untilMs)),
          width: percent(Math.abs(untilMs - fromMs)),
        }}
      />
      <span className={styles.from}>{formatSpan(shown.fromMs)}</span>
      <span className={styles.to}>{formatSpan(shown.toMs)}</span>
    </div>
  )
}

interface BarsProps {
  readonly rows: readonly BarRow[]
  readonly shown: Zoom
  readonly totalMs: number
  readonly onToggle: (key: string) => void
  readonly show: (seq: number) => void
}

function Bars({ rows, shown, totalMs, onToggle, show }: BarsProps): ReactNode {
  const box = useRef<HTMLDivElement>(null)
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowPx,
    overscan: 10,
  })
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys come from the rows
    <div
      ref={box}
      className={styles.bars}
      onKeyDown={(event) => moveThroughRows(event, list, rows.length)}
    >
      <ul className={styles.all} style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map(({ index, start }) => {
          const row = rows[index]
          if (row === undefined) return null
          const { node, step } = row
          const endMs = step?.isOpen ? totalMs : (step ?? node).endMs
          const hasSteps = node !== undefined && node.steps.length > 0
          const took = formatSpan(endMs - (step ?? node).startMs)
          return (
            <li
              key={step?.seq ?? node?.key}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              className={styles.place}
              style={{ transform: `translateY(${start}px)`, height: rowPx }}
            >
              <button
                type="button"
                data-index={index}
                data-seq={(step ?? node)?.seq}
                className={node ? styles.nodeRow : styles.stepRow}
                {...(hasSteps && { 'aria-expanded': row.isOpen })}
                onClick={() => (hasSteps ? onToggle(node.key) : show((step ?? node).seq))}
              >
                <span className={styles.key}>
                  {node ? `${hasSteps ? (row.isOpen ? '▾' : '▸') : ' '} ${node.label}` : step.label}
                </span>
                <span className="soft">
                  {took}
                  {step?.isFailed && <b className="tone-bad"> ✕</b>}
                </span>
                <Bar
                  shown={shown}
                  startMs={(step ?? node).startMs}
                  endMs={endMs}
                  kind={step?.what.kind ?? 'node'}
                />
              </button>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

function Bar({
  shown,
  startMs,
  endMs,
  kind,
}: {
  readonly shown: Zoom
  readonly startMs: number
  readonly endMs: number
  readonly kind: string
}): ReactNode {
  const length = shown.toMs - shown.fromMs
  const left = Math.max(0, (startMs - shown.fromMs) / length)
  const right = Math.min(1, (endMs - shown.fromMs) / length)
  const isOutside = right < 0 || left > 1
  return (
    <span className={styles.track} aria-hidden="true">
      {!isOutside && (
        <span
          className={`${styles.timeBar} ${styles[kind] ?? ''}`}
          style={{ left: `${100 * left}%`, width: `${100 * Math.max(0, right - left)}%` }}
        />
      )}
    </span>
  )
}

/** Calls, tokens and cost by role. */
function Money({ roles }: { readonly roles: readonly RoleUse[] }): ReactNode {
  if (roles.length === 0) return null
  const number = new Intl.NumberFormat()
  return (
    <section aria-labelledby="money" className={styles.section}>
      <h2 id="money">{said.money}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys */}
      <section className={styles.scroll} tabIndex={0} aria-label={said.scrolls(said.money)}>
        <table className={styles.money}>
          <thead>
            <tr>
              {Object.values(said.moneyColumns).map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {roles.map(({ role, models, calls, inputTokens, outputTokens, costUsd }) => (
              <tr key={role}>
                <th scope="row">{role || said.noRole}</th>
                <td>{models.join(', ')}</td>
                <td>{number.format(calls)}</td>
                <td>{number.format(inputTokens)}</td>
                <td>{number.format(outputTokens)}</td>
                <td>{costUsd === null ? said.unknownCost : `$${costUsd.toFixed(4)}`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  )
}
