import { type ReactNode, useEffect, useState } from 'react'
import type { RunEvent } from '../../../src/kernel/run/event.ts'
import { call, describeError } from '../api/client.ts'
import type { LogEvent } from '../api/operations.ts'
import { formatSpan } from '../format-time.ts'
import { texts } from '../texts.ts'
import styles from './inside.module.css'

interface EventDetailsProps {
  readonly runId: string
  readonly seq: number
  readonly onClose: () => void
  readonly onFork?: (at: string) => void
}

const { inside: said } = texts

/** An event: what a step worked on, what it gave, the prompt as it was sent, tokens and money. */
export function EventDetails({ runId, seq, onClose, onFork }: EventDetailsProps): ReactNode {
  const [found, setFound] = useState<LogEvent>()
  const [problem, setProblem] = useState('')
  useEffect(() => {
    const control = new AbortController()
    const { signal } = control
    call('GET /api/runs/{id}/log/{seq}', { path: { id: runId, seq }, signal }).then(
      setFound,
      (error: unknown) => signal.aborted || setProblem(describeError(error)),
    )
    return () => control.abort()
  }, [runId, seq])
  const event = found?.event as RunEvent | undefined
  return (
    <div className={styles.details}>
      <header>
        <h2>{said.event(seq)}</h2>
        {event && (
          <>
            <p>{said.types[event.type] ?? event.type}</p>
            <p className="soft">{event.key}</p>
            <p>{factsOf(event).join(' · ')}</p>
          </>
        )}
        <div className={styles.buttons}>
          {event && onFork && event.key.includes('/') && (
            <button type="button" onClick={() => onFork(`#${seq}`)}>
              {said.fork}
            </button>
          )}
          <button type="button" className="quiet" onClick={onClose}>
            {texts.close}
          </button>
        </div>
      </header>
      {problem !== '' && <p role="alert">{problem}</p>}
      {found === undefined && problem === '' && <p className="soft">{texts.loading}</p>}
      {found && event && <Contents found={found} event={event} />}
    </div>
  )
}

function Contents({
  found,
  event,
}: {
  readonly found: LogEvent
  readonly event: RunEvent
}): ReactNode {
  const { input, messages, missing = 0 } = found
  const data: unknown = event.data
  return (
    <>
      {messages !== undefined && messages.length > 0 && (
        <section>
          <h3>{said.prompt}</h3>
          {missing > 0 && <p className="soft">{said.missing(missing)}</p>}
          <ol className={styles.messages}>
            {messages.map((message, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a message is its place
              <li key={index}>
                <b>{said.messageRoles[message.role] ?? message.role}</b>
                <Text text={textOfParts(message.parts)} />
              </li>
            ))}
          </ol>
        </section>
      )}
      {input !== undefined && (
        <Block title={said.input} value={input} isFolded={messages !== undefined} />
      )}
      {event.type !== 'step.started' && event.output !== undefined && (
        <Block title={said.output} value={event.output} />
      )}
      <Block title={said.recorded} value={data} isFolded />
    </>
  )
}

/** Time, tokens and money of a step, and why it failed. */
function factsOf(event: RunEvent): readonly string[] {
  const { startedAt, usage, failure, attempt } = event.data as {
    startedAt?: number
    usage?: { inputTokens: number; outputTokens: number; costUsd: number | null }
    failure?: { message: string }
    attempt?: number
  }
  const isEnd = event.type !== 'step.started' && startedAt !== undefined
  return [
    new Date(event.ts).toLocaleTimeString(),
    ...(isEnd ? [formatSpan(event.ts - startedAt)] : []),
    ...(usage ? [said.tokens(usage.inputTokens, usage.outputTokens)] : []),
    ...(typeof usage?.costUsd === 'number' ? [`$${usage.costUsd.toFixed(4)}`] : []),
    ...(attempt !== undefined && attempt > 1 ? [said.attempt(attempt)] : []),
    ...(failure ? [failure.message] : []),
  ]
}

function Block({
  title,
  value,
  isFolded = false,
}: {
  readonly title: string
  readonly value: unknown
  readonly isFolded?: boolean
}): ReactNode {
  return (
    <details open={!isFolded}>
      <summary>
        <h3>{title}</h3>
      </summary>
      <Text text={typeof value === 'string' ? value : JSON.stringify(value, null, 2)} />
    </details>
  )
}

const maxShown = 10_000

/** A text, of which a long one is shown in full when that is wanted. */
function Text({ text }: { readonly text: string }): ReactNode {
  const [isWhole, setWhole] = useState(false)
  const isCut = !isWhole && text.length > maxShown
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys */}
      <pre tabIndex={0}>{isCut ? `${text.slice(0, maxShown)} …` : text}</pre>
      {isCut && (
        <button type="button" onClick={() => setWhole(true)}>
          {said.whole(text.length)}
        </button>
      )}
    </>
  )
}

function textOfParts(parts: unknown): string {
  if (!Array.isArray(parts)) return JSON.stringify(parts)
  return parts
    .map((part: { type?: string; text?: string }) =>
      part.type === 'text' ? (part.text ?? '') : JSON.stringify(part, null, 2),
    )
    .join('\n')
}
