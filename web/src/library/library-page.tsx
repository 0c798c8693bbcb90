import { type ReactNode, useEffect, useRef, useState } from 'react'
import { call, describeError } from '../api/client.ts'
import { useAccess } from '../api/use-access.ts'
import frame from '../frame/frame.module.css'
import { useKeys } from '../frame/keys.tsx'
import { addressOf } from '../route.ts'
import { libraryTexts as said } from '../texts/library.ts'
import { texts } from '../texts.ts'
import { Hits } from './hits.tsx'
import styles from './library.module.css'
import { isAdded } from './upload-queue.ts'
import { addFiles, ChooseFiles, Uploads, useUploads } from './uploads.tsx'
import { useDrop } from './use-drop.ts'
import { type KnownLibrary, type Source, useLibrary } from './use-library.ts'

/** The sources that all questions search: find passages, add files, open and remove sources. */
export function LibraryPage(): ReactNode {
  const known = useLibrary()
  const [query, setQuery] = useState('')
  const [problem, setProblem] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const mayChange = useAccess()?.role
  const isAdmin = mayChange === 'admin'
  useEffect(() => {
    document.title = `${said.title} · ${texts.product}`
  }, [])
  useKeys({ '/': () => input.current?.focus() })
  const isOver = useDrop(
    isAdmin,
    (files) => {
      setProblem('')
      addFiles(files)
    },
    () => setProblem(said.drop.unreadable),
  )
  const added = useUploads().filter(isAdded).length
  const { refresh } = known
  // biome-ignore lint/correctness/useExhaustiveDependencies: each file that was added changes the list
  useEffect(refresh, [added])
  return (
    <div className={frame.wide}>
      <h1>{said.title}</h1>
      <p className="soft">{said.what}</p>
      {isOver && <p className={frame.over}>{said.drop.here}</p>}
      {isAdmin ? (
        <p className={styles.drop}>
          {said.drop.what} <ChooseFiles label={said.drop.choose} />
        </p>
      ) : (
        mayChange !== undefined && <p>{said.readOnly}</p>
      )}
      {problem !== '' && (
        <p role="alert" className="tone-bad">
          {problem}
        </p>
      )}
      <Uploads />
      <label className={styles.search}>
        {said.search}
        <input
          ref={input}
          type="search"
          value={query}
          placeholder={said.searchHint}
          onChange={(event) => setQuery(event.target.value)}
        />
      </label>
      {query.trim() === '' ? (
        <SourceList known={known} isAdmin={isAdmin} />
      ) : (
        <Hits query={query.trim()} />
      )}
    </div>
  )
}

function SourceList({
  known,
  isAdmin,
}: {
  readonly known: KnownLibrary
  readonly isAdmin: boolean
}): ReactNode {
  const { sources, isRead, isAll, problem, more, refresh } = known
  return (
    <section aria-labelledby="sources" className={styles.list}>
      <h2 id="sources" tabIndex={-1}>
        {said.list}
        {isRead && <span className="soft small"> {said.count(sources.length, isAll)}</span>}
      </h2>
      {problem !== '' && (
        <p role="alert">
          {problem}{' '}
          <button type="button" onClick={refresh}>
            {texts.tryAgain}
          </button>
        </p>
      )}
      {isRead && sources.length === 0 && <p>{said.empty}</p>}
      <ul>
        {sources.map((source) => (
          <SourceRow key={source.id} {...{ source, isAdmin, refresh }} />
        ))}
      </ul>
      {!isAll && (
        <button type="button" onClick={more}>
          {said.more}
        </button>
      )}
    </section>
  )
}

interface SourceRowProps {
  readonly source: Source
  readonly isAdmin: boolean
  readonly refresh: () => void
}

function SourceRow({ source, isAdmin, refresh }: SourceRowProps): ReactNode {
  const { id, title } = source
  const [isSure, setSure] = useState(false)
  const [problem, setProblem] = useState('')
  const confirm = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isSure) confirm.current?.focus()
  }, [isSure])
  const remove = () =>
    call('DELETE /api/library/{id}', { path: { id } }).then(
      () => {
        document.getElementById('sources')?.focus()
        refresh()
      },
      (error: unknown) => setProblem(describeError(error)),
    )
  const named = (act: string) => said.actOn(act, title)
  return (
    <li>
      <span className={styles.title}>
        <a href={addressOf({ place: 'source', sourceId: id })}>{title}</a>
        <span className="soft small">{describeSource(source)}</span>
        {isSure && <span className="small">{said.sureWhy}</span>}
        {problem !== '' && (
          <span role="alert" className="tone-bad">
            {problem}
          </span>
        )}
      </span>
      {isAdmin && (
        <span className={styles.acts}>
          {isSure ? (
            <>
              <button
                ref={confirm}
                type="button"
                className="danger"
                aria-label={named(said.sure)}
                onClick={remove}
              >
                {said.sure}
              </button>
              <button
                type="button"
                className="quiet"
                aria-label={named(said.keep)}
                onClick={() => setSure(false)}
              >
                {said.keep}
              </button>
            </>
          ) : (
            <button
              type="button"
              className="quiet"
              aria-label={named(said.remove)}
              onClick={() => setSure(true)}
            >
              {said.remove}
            </button>
          )}
        </span>
      )}
    </li>
  )
}

/** The file, kind, pages and size of a source. */
export function describeSource({ path, url, kind, pageCount, sizeBytes }: Source): string {
  const name = url ?? path?.split(/[\\/]/).at(-1)
  const pages = pageCount === undefined ? undefined : said.pages(pageCount)
  return [name, kind, pages, formatSize(sizeBytes)].filter(Boolean).join(' · ')
}

/** `12 kB`, `3.4 MB`. */
function formatSize(bytes: number): string {
  if (bytes < 1e6) return `${Math.max(1, Math.round(bytes / 1e3))} kB`
  return `${(bytes / 1e6).toFixed(1)} MB`
}
