import { type ReactNode, useEffect, useRef } from 'react'
import { looks } from '../answer/verdicts.ts'
import type { CitedAnswer } from '../api/answer.ts'
import { texts } from '../texts.ts'
import { MarkedText, type TextMark } from './marked-text.tsx'
import styles from './source.module.css'
import { useText } from './use-text.ts'

interface SourceViewProps {
  readonly runId: string
  readonly answer: CitedAnswer
  /** From 1. */
  readonly sentence: number
  /** The number of the source. */
  readonly n: number
  /** Shows the place of another sentence in this source. */
  readonly choose: (sentence: number) => void
  readonly close: () => void
}

/** Windows narrower than this show the source over the answer. */
const narrow = '(max-width: 68rem)'

/** A cited source as a whole, at the passage that a sentence rests on. */
export function SourceView(props: SourceViewProps): ReactNode {
  const { answer, sentence, n, choose, close } = props
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => openBeside(dialog.current), [])
  const cited = answer.citations.find((one) => one.n === n)
  const claim = answer.claims[sentence - 1]
  if (cited === undefined || claim === undefined) return null
  const evidence = claim.evidence.find((one) => one.n === n)
  const citing = answer.claims.flatMap(({ citations }, index) =>
    citations.includes(n) ? [index + 1] : [],
  )
  const { tone, shape } = looks[claim.verdict]
  return (
    <dialog
      ref={dialog}
      className={styles.view}
      aria-labelledby="source-title"
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
    >
      <header className={styles.head}>
        <h2 id="source-title">
          <span className={styles.number}>[{n}]</span> {cited.title}
        </h2>
        <button type="button" onClick={close} aria-keyshortcuts="Escape">
          {texts.source.back}
        </button>
        <p className="soft">
          <span className={`tone-${tone}`}>
            {shape} {texts.verdicts[claim.verdict]}
          </span>
          {[cited.path, evidence?.page && texts.proof.where.page(evidence.page)]
            .filter(Boolean)
            .map((part) => ` · ${part}`)}
        </p>
        {citing.length > 1 && (
          <nav className={styles.citing} aria-label={texts.source.citing}>
            <span className="soft">{texts.source.citing}</span>
            {citing.map((number) => (
              <button
                key={number}
                type="button"
                aria-label={texts.answer.sentence(number)}
                aria-current={number === sentence ? 'true' : undefined}
                onClick={() => choose(number)}
              >
                {number}
              </button>
            ))}
          </nav>
        )}
      </header>
      <WholeText {...props} />
    </dialog>
  )
}

/** Opens beside the answer where there is room, else over it. */
function openBeside(dialog: HTMLDialogElement | null): () => void {
  const query = matchMedia(narrow)
  const open = () => {
    dialog?.close()
    if (query.matches) dialog?.showModal()
    else dialog?.show()
  }
  open()
  query.addEventListener('change', open)
  return () => query.removeEventListener('change', open)
}

/** The text as it was read, scrolled to the passage. */
function WholeText({ runId, answer, sentence, n }: SourceViewProps): ReactNode {
  const marks: readonly TextMark[] = answer.claims.flatMap(({ evidence }, index) =>
    evidence
      .filter((one) => one.n === n)
      .map(({ start, end }) => ({ start, end, isChosen: index + 1 === sentence })),
  )
  const place = marks.find(({ isChosen }) => isChosen)?.start ?? 0
  const { read, more } = useText(runId, n, place)
  const body = useRef<HTMLDivElement>(null)
  const isThere = read != null
  // biome-ignore lint/correctness/useExhaustiveDependencies: another place is scrolled to
  useEffect(() => {
    if (isThere) body.current?.querySelector('[data-chosen]')?.scrollIntoView({ block: 'center' })
  }, [isThere, place])
  if (read === null) return <p role="status">{texts.source.gone}</p>
  if (read === undefined) return <p role="status">{texts.loading}</p>
  const { text, start, totalChars, kind } = read
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
    <section className={styles.body} aria-label={texts.source.text} tabIndex={0} ref={body}>
      {start > 0 && (
        <button type="button" onClick={() => more('before')}>
          {texts.source.before}
        </button>
      )}
      <MarkedText {...{ text, start, kind, marks }} />
      {start + text.length < totalChars && (
        <button type="button" onClick={() => more('after')}>
          {texts.source.after}
        </button>
      )}
    </section>
  )
}
