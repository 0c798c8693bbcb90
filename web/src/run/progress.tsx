import type { ReactNode } from 'react'
import { texts } from '../texts.ts'
import styles from './run.module.css'
import type { RunView, Work } from './run-view.ts'

const { run } = texts
const signs = { todo: '·', doing: '●', judging: '●', done: '✓' } as const

/** The parts of the work in the plan's order; they keep their places while they fill. */
export function Progress({
  view,
  isOver,
}: {
  readonly view: RunView
  readonly isOver: boolean
}): ReactNode {
  const { plan, research, answer, check } = view
  return (
    <ol className={styles.rows} aria-label={run.work}>
      <Row label={run.plan} work={plan} isOver={isOver} />
      {research.map((work, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place in the plan
        <Row key={index} number={index + 1} label={work.text} work={work} isOver={isOver} />
      ))}
      <Row label={run.answer} work={answer} isOver={isOver} />
      <Row label={run.check} work={check} isOver={isOver} />
    </ol>
  )
}

interface RowProps {
  readonly label: string
  readonly work: Work
  readonly isOver: boolean
  readonly number?: number
}

function Row({ label, work, isOver, number }: RowProps): ReactNode {
  const { state, searches, passages, rejections, lines } = work
  const isOpen = state === 'doing' || state === 'judging'
  const shown = isOver && state !== 'done' ? run.states.stopped : run.states[state]
  const last = lines.findLast(({ kind }) => kind === 'did')
  const counts = [
    searches > 0 && run.searches(searches),
    passages > 0 && run.passages(passages),
    rejections > 0 && run.sentBack(rejections),
  ].filter(Boolean)
  return (
    <li className={styles.row}>
      <details>
        <summary>
          <span className={styles.rowNumber}>{number}</span>
          <span className={styles.rowLabel}>{label}</span>
          <span className={`${styles.state} ${styles[isOver && isOpen ? 'todo' : state]}`}>
            <span aria-hidden="true">{isOver && isOpen ? '·' : signs[state]}</span>{' '}
            {isOpen && !isOver && last ? last.text : shown}
          </span>
          <span className={styles.counts}>{counts.join(' · ')}</span>
        </summary>
        {lines.length === 0 ? (
          <p className="soft">{run.nothingYet}</p>
        ) : (
          <ul className={styles.lines}>
            {lines.map(({ seq, kind, text }) => (
              <li key={seq} className={styles[kind]}>
                {kind === 'critic' && <b>{run.critic}: </b>}
                {kind === 'said' && <b>{run.wrote}: </b>}
                {text}
              </li>
            ))}
          </ul>
        )}
      </details>
    </li>
  )
}
