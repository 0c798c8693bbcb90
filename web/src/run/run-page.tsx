import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { AnswerView } from '../answer/answer-view.tsx'
import { Proof, sourceOf } from '../answer/proof.tsx'
import { holds } from '../answer/verdicts.ts'
import { type CitedAnswer, toCitedAnswer } from '../api/answer.ts'
import { call, describeError } from '../api/client.ts'
import type { Run } from '../api/operations.ts'
import frame from '../frame/frame.module.css'
import { useKeys } from '../frame/keys.tsx'
import { addressOf, goTo } from '../route.ts'
import sourceStyles from '../source/source.module.css'
import { texts } from '../texts.ts'
import { Figures } from './figures.tsx'
import { Progress } from './progress.tsx'
import { Question } from './question.tsx'
import styles from './run.module.css'
import { type KnownRun, useRun } from './use-run.ts'

interface RunPageProps {
  readonly runId: string
  readonly sentence: number | undefined
  readonly source: number | undefined
  /** Whether the whole document of the source is shown. */
  readonly isOpen: boolean
}

const SourceView = lazy(async () => ({
  default: (await import('../source/source-view.tsx')).SourceView,
}))

const endStatuses = ['answered', 'partial', 'unanswered', 'failed']

/** A run: the work while it happens, then the answer with its proofs. */
export function RunPage({ runId, sentence, source, isOpen }: RunPageProps): ReactNode {
  const known = useRun(runId)
  const { view, run, error } = known
  const answer = toCitedAnswer(run?.result)
  const { n, choose, close } = useProofSteps(answer, { runId, sentence, source, isOpen })
  useTitle(known)
  if (error !== undefined)
    return (
      <p className={frame.document}>
        {error.status === 404 ? texts.run.gone : describeError(error)}
      </p>
    )
  if (run === undefined && view.lastSeq === 0)
    return <p className={frame.document}>{texts.run.loading}</p>
  const isOver = endStatuses.includes(run?.status ?? view.status)
  const status =
    run?.status === 'interrupted'
      ? 'interrupted'
      : isOver
        ? (run?.status ?? view.status)
        : view.status
  const isWhole = isOpen && n !== undefined && sentence !== undefined
  return (
    <div className={isWhole ? `${frame.columns} ${sourceStyles.beside}` : frame.columns}>
      <div className={frame.document}>
        <header className={styles.head}>
          <h1>{run?.title ?? view.question}</h1>
          <p className={styles.status}>
            <b>{texts.statuses[status]}</b> <Figures view={view} isWorking={status === 'running'} />
          </p>
          <p>
            <a href={addressOf({ place: 'inside', runId })}>{texts.runs.inside}</a>
          </p>
          {run?.isElsewhere && <p role="status">{texts.run.elsewhere}</p>}
          <Actions known={known} status={status} />
        </header>
        {!known.isConnected && <p role="status">{texts.run.reconnecting}</p>}
        {run?.queue !== undefined && <p role="status">{texts.run.queued(run.queue)}</p>}
        {run?.question !== undefined && status === 'waiting' && (
          <Question
            key={run.question.key}
            {...{ runId }}
            question={run.question}
            onAnswered={known.refresh}
          />
        )}
        {answer === undefined ? (
          <>
            <Progress view={view} isOver={isOver} />
            {isOver && run?.result !== undefined && <pre>{plainResult(run.result)}</pre>}
          </>
        ) : (
          <>
            <AnswerView {...{ runId, answer, sentence, source, choose }} />
            <details className={styles.past}>
              <summary>{texts.run.howItCameAbout}</summary>
              <Progress view={view} isOver={isOver} />
            </details>
          </>
        )}
      </div>
      {answer !== undefined && answer.claims.length > 0 && !isWhole && (
        <ProofPlace {...{ runId, answer, sentence, source, choose, close }} />
      )}
      {answer !== undefined && isWhole && (
        <Suspense fallback={<p>{texts.loading}</p>}>
          <SourceView {...{ runId, answer, sentence, n, close }} choose={(to) => choose(to, n)} />
        </Suspense>
      )}
    </div>
  )
}

interface ProofPlaceProps extends Omit<RunPageProps, 'isOpen'> {
  readonly answer: CitedAnswer
  readonly choose: (sentence: number, source?: number) => void
  readonly close: () => void
}

