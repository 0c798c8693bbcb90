import { type ReactNode, useEffect, useState } from 'react'
import { call } from '../api/client.ts'
import type { Access } from '../api/operations.ts'
import frame from '../frame/frame.module.css'
import { isAdded } from '../library/upload-queue.ts'
import { addFiles, ChooseFiles, Uploads, useUploads } from '../library/uploads.tsx'
import { useDrop } from '../library/use-drop.ts'
import { addressOf } from '../route.ts'
import { askTexts as said } from '../texts/ask.ts'
import { libraryTexts } from '../texts/library.ts'
import styles from './ask.module.css'

interface AskSourcesProps {
  readonly access: Access | undefined
  readonly isWeb: boolean
  readonly setWeb: (isWeb: boolean) => void
  /** Paths in the server's folder, one on each line. */
  readonly paths: string
  readonly setPaths: (paths: string) => void
}

/** What a question searches: the library, files that are dropped here, files of the server, the web. */
export function AskSources(props: AskSourcesProps): ReactNode {
  const { access, isWeb, setWeb, paths, setPaths } = props
  const [problem, setProblem] = useState('')
  const mayAdd = access?.role === 'admin'
  const isOver = useDrop(mayAdd, addFiles, () => setProblem(libraryTexts.drop.unreadable))
  return (
    <fieldset className={styles.sources}>
      <legend>{said.sources}</legend>
      {isOver && <p className={frame.over}>{said.dropHere}</p>}
      <LibrarySize />
      {mayAdd && (
        <div>
          {said.drop} <ChooseFiles label={said.choose} />
          <p className="soft small">{said.dropWhy}</p>
        </div>
      )}
      {problem !== '' && <p role="alert">{problem}</p>}
      <Uploads />
      {access?.files && (
        <details>
          <summary>{said.files}</summary>
          <label className="small">
            {said.filesWhy}
            <textarea rows={2} value={paths} onChange={(event) => setPaths(event.target.value)} />
          </label>
        </details>
      )}
      {access?.web === true && (
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={isWeb}
            onChange={(event) => setWeb(event.target.checked)}
          />
          {said.web}
        </label>
      )}
      {access?.web === false && <p className="soft small">{said.webOff}</p>}
    </fieldset>
  )
}

const maxCounted = 200

function LibrarySize(): ReactNode {
  const [size, setSize] = useState('')
  const added = useUploads().filter(isAdded).length
  // biome-ignore lint/correctness/useExhaustiveDependencies: each file that was added changes the size
  useEffect(() => {
    call('GET /api/library', { query: { limit: maxCounted } }).then(
      ({ sources, next }) => setSize(said.librarySize(sources.length, next === undefined)),
      () => {},
    )
  }, [added])
  return (
    <p>
      <a href={addressOf({ place: 'library' })}>{said.library}</a>{' '}
      <span className="soft">{size}</span>
    </p>
  )
}
