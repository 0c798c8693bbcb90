import {
  type KeyboardEvent,
  type ReactNode,
  type SubmitEvent,
  useEffect,
  useRef,
  useState,
} from 'react'
import { call, describeError } from '../api/client.ts'
import type { AskRequest } from '../api/operations.ts'
import { useAccess } from '../api/use-access.ts'
import frame from '../frame/frame.module.css'
import { isAdded, isOpen } from '../library/upload-queue.ts'
import { useUploads } from '../library/uploads.tsx'
import { goTo } from '../route.ts'
import { askTexts } from '../texts/ask.ts'
import { texts } from '../texts.ts'
import styles from './ask.module.css'
import { AskSources } from './ask-sources.tsx'
import { Expected, ModelsInUse } from './expectations.tsx'

type Depth = NonNullable<AskRequest['depth']>
type Limits = NonNullable<AskRequest['limits']>

const limitNames = ['maxCostUsd', 'maxSeconds', 'maxSteps'] as const

/** Where a question is asked. */
export function AskPage(): ReactNode {
  const [question, setQuestion] = useState('')
  const [depth, setDepth] = useState<Depth>('standard')
  const [approvePlan, setApprovePlan] = useState(false)
  const [limits, setLimits] = useState<Readonly<Record<string, string>>>({})
  const [isWeb, setWeb] = useState(true)
  const [paths, setPaths] = useState('')
  const [problem, setProblem] = useState('')
  const [isStarting, setStarting] = useState(false)
  const access = useAccess()
  useEffect(() => {
    document.title = texts.product
  }, [])
  const start = async () => {
    setStarting(true)
    setProblem('')
    try {
      const sources = paths.split('\n').map((path) => path.trim())
      const named = sources.filter((path) => path !== '')
      const body = {
        workflow: 'ask',
        question,
        depth,
        approvePlan,
        ...(access?.web && { web: isWeb }),
        ...(named.length > 0 && { sources: named }),
        limits: readLimits(limits),
      } as const
      const { runId } = await call('POST /api/runs', { body })
      goTo({ place: 'run', runId })
    } catch (error) {
      setProblem(describeError(error))
      setStarting(false)
    }
  }
  const uploads = useFilesFirst(start, () => setProblem(askTexts.notAdded))
  const submit = async (event?: SubmitEvent) => {
    event?.preventDefault()
    if (question.trim() === '') return setProblem(texts.ask.empty)
    setProblem('')
    uploads.start()
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
        <Expected depth={depth} />
        <AskSources {...{ access, isWeb, setWeb, paths, setPaths }} />
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
          <button type="submit" className="main" disabled={isStarting || uploads.isWaiting}>
            {isStarting ? texts.ask.starting : texts.ask.start}
          </button>
          <span className="soft small" role="status">
            {uploads.isWaiting ? askTexts.adding : texts.ask.keys}
          </span>
        </div>
        {problem !== '' && (
          <p role="alert" className="tone-bad">
            {problem}
          </p>
        )}
      </form>
      <ModelsInUse />
      <Examples choose={setQuestion} />
    </div>
  )
}

/** Starts when the files on their way are in the library; not, when one of these was refused. */
function useFilesFirst(start: () => void, refuse: () => void) {
  const uploads = useUploads()
  const [awaited, setAwaited] = useState<ReadonlySet<number>>()
  const isReady = awaited !== undefined && !uploads.some(isOpen)
  const known = useRef({ start, refuse })
  known.current = { start, refuse }
  useEffect(() => {
    if (!isReady) return
    const mine = uploads.filter(({ id }) => awaited.has(id))
    setAwaited(undefined)
    if (mine.every(isAdded)) known.current.start()
    else known.current.refuse()
  }, [isReady, awaited, uploads])
  return {
    isWaiting: awaited !== undefined,
    start: () => setAwaited(new Set(uploads.filter(isOpen).map(({ id }) => id))),
  }
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
