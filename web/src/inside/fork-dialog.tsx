import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react'
import { call, describeError } from '../api/client.ts'
import type { ForkRequest, RunGraph, RunSummary } from '../api/operations.ts'
import { goTo } from '../route.ts'
import { texts } from '../texts.ts'
import styles from './inside.module.css'

interface ForkDialogProps {
  readonly run: Pick<RunSummary, 'runId' | 'title' | 'workflow'>
  /** The key of the step to start from. Default: the beginning. */
  readonly at?: string
  readonly onClose: () => void
}

const { fork: said } = texts

/** Asks from where a new run starts and what it changes, and starts it. */
export function ForkDialog({ run, at = '', onClose }: ForkDialogProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  const [step, setStep] = useState(at)
  const [question, setQuestion] = useState(run.title)
  const [role, setRole] = useState('default')
  const [model, setModel] = useState('')
  const [changes, setChanges] = useState('')
  const [problem, setProblem] = useState('')
  const [isSending, setSending] = useState(false)
  const { way, models } = useChoices(run.runId)
  useEffect(() => dialog.current?.showModal(), [])
  const hasQuestion = run.workflow === 'ask' || run.workflow === 'papers'
  const start = async (event: SubmitEvent) => {
    event.preventDefault()
    setSending(true)
    try {
      const body: ForkRequest = {
        ...(step !== '' && { at: step }),
        ...(hasQuestion && question.trim() !== run.title && { question: question.trim() }),
        ...(model.trim() !== '' && { models: { [role]: model.trim() } }),
        ...(changes.trim() !== '' && { changes: readChanges(changes) }),
      }
      const { runId } = await call('POST /api/runs/{id}/fork', { path: { id: run.runId }, body })
      onClose()
      goTo({ place: 'run', runId })
    } catch (error) {
      setProblem(error instanceof SyntaxError ? error.message : describeError(error))
      setSending(false)
    }
  }
  const isKnown = step === '' || way.some(({ key }) => key === step)
  return (
    <dialog ref={dialog} aria-labelledby="fork" onClose={onClose} className={styles.fork}>
      <form onSubmit={start}>
        <h2 id="fork">{said.title}</h2>
        <p className="soft">{said.why}</p>
        <label>
          {said.at}
          <select value={step} onChange={(event) => setStep(event.target.value)}>
            <option value="">{said.beginning}</option>
            {!isKnown && <option value={step}>{step}</option>}
            {way.map(({ key }, index) => (
              <option key={key} value={key}>
                {`${index + 1}. ${key.replace(/^[^/]+\//, '')}`}
              </option>
            ))}
          </select>
        </label>
        {hasQuestion && (
          <label>
            {said.question}
            <textarea
              rows={2}
              value={question}
              onChange={(event) => setQuestion(event.target.value)}
            />
          </label>
        )}
        <div className={styles.pair}>
          <label>
            {said.role}
            <select value={role} onChange={(event) => setRole(event.target.value)}>
              {said.roles.map(([value, name]) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <label>
            {said.model}
            <input
              list="models"
              value={model}
              placeholder={said.sameModel}
              onChange={(event) => setModel(event.target.value)}
            />
          </label>
          <datalist id="models">
            {models.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </div>
        <label>
          {said.changes}
          <textarea
            rows={3}
            value={changes}
            placeholder={said.changesHint}
            onChange={(event) => setChanges(event.target.value)}
          />
        </label>
        {problem !== '' && (
          <p role="alert" className="tone-bad">
            {problem}
          </p>
        )}
        <div className={styles.buttons}>
          <button type="submit" className="main" disabled={isSending}>
            {said.start}
          </button>
          <button type="button" onClick={onClose}>
            {texts.close}
          </button>
        </div>
      </form>
    </dialog>
  )
}

function useChoices(runId: string) {
  const [way, setWay] = useState<RunGraph['way']>([])
  const [models, setModels] = useState<readonly string[]>([])
  useEffect(() => {
    call('GET /api/runs/{id}/graph', { path: { id: runId } }).then(
      (graph) => setWay(graph.way),
      () => {},
    )
    call('GET /api/models', {}).then(
      ({ roles }) => setModels([...new Set([...roles.map(({ name }) => name), 'extractive'])]),
      () => {},
    )
  }, [runId])
  return { way, models }
}

/** Lines `path = value`; a value is JSON if it parses, else text. @throws {SyntaxError} for another line */
function readChanges(text: string): NonNullable<ForkRequest['changes']> {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, path = '', value = ''] = /^([^=]+)=(.*)$/.exec(line) ?? []
      if (path === '') throw new SyntaxError(said.notAChange(line))
      try {
        return { path: path.trim(), value: JSON.parse(value) as unknown }
      } catch {
        return { path: path.trim(), value: value.trim() }
      }
    })
}