function ProofPlace({ sentence, ...rest }: ProofPlaceProps): ReactNode {
  return (
    <aside
      className={sentence === undefined ? `${frame.proof} ${frame.isEmpty}` : frame.proof}
      aria-label={texts.proof.label}
      aria-live="polite"
    >
      {sentence === undefined ? (
        <p className="soft">
          {texts.proof.hint} {texts.proof.hintKeys}
        </p>
      ) : (
        <Proof sentence={sentence} {...rest} />
      )}
    </aside>
  )
}

/** What can be done with the run now. */
function Actions({
  known,
  status,
}: {
  readonly known: KnownRun
  readonly status: string
}): ReactNode {
  const [problem, setProblem] = useState('')
  const id = known.run?.runId
  if (id === undefined || known.run?.workflow === 'code' || known.run?.isElsewhere) return null
  const act = (does: 'cancel' | 'finish' | 'resume') => async () => {
    setProblem('')
    try {
      known.refresh(await call(`POST /api/runs/{id}/${does}`, { path: { id } }))
    } catch (error) {
      setProblem(describeError(error))
    }
  }
  const isRunning = status === 'running'
  if (!isRunning && status !== 'interrupted') return null
  return (
    <div className={styles.buttons}>
      {!isRunning && <span>{texts.run.interrupted}</span>}
      {!isRunning && (
        <button type="button" className="main" onClick={act('resume')}>
          {texts.run.resume}
        </button>
      )}
      <button type="button" title={texts.run.finishWhy} onClick={act('finish')}>
        {texts.run.finish}
      </button>
      {isRunning && (
        <button type="button" onClick={act('cancel')}>
          {texts.run.stop}
        </button>
      )}
      {problem !== '' && <span role="alert">{problem}</span>}
    </div>
  )
}

/** Goes from sentence to sentence: `j`, `k` and `x`; `o` opens the document; Esc closes it, then the proof. */
function useProofSteps(
  answer: CitedAnswer | undefined,
  { runId, sentence, source, isOpen }: RunPageProps,
) {
  const claims = answer?.claims ?? []
  const claim = claims[(sentence ?? 0) - 1]
  const n = claim && sourceOf(claim, source)
  const show = (number: number, given: number | undefined, isWhole: boolean, isStep = true) => {
    const opened = given === undefined ? {} : { source: given, ...(isWhole && { isOpen: true }) }
    goTo({ place: 'run', runId, sentence: number, ...opened }, isStep)
  }
  const choose = (number: number, given?: number) => {
    const next = claims[number - 1]
    show(number, isOpen && next ? (given ?? sourceOf(next, n)) : given, isOpen)
  }
  const step = (by: number) => {
    const next = sentence === undefined ? 1 : sentence + by
    if (next >= 1 && next <= claims.length) choose(next)
  }
  const close = () => {
    if (isOpen && sentence !== undefined) show(sentence, n, false)
    else goTo({ place: 'run', runId }, true)
    document.querySelector<HTMLElement>(`[data-sentence="${sentence}"] button`)?.focus()
  }
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    x: () => {
      const after = claims.findIndex(
        ({ verdict }, index) => index + 1 > (sentence ?? 0) && !holds(verdict),
      )
      const found = after < 0 ? claims.findIndex(({ verdict }) => !holds(verdict)) : after
      if (found >= 0) choose(found + 1)
    },
    o: () => {
      if (sentence !== undefined) show(sentence, n, true, false)
    },
    Escape: () => {
      if (sentence !== undefined) close()
    },
  })
  return { n, choose, close }
}

/** The window's title tells how the run is, and what changed is announced. */
function useTitle({ run, view }: KnownRun): void {
  const before = useRef<string>(undefined)
  const status = run?.status
  const title = run?.title ?? view.question
  useEffect(() => {
    const start =
      status === 'waiting' ? `${texts.run.titleWaiting}: ` : status === 'running' ? '● ' : ''
    document.title = `${start}${title} · ${texts.product}`
    const announced = texts.run.announce[status ?? '']
    const live = document.getElementById('announcements')
    if (before.current !== undefined && before.current !== status && announced && live !== null)
      live.textContent = announced
    before.current = status
  }, [status, title])
}

function plainResult(result: object): string {
  const { answer, error } = result as { answer?: unknown; error?: { message: string } | null }
  if (error) return error.message
  return typeof answer === 'string' ? answer : JSON.stringify(result, null, 2)
}

export type { Run }
