import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react'
import { call, describeError } from '../api/client.ts'
import type { Run } from '../api/operations.ts'
import { texts } from '../texts.ts'
import styles from './run.module.css'

interface AskedPlan {
  readonly kind: 'plan'
  readonly research_steps: readonly string[]
  readonly expert_steps: readonly string[]
  readonly problem?: string
}

interface QuestionProps {
  readonly runId: string
  readonly question: NonNullable<Run['question']>
  readonly onAnswered: (run: Run) => void
}

/** What the run asks a person, answered in place. */
export function Question({ runId, question, onAnswered }: QuestionProps): ReactNode {
  const [feedback, setFeedback] = useState('')
  const [problem, setProblem] = useState('')
  const [isSending, setSending] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const prompt = question.prompt as Partial<AskedPlan> | undefined
  const isPlan = prompt?.kind === 'plan'
  const answer = async (text: string) => {
    setSending(true)
    try {
      const body = { answer: text, key: question.key }
      onAnswered(await call('POST /api/runs/{id}/answer', { path: { id: runId }, body }))
    } catch (error) {
      setProblem(describeError(error))
      setSending(false)
    }
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (feedback.trim() !== '') void answer(feedback.trim())
  }
  const { question: said } = texts
  return (
    <section className={styles.question} aria-labelledby="question">
      <h2 id="question" ref={heading} tabIndex={-1}>
        {isPlan ? said.plan : said.other}
      </h2>
      {isPlan ? <Plan plan={prompt as AskedPlan} /> : <pre>{toText(question.prompt)}</pre>}
      <div className={styles.buttons}>
        <button
          type="button"
          className="main"
          disabled={isSending}
          onClick={() => answer('approve')}
        >
          {isPlan ? said.approve : said.approveOther}
        </button>
        <button
          type="button"
          disabled={isSending}
          onClick={() => answer(isPlan ? 'refuse' : 'stop')}
        >
          {isPlan ? said.refuse : said.stopAgent}
        </button>
      </div>
      <form className={styles.feedback} onSubmit={submit}>
        <label>
          {said.change}
          <input value={feedback} onChange={(event) => setFeedback(event.target.value)} />
        </label>
        <button type="submit" disabled={isSending || feedback.trim() === ''}>
          {said.send}
        </button>
      </form>
      {problem !== '' && (
        <p role="alert" className="tone-bad">
          {problem}
        </p>
      )}
    </section>
  )
}

function Plan({ plan }: { readonly plan: AskedPlan }): ReactNode {
  const { question: said } = texts
  return (
    <>
      {plan.problem && <p className="tone-bad">{said.problem(plan.problem)}</p>}
      <ol>
        {plan.research_steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {plan.research_steps.length === 0 && <p>{texts.run.noResearch}</p>}
      <p>
        {said.afterwards}: {plan.expert_steps.join(' ')}
      </p>
    </>
  )
}

function toText(prompt: unknown): string {
  return typeof prompt === 'string' ? prompt : JSON.stringify(prompt, null, 2)
}
