import { lazy, type ReactNode, Suspense, useState } from 'react'
import { call, describeError } from '../api/client.ts'
import type { RunSummary } from '../api/operations.ts'
import { addressOf } from '../route.ts'
import { texts } from '../texts.ts'
import styles from './runs.module.css'

const ForkDialog = lazy(async () => ({
  default: (await import('../inside/fork-dialog.tsx')).ForkDialog,
}))

interface SelectionBarProps {
  readonly chosen: readonly RunSummary[]
  /** Called after something was done. @param gone the runs that were deleted */
  readonly onDone: (gone: readonly string[]) => void
  readonly onClear: () => void
}

const { runs: said } = texts

/** What can be done with the chosen runs. */
export function SelectionBar({ chosen, onDone, onClear }: SelectionBarProps): ReactNode {
  const [told, setTold] = useState('')
  const [sureOf, setSureOf] = useState<readonly RunSummary[]>()
  const [isForking, setForking] = useState(false)
  const [one, other] = chosen
  const act = (does: () => Promise<string>, gone: () => readonly string[] = () => []) => {
    setTold(said.busy)
    does()
      .then(setTold, (error: unknown) => setTold(describeError(error)))
      .then(() => onDone(gone()))
  }
  const remove = () => {
    const gone: string[] = []
    setSureOf(undefined)
    const each = async () => {
      for (const { runId } of chosen) {
        await call('DELETE /api/runs/{id}', { path: { id: runId } })
        gone.push(runId)
      }
      return said.deleted(gone.length)
    }
    act(each, () => gone)
  }
  return (
    <section aria-label={said.chosenLabel} className={styles.chosen}>
      <span>{chosen.length === 0 ? said.chooseHint : said.chosen(chosen.length)}</span>
      {one !== undefined && other === undefined && (
        <OneRun run={one} act={act} onFork={() => setForking(true)} />
      )}
      {one !== undefined && chosen.length === 2 && other !== undefined && (
        <a
          className={styles.link}
          href={addressOf({ place: 'compare', first: one.runId, second: other.runId })}
        >
          {said.compare}
        </a>
      )}
      {chosen.length > 0 &&
        (sureOf === chosen ? (
          <>
            <button type="button" className="danger" onClick={remove}>
              {said.sure(chosen.length)}
            </button>
            <button type="button" className="quiet" onClick={() => setSureOf(undefined)}>
              {said.keep}
            </button>
          </>
        ) : (
          <button type="button" onClick={() => setSureOf(chosen)}>
            {said.delete}
          </button>
        ))}
      {chosen.length > 0 && (
        <button type="button" className="quiet" onClick={onClear}>
          {said.clear}
        </button>
      )}
      <span role="status">{told}</span>
      {isForking && one !== undefined && (
        <Suspense>
          <ForkDialog run={one} onClose={() => setForking(false)} />
        </Suspense>
      )}
    </section>
  )
}

interface OneRunProps {
  readonly run: RunSummary
  readonly act: (does: () => Promise<string>) => void
  readonly onFork: () => void
}

function OneRun({ run, act, onFork }: OneRunProps): ReactNode {
  const { runId, status, workflow } = run
  const path = { id: runId }
  const isDriven = workflow !== 'code'
  const isEnded = ['answered', 'partial', 'unanswered', 'failed'].includes(status)
  const control = (does: 'cancel' | 'resume') => async () => {
    await call(`POST /api/runs/{id}/${does}`, { path })
    return does === 'cancel' ? said.stopped : said.resumed
  }
  const replay = async () => {
    const report = await call('POST /api/runs/{id}/replay', { path })
    return said.replayed(report.isIdentical, report.steps, report.unclaimed.length)
  }
  return (
    <>
      <a className={styles.link} href={addressOf({ place: 'inside', runId })}>
        {said.inside}
      </a>
      {isDriven && status === 'running' && (
        <button type="button" onClick={() => act(control('cancel'))}>
          {said.stop}
        </button>
      )}
      {isDriven && status === 'interrupted' && (
        <button type="button" onClick={() => act(control('resume'))}>
          {said.resume}
        </button>
      )}
      {isDriven && (
        <button type="button" onClick={onFork}>
          {said.fork}
        </button>
      )}
      {isEnded && (
        <button type="button" onClick={() => act(replay)}>
          {said.replay}
        </button>
      )}
    </>
  )
}
