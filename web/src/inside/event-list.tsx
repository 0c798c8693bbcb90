import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, type ReactNode, useEffect, useRef, useState } from 'react'
import type { LogEntry } from '../api/operations.ts'
import { formatTime } from '../format-time.ts'
import { useKeys } from '../frame/keys.tsx'
import { moveThroughRows } from '../frame/row-keys.ts'
import { addressOf } from '../route.ts'
import { texts } from '../texts.ts'
import styles from './inside.module.css'
import type { KnownLog } from './use-log.ts'

const { inside: said } = texts
const rowPx = 34
/** Events that are looked through at once. */
const chunkSize = 4_000

interface EventListProps {
  readonly runId: string
  readonly log: KnownLog
  readonly seq: number | undefined
}

/** Every event, filtered by typing. */
export function EventList({ runId, log, seq }: EventListProps): ReactNode {
  const [query, setQuery] = useState('')
  const input = useRef<HTMLInputElement>(null)
  useKeys({ '/': () => input.current?.focus() })
  const { found, isDone } = useFound(log, query)
  return (
    <section aria-labelledby="events" className={styles.list}>
      <h2 id="events" className="hidden">
        {said.viewNames.events}
      </h2>
      <div className={styles.filter}>
        <label>
          {said.filter}
          <input
            ref={input}
            type="search"
            value={query}
            placeholder={said.filterHint}
            onChange={(event) => setQuery(event.target.value)}
          />
        </label>
        <span role="status" className="soft">
          {query !== '' && said.found(found.length, isDone && log.isAll)}
        </span>
      </div>
      <Rows runId={runId} events={log.events} found={found} count={found.length} seq={seq} />
    </section>
  )
}

/** The places of the events that have all words of the query; looked for in pieces, so that typing is never held up. */
function useFound({ events, count }: KnownLog, query: string) {
  const [, setRound] = useState(0)
  const search = useRef({ query: '', found: [] as number[], looked: 0 })
  if (search.current.query !== query) search.current = { query, found: [], looked: 0 }
  const isDone = search.current.looked >= count
  useEffect(() => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean)
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      const now = search.current
      if (now.query !== query || now.looked >= count) return
      const until = Math.min(count, now.looked + chunkSize)
      for (; now.looked < until; now.looked++) {
        const event = events[now.looked]
        if (event !== undefined && hasWords(event, words)) now.found.push(now.looked)
      }
      setRound((round) => round + 1)
      if (until < count) timer = setTimeout(look, 0)
    }
    look()
    return () => clearTimeout(timer)
  }, [query, count, events])
  return { found: search.current.found, isDone }
}

function hasWords(
  { seq, type, key, model, role, text }: LogEntry,
  words: readonly string[],
): boolean {
  if (words.length === 0) return true
  const all = `#${seq} ${type} ${key} ${model ?? ''} ${role ?? ''} ${text ?? ''}`.toLowerCase()
  return words.every((word) => all.includes(word))
}

interface RowsProps {
  readonly runId: string
  readonly events: readonly LogEntry[]
  readonly found: readonly number[]
  /** How many are found: the list is the same one while it grows. */
  readonly count: number
  readonly seq: number | undefined
}

function Rows({ runId, events, found, count, seq }: RowsProps): ReactNode {
  const box = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => rowPx,
    overscan: 12,
  })
  const startTs = events[0]?.ts ?? 0
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys come from the rows
    <div
      ref={box}
      className={styles.box}
      onKeyDown={(event) => moveThroughRows(event, rows, count)}
    >
      <ul className={styles.all} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const event = events[found[index] ?? -1]
          return event === undefined ? null : (
            <li
              key={event.seq}
              aria-setsize={count}
              aria-posinset={index + 1}
              className={styles.place}
              style={{ transform: `translateY(${start}px)`, height: rowPx }}
            >
              <Row {...{ runId, event, index, startTs }} isShown={event.seq === seq} />
            </li>
          )
        })}
      </ul>
    </div>
  )
}

interface RowProps {
  readonly runId: string
  readonly event: LogEntry
  readonly index: number
  readonly startTs: number
  readonly isShown: boolean
}

const Row = memo(function Row({ runId, event, index, startTs, isShown }: RowProps): ReactNode {
  const { seq, ts, type, key, model, text, inputTokens, outputTokens = 0 } = event
  const isBad =
    type === 'step.failed' || type === 'limit.reached' || type === 'step.outcome_unknown'
  return (
    <a
      href={addressOf({ place: 'inside', runId, view: 'events', seq })}
      data-index={index}
      data-seq={seq}
      aria-current={isShown ? 'true' : undefined}
      className={styles.event}
    >
      <span className="soft">{seq}</span>
      <span className="soft">{formatTime(Math.max(0, ts - startTs))}</span>
      <span className={isBad ? 'tone-bad' : undefined}>{said.types[type] ?? type}</span>
      <span className={styles.key}>{key}</span>
      <span className="soft">
        {[model, inputTokens !== undefined && said.tokens(inputTokens, outputTokens), text]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </a>
  )
})
