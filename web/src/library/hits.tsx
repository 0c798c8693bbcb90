import { type ReactNode, useEffect, useState } from 'react'
import { call, describeError } from '../api/client.ts'
import type { FoundPassages } from '../api/operations.ts'
import { addressOf } from '../route.ts'
import { libraryTexts as said } from '../texts/library.ts'
import styles from './library.module.css'

/** How long a person pauses in typing before the search begins. */
const pauseMs = 200
const maxHits = 50

/** The passages that fit a query, each with where it stands. */
export function Hits({ query }: { readonly query: string }): ReactNode {
  const [found, setFound] = useState<FoundPassages & { readonly query: string }>()
  const [problem, setProblem] = useState('')
  useEffect(() => {
    const control = new AbortController()
    const { signal } = control
    const timer = setTimeout(
      () =>
        call('GET /api/library/search', { query: { q: query, limit: maxHits }, signal }).then(
          (passages) => {
            setFound({ ...passages, query })
            setProblem('')
          },
          (error: unknown) => signal.aborted || setProblem(describeError(error)),
        ),
      pauseMs,
    )
    return () => {
      clearTimeout(timer)
      control.abort()
    }
  }, [query])
  if (problem !== '') return <p role="alert">{problem}</p>
  if (found === undefined) return null
  const { hits } = found
  return (
    <section className={styles.hits}>
      <p role="status" className="soft">
        {hits.length === 0 ? said.noHits(found.query) : said.hits(hits.length)}
      </p>
      <ol>
        {hits.map(({ source, passage }) => (
          <li key={passage.id}>
            <a
              href={addressOf({
                place: 'source',
                sourceId: source.id,
                span: { start: passage.start, end: passage.end },
              })}
            >
              {source.title}
            </a>
            <span className="soft small">
              {[
                passage.page && said.page(passage.page),
                passage.section !== source.title && passage.section,
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
            <blockquote>
              <Marked text={passage.text} query={found.query} />
            </blockquote>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** A text in which the words of a query are marked. */
function Marked({ text, query }: { readonly text: string; readonly query: string }): ReactNode {
  const words = query.match(/[\p{L}\p{N}]{3,}/gu) ?? []
  if (words.length === 0) return text
  const parts = text.split(new RegExp(`(?<![\\p{L}\\p{N}])(${words.join('|')})`, 'giu'))
  return parts.map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place in the text
    index % 2 === 1 ? <mark key={index}>{part}</mark> : part,
  )
}
