import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { ApiError, call, describeError } from '../api/client.ts'
import frame from '../frame/frame.module.css'
import { addressOf } from '../route.ts'
import { libraryTexts as said } from '../texts/library.ts'
import { texts } from '../texts.ts'
import styles from './library.module.css'
import { describeSource } from './library-page.tsx'
import type { Source } from './use-library.ts'

interface SourcePageProps {
  readonly id: string
  readonly span: { readonly start: number; readonly end: number } | undefined
}

/** The part of the text that is shown. */
interface Part {
  readonly start: number
  readonly text: string
  readonly totalChars: number
}

const partChars = 20_000
/** Shown before a passage. */
const beforeChars = 1_500

/** The text of a source as it was read, from its beginning or around a passage. */
export function SourcePage({ id, span }: SourcePageProps): ReactNode {
  const [source, setSource] = useState<Source>()
  const [part, setPart] = useState<Part>()
  const [problem, setProblem] = useState('')
  const fail = useCallback(
    (error: unknown) =>
      setProblem(
        error instanceof ApiError && error.status === 404 ? said.gone : describeError(error),
      ),
    [],
  )
  const read = useCallback(
    (start: number, chars: number) =>
      call('GET /api/sources/{id}/text', { path: { id }, query: { start, chars } }),
    [id],
  )
  const from = Math.max(0, (span?.start ?? 0) - beforeChars)
  useEffect(() => {
    call('GET /api/sources/{id}', { path: { id } }).then(
      (told) => setSource(told as unknown as Source),
      fail,
    )
    read(from, partChars).then(setPart, fail)
  }, [id, read, from, fail])
  useEffect(() => {
    document.title = `${source?.title ?? said.title} · ${texts.product}`
  }, [source])
  const readBefore = (shown: Part) => {
    const start = Math.max(0, shown.start - partChars)
    read(start, shown.start - start).then(
      ({ text }) => setPart({ ...shown, start, text: text + shown.text }),
      fail,
    )
  }
  const readAfter = (shown: Part) =>
    read(shown.start + shown.text.length, partChars).then(
      ({ text }) => setPart({ ...shown, text: shown.text + text }),
      fail,
    )
  return (
    <article className={frame.document}>
      <p>
        <a href={addressOf({ place: 'library' })}>{said.back}</a>
      </p>
      <h1>{source?.title ?? said.title}</h1>
      {source !== undefined && <p className="soft">{describeSource(source)}</p>}
      {problem !== '' && <p role="alert">{problem}</p>}
      {part !== undefined && part.start > 0 && (
        <p>
          <button type="button" onClick={() => readBefore(part)}>
            {said.before}
          </button>
        </p>
      )}
      {part !== undefined && <Text part={part} span={span} />}
      {part !== undefined && part.start + part.text.length < part.totalChars && (
        <p>
          <button type="button" onClick={() => readAfter(part)}>
            {said.after}
          </button>
        </p>
      )}
    </article>
  )
}

function Text({
  part: { start, text },
  span,
}: {
  readonly part: Part
  readonly span: SourcePageProps['span']
}): ReactNode {
  const mark = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    mark.current?.scrollIntoView({ block: 'center' })
  }, [])
  if (text.trim() === '') return <p>{said.noText}</p>
  if (span === undefined) return <div className={styles.text}>{text}</div>
  const [from, to] = [span.start, span.end].map((at) => Math.max(0, at - start))
  return (
    <div className={styles.text}>
      {text.slice(0, from)}
      <mark ref={mark}>{text.slice(from, to)}</mark>
      {text.slice(to)}
    </div>
  )
}
