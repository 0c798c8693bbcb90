import { type KeyboardEvent, type ReactNode, type SubmitEvent, useEffect, useState } from 'react'
import { call, describeError } from '../api/client.ts'
import type { AskRequest } from '../api/operations.ts'
import frame from '../frame/frame.module.css'
import { goTo } from '../route.ts'
import { texts } from '../texts.ts'
import styles from './ask.module.css'

type Depth = NonNullable<AskRequest['depth']>
type Limits = NonNullable<AskRequest['limits']>

const limitNames = ['maxCostUsd', 'maxSeconds', 'maxSteps'] as const

/** Where a question is asked. */
export function AskPage(): ReactNode {
  const [question, setQuestion] = useState('')
  const [depth, setDepth] = useState<Depth>('standard')
  const [approvePlan, setApprovePlan] = useState(false)
  const [limits, setLimits] = useState<Readonly<Record<string, string>>>({})
  const [problem, setProblem] = useState('')
  const [isStarting, setStarting] = useState(false)
  useEffect(() => {
    document.title = texts.product
  }, [])
  const submit = async (event?: SubmitEvent) => {
    event?.preventDefault()
    if (question.trim() === '') return setProblem(texts.ask.empty)
    setStarting(true)
    setProblem('')
    try {
      const body = {
        workflow: 'ask',
        question,
        depth,
        approvePlan,
        limits: readLimits(limits),
      } as const
      const { runId } = await call('POST /api/runs', { body })
      goTo({ place: 'run', runId })
    } catch (error) {
      setProblem(describeError(error))
      setStarting(false)
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    void submit()
  }
  return (
    <div className={frame.document}>
      <h1>{texts.ask.title}</h1>
      <form className={styles.form} onSubmit={submit}>
        <label>
          {texts.ask.label}
          <textarea
            rows={3}
            // biome-ignore lint/a11y/noAutofocus: asking is what this place is for
            autoFocus
            value={question}
            placeholder={texts.ask.placeholder}
            onChange={(event) => setQuestion(event.target.value)}
            onKeyDown={onKeyDown}
          />
        </label>
        <DepthChoice depth={depth} choose={setDepth} />
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={approvePlan}
            onChange={(event) => setApprovePlan(event.target.checked)}
          />
          {texts.ask.approve}
        </label>
        <LimitFields limits={limits} change={setLimits} />
        <div className={styles.send}>
          <button type="submit" className="main" disabled={isStarting}>
            {isStarting ? texts.ask.starting : texts.ask.start}
          </button>
          <span className="soft small">{texts.ask.keys}</span>
        </div>
        {problem !== '' && (
          <p role="alert" className="tone-bad">
            {problem}
          </p>
        )}
      </form>
      <Examples choose={setQuestion} />
    </div>
  )
}

function DepthChoice({
  depth,
  choose,
}: {
  depth: Depth
  choose: (depth: Depth) => void
}): ReactNode {
  return (
    <fieldset className={styles.depths}>
      <legend>{texts.ask.depth}</legend>
      {Object.entries(texts.ask.depths).map(([name, [label, why]]) => (
        <label key={name}>
          <input
            type="radio"
            name="depth"
            checked={depth === name}
            onChange={() => choose(name as Depth)}
          />
          <span>
            <b>{label}</b> <span className="soft">{why}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

interface LimitFieldsProps {
  readonly limits: Readonly<Record<string, string>>
  readonly change: (limits: Readonly<Record<string, string>>) => void
}

function LimitFields({ limits, change }: LimitFieldsProps): ReactNode {
  return (
    <details>
      <summary>{texts.ask.limits}</summary>
      <p className="soft small">{texts.ask.limitsWhy}</p>
      <div className={styles.limits}>
        {limitNames.map((name) => (
          <label key={name}>
            {texts.ask[name]}
            <input
              type="number"
              min={name === 'maxSteps' ? 1 : 0}
              step={name === 'maxSteps' ? 1 : 'any'}
              value={limits[name] ?? ''}
              onChange={(event) => change({ ...limits, [name]: event.target.value })}
            />
          </label>
        ))}
      </div>
    </details>
  )
}

function readLimits(given: Readonly<Record<string, string>>): Limits {
  const filled = Object.entries(given).filter(([, text]) => text !== '' && Number(text) > 0)
  return Object.fromEntries(filled.map(([name, text]) => [name, Number(text)]))
}

/** Questions to begin with, for a person who has asked nothing yet. */
function Examples({ choose }: { readonly choose: (question: string) => void }): ReactNode {
  const [isNew, setNew] = useState(false)
  useEffect(() => {
    call('GET /api/runs', { query: { limit: 1 } }).then(
      ({ runs }) => setNew(runs.length === 0),
      () => {},
    )
  }, [])
  if (!isNew) return null
  return (
    <section className={styles.examples}>
      <h2>{texts.ask.examples}</h2>
      <ul>
        {texts.ask.exampleQuestions.map((question) => (
          <li key={question}>
            <button type="button" className="quiet" onClick={() => choose(question)}>
              {question}
            </button>
          </li>
        ))}
      </ul>
      <p className="soft small">{texts.ask.exampleWhy}</p>
    </section>
  )
}
