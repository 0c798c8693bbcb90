import { type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react'
import { addressOf } from '../route.ts'
import { libraryTexts } from '../texts/library.ts'
import styles from './library.module.css'
import { isAdded, isOpen, type Upload, UploadQueue } from './upload-queue.ts'

const said = libraryTexts.uploads

/** The files of this tab: they are sent on while another place is shown. */
const queue = new UploadQueue()

addEventListener('beforeunload', (event) => {
  if (queue.list().some(isOpen)) event.preventDefault()
})

/** What is on its way into the library. */
export function useUploads(): readonly Upload[] {
  return useSyncExternalStore(queue.subscribe, queue.list)
}

/** Sends files to the library. */
export function addFiles(files: readonly File[]): void {
  queue.add(files)
}

/** A button that opens the browser's choice of files. */
export function ChooseFiles({ label }: { readonly label: string }): ReactNode {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <button type="button" onClick={() => input.current?.click()}>
        {label}
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={label}
        onChange={(event) => {
          addFiles([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
    </>
  )
}

/** Each file with its state, until it is dismissed. */
export function Uploads(): ReactNode {
  const uploads = useUploads()
  useAnnounced(uploads)
  if (uploads.length === 0) return null
  const done = uploads.filter((upload) => !isOpen(upload)).length
  return (
    <section className={styles.uploads} aria-labelledby="uploads">
      <header>
        <h2 id="uploads">{said.title}</h2>
        <span className="soft">{said.done(done, uploads.length)}</span>
        {uploads.some(isAdded) && (
          <button type="button" className="quiet" onClick={() => queue.dismiss()}>
            {said.dismissDone}
          </button>
        )}
      </header>
      <ul>
        {uploads.map((upload) => (
          <UploadRow key={upload.id} upload={upload} />
        ))}
      </ul>
    </section>
  )
}

const tones: Readonly<Record<Upload['state'], string>> = {
  waiting: 'soft',
  adding: 'soft',
  added: 'tone-good',
  updated: 'tone-good',
  unchanged: 'tone-good',
  refused: 'tone-bad',
  failed: 'tone-bad',
  passed_over: 'tone-part',
}

function UploadRow({ upload }: { readonly upload: Upload }): ReactNode {
  const { id, name, state, sourceId, detail } = upload
  const named = (act: string) => libraryTexts.actOn(act, name)
  return (
    <li>
      <span>{name}</span>
      <span className={tones[state]}>{said[state]}</span>
      <span className={styles.acts}>
        {sourceId !== undefined && (
          <a href={addressOf({ place: 'source', sourceId })} aria-label={named(said.open)}>
            {said.open}
          </a>
        )}
        {state === 'failed' && (
          <button type="button" aria-label={named(said.again)} onClick={() => queue.retry(id)}>
            {said.again}
          </button>
        )}
        {!isOpen(upload) && (
          <button
            type="button"
            className="quiet"
            aria-label={named(said.dismiss)}
            onClick={() => queue.dismiss(id)}
          >
            {said.dismiss}
          </button>
        )}
      </span>
      {detail !== undefined && <p className={styles.detail}>{detail}</p>}
    </li>
  )
}

/** Says when all files are done, not each step. */
function useAnnounced(uploads: readonly Upload[]): void {
  const isBusy = uploads.some(isOpen)
  const wasBusy = useRef(isBusy)
  useEffect(() => {
    const live = document.getElementById('announcements')
    if (wasBusy.current && !isBusy && live !== null) {
      const refused = uploads.filter((upload) => !isAdded(upload)).length
      const parts = [said.done(uploads.length, uploads.length)]
      live.textContent = [...parts, ...(refused > 0 ? [said.refusedCount(refused)] : [])].join(', ')
    }
    wasBusy.current = isBusy
  }, [uploads, isBusy])
}
