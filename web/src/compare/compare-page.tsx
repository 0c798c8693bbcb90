import { type ReactNode, useEffect, useRef, useState } from 'react'
import { looks } from '../answer/verdicts.ts'
import type { CitedSource, Claim, Coverage } from '../api/answer.ts'
import { call, describeError } from '../api/client.ts'
import { formatTime } from '../format-time.ts'
import frame from '../frame/frame.module.css'
import { useKeys } from '../frame/keys.tsx'
import { addressOf } from '../route.ts'
import { CoverageBar } from '../runs/coverage-bar.tsx'
import { texts } from '../texts.ts'
import styles from './compare.module.css'
import { diffWords } from './word-diff.ts'

/** One of two runs that are compared. */
interface ComparedRun {
  readonly runId: string
  readonly question?: string
  readonly status: keyof typeof texts.statuses
  readonly models: Readonly<Record<string, string>>
  readonly coverage: Coverage
  readonly usage?: { readonly modelCalls: number; readonly toolCalls: number }
  readonly costUsd: number | null
  readonly timings: { readonly wallMs: number }
}

interface ClaimPair {
  readonly first?: Claim
  readonly second?: Claim
  readonly differences: readonly ('wording' | 'sources' | 'verdict')[]
}

/** What `GET /api/runs/{id}/diff` answers. */
interface Compared {
  readonly runs: readonly [ComparedRun, ComparedRun]
  readonly isSame: boolean
  readonly claims: readonly ClaimPair[]
  readonly sources: Readonly<Record<'both' | 'firstOnly' | 'secondOnly', readonly CitedSource[]>>
}

const { compare: said } = texts

/** Two runs, claim by claim. */
export function ComparePage({
  first,
  second,
}: {
  readonly first: string
  readonly second: string
}): ReactNode {
  const { compared, problem } = useCompared(first, second)
  const [isOnlyDifferent, setOnlyDifferent] = useState(false)
  const table = useRef<HTMLTableElement>(null)
  const step = (by: number) => () => {
    const rows = [...(table.current?.querySelectorAll<HTMLElement>('[data-different]') ?? [])]
    const at = rows.indexOf(document.activeElement as HTMLElement)
    rows[at < 0 ? 0 : Math.min(Math.max(0, at + by), rows.length - 1)]?.focus()
  }
  useKeys({ j: step(1), k: step(-1) })
  useEffect(() => {
    document.title = `${said.title} · ${texts.product}`
  }, [])
  if (problem !== '')
    return (
      <div className={frame.document}>
        <h1>{said.title}</h1>
        <p role="alert">{problem}</p>
        <p>
          <a href={addressOf({ place: 'runs' })}>{texts.places.runs}</a>
        </p>
      </div>
    )
  if (compared === undefined) return <p className={frame.document}>{texts.loading}</p>
  const { claims, isSame } = compared
  const shown = isOnlyDifferent ? claims.filter(isDifferent) : claims
  return (
    <div className={frame.wide}>
      <h1>{said.title}</h1>
      <Heads runs={compared.runs} />
      <p role="status">
        {isSame ? said.same : said.different(claims.filter(isDifferent).length, claims.length)}{' '}
        <span className="soft">{said.keys}</span>
      </p>
      {!isSame && (
        <label className={styles.only}>
          <input
            type="checkbox"
            checked={isOnlyDifferent}
            onChange={(event) => setOnlyDifferent(event.target.checked)}
          />
          {said.onlyDifferent}
        </label>
      )}
      <table ref={table} className={styles.claims}>
        <caption className="hidden">{said.claims}</caption>
        <thead>
          <tr>
            <th scope="col">{said.first}</th>
            <th scope="col">{said.second}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((pair) => (
            <Pair key={claims.indexOf(pair)} pair={pair} />
          ))}
        </tbody>
      </table>
      <Sources sources={compared.sources} />
    </div>
  )
}

function useCompared(first: string, second: string) {
  const [compared, setCompared] = useState<Compared>()
  const [problem, setProblem] = useState('')
  useEffect(() => {
    const control = new AbortController()
    const { signal } = control
    setCompared(undefined)
    setProblem('')
    call('GET /api/runs/{id}/diff', { path: { id: first }, query: { with: second }, signal }).then(
      (found) => setCompared(found as unknown as Compared),
      (error: unknown) => signal.aborted || setProblem(describeError(error)),
    )
    return () => control.abort()
  }, [first, second])
  return { compared, problem }
}

function isDifferent({ first, second, differences }: ClaimPair): boolean {
  return first === undefined || second === undefined || differences.length > 0
}

