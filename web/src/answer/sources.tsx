import { type ReactNode, useEffect, useState } from 'react'
import type { CitedAnswer } from '../api/answer.ts'
import { call } from '../api/client.ts'
import { texts } from '../texts.ts'
import styles from './answer.module.css'

const formats = { bibtex: 'bib', ris: 'ris', csl: 'json' } as const
type Style = keyof typeof texts.sources.styles

/** What the answer cites, as references in a style, and to save for a reference manager. */
export function Sources({
  runId,
  answer,
}: {
  readonly runId: string
  readonly answer: CitedAnswer
}): ReactNode {
  const [style, setStyle] = useState<Style>('apa')
  return (
    <section className={styles.sources}>
      <h2>{texts.sources.title}</h2>
      <ol>
        {answer.citations.map(({ n, title, path, url }) => (
          <li key={n} value={n}>
            <span className={styles.sourceNumber}>[{n}]</span> {title}
            <span className="soft"> {url ?? path}</span>
          </li>
        ))}
      </ol>
      <details>
        <summary>{texts.sources.show}</summary>
        <label>
          {texts.sources.style}{' '}
          <select value={style} onChange={(event) => setStyle(event.target.value as Style)}>
            {Object.entries(texts.sources.styles).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <References runId={runId} style={style} />
        <p>
          {texts.sources.export}{' '}
          {Object.entries(formats).map(([format, ending]) => (
            <button
              key={format}
              type="button"
              onClick={() => saveReferences(runId, format as keyof typeof formats, ending)}
            >
              {texts.sources.formats[format as keyof typeof formats]}
            </button>
          ))}
        </p>
      </details>
    </section>
  )
}

function References({
  runId,
  style,
}: {
  readonly runId: string
  readonly style: Style
}): ReactNode {
  const [text, setText] = useState<string>(texts.loading)
  useEffect(() => {
    const path = { id: runId }
    call('GET /api/runs/{id}/references', { path, query: { format: 'text', style } }).then(
      setText,
      (error: Error) => setText(error.message),
    )
  }, [runId, style])
  return <pre className={styles.references}>{text}</pre>
}

async function saveReferences(
  runId: string,
  format: keyof typeof formats,
  ending: string,
): Promise<void> {
  const text = await call('GET /api/runs/{id}/references', {
    path: { id: runId },
    query: { format },
  })
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = Object.assign(document.createElement('a'), {
    href: address,
    download: `${runId}.${ending}`,
  })
  link.click()
  URL.revokeObjectURL(address)
}