/** What the runs asked, came to and took, side by side; what differs is marked. */
function Heads({ runs }: { readonly runs: Compared['runs'] }): ReactNode {
  const rows: readonly (readonly [string, (run: ComparedRun) => string])[] = [
    [said.rows.question, ({ question = '' }) => question],
    [said.rows.status, ({ status }) => texts.statuses[status]],
    [said.rows.time, ({ timings }) => formatTime(timings.wallMs)],
    [
      said.rows.cost,
      ({ costUsd }) => (costUsd === null ? said.unknownCost : `$${costUsd.toFixed(4)}`),
    ],
    [
      said.rows.calls,
      ({ usage }) => (usage === undefined ? '' : String(usage.modelCalls + usage.toolCalls)),
    ],
    [said.rows.models, ({ models }) => [...new Set(Object.values(models))].join(', ')],
  ]
  return (
    <table className={styles.heads}>
      <caption className="hidden">{said.title}</caption>
      <thead>
        <tr>
          <td />
          {runs.map(({ runId }, index) => (
            <th key={runId} scope="col">
              <a href={addressOf({ place: 'run', runId })}>
                {index === 0 ? said.first : said.second}
              </a>{' '}
              <span className="soft small">{runId}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, read]) => {
          const isSame = read(runs[0]) === read(runs[1])
          return (
            <tr key={name} className={isSame ? 'soft' : undefined}>
              <th scope="row">
                {name}
                {!isSame && (
                  <>
                    <span aria-hidden="true"> ≠</span>
                    <span className="hidden"> ({said.differs})</span>
                  </>
                )}
              </th>
              {runs.map((run) => (
                <td key={run.runId}>{read(run)}</td>
              ))}
            </tr>
          )
        })}
        <tr>
          <th scope="row">{said.rows.coverage}</th>
          {runs.map(({ runId, coverage }) => (
            <td key={runId}>
              <CoverageBar coverage={coverage} />
            </td>
          ))}
        </tr>
      </tbody>
    </table>
  )
}

function Pair({ pair }: { readonly pair: ClaimPair }): ReactNode {
  const { first, second, differences } = pair
  const isOther = isDifferent(pair)
  const [one, other] = diffWords(plain(first), plain(second))
  const isReworded = differences.includes('wording')
  const cell = (claim: Claim | undefined, pieces: typeof one, sign: '−' | '+') => (
    <td>
      {claim === undefined ? (
        <span className="soft">{said.absent}</span>
      ) : (
        <>
          {isOther && (second === undefined) !== (first === undefined) && (
            <b className={sign === '−' ? 'tone-bad' : 'tone-good'}>{sign} </b>
          )}
          {pieces.map(({ text, isSame }, index) =>
            isSame || !isReworded ? (
              text
            ) : sign === '−' ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place in the text
              <del key={index}>{text}</del>
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place in the text
              <ins key={index}>{text}</ins>
            ),
          )}{' '}
          <Verdict claim={claim} isMarked={differences.includes('verdict')} />
        </>
      )}
    </td>
  )
  return (
    <tr
      {...(isOther && { 'data-different': '', tabIndex: -1 })}
      className={isOther ? styles.different : undefined}
    >
      {cell(first, one, '−')}
      {cell(second, other, '+')}
    </tr>
  )
}

function Verdict({
  claim,
  isMarked,
}: {
  readonly claim: Claim
  readonly isMarked: boolean
}): ReactNode {
  const { tone, shape } = looks[claim.verdict]
  return (
    <span className={isMarked ? `tone-${tone}` : 'soft'}>
      {shape} {texts.verdicts[claim.verdict]} {claim.citations.map((n) => `[${n}]`).join('')}
    </span>
  )
}

/** A sentence without its numbers, which each run gives anew. */
function plain(claim: Claim | undefined): string {
  return (claim?.text ?? '').replaceAll(/\s*\[\d+(?:\s*[,–-]\s*\d+)*\]/g, '').trim()
}

function Sources({ sources }: { readonly sources: Compared['sources'] }): ReactNode {
  const kinds = (['firstOnly', 'secondOnly', 'both'] as const).filter(
    (kind) => sources[kind].length > 0,
  )
  return (
    <section className={styles.sources} aria-labelledby="sources">
      <h2 id="sources">{said.sources.title}</h2>
      {kinds.map((kind) => (
        <div key={kind}>
          <h3>{said.sources[kind]}</h3>
          <ul>
            {sources[kind].map(({ sourceId, title }) => (
              <li key={sourceId}>{title}</li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  )
}
