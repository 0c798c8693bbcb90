import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import type { CitedAnswer } from '../api/answer.ts'
import { texts } from '../texts.ts'
import styles from './answer.module.css'
import { cutPieces, locateClaims, type Piece } from './locate-claims.ts'
import { drawMarkdown, parseMarkdown } from './markdown.tsx'
import { holds, looks } from './verdicts.ts'

interface AnswerTextProps {
  readonly answer: CitedAnswer
  /** From 1; the sentence whose proof is shown. */
  readonly chosen: number | undefined
  readonly source: number | undefined
  readonly choose: (sentence: number, source?: number) => void
}

/** The answer: each sentence can be chosen, its numbers open their passages, its mark says that it does not plainly hold. */
export function AnswerText({ answer, chosen, source, choose }: AnswerTextProps): ReactNode {
  const article = useRef<HTMLElement>(null)
  const { answer: text, claims } = answer
  const tree = useMemo(() => parseMarkdown(text), [text])
  const placed = useMemo(() => locateClaims(text, claims), [text, claims])
  useEffect(() => {
    const listen = (event: MouseEvent) => {
      const target = event.target as Element
      const sentence = target.closest('button, a')
        ? null
        : target.closest<HTMLElement>('[data-sentence]')
      const isSelecting = getSelection()?.isCollapsed === false
      if (sentence !== null && !isSelecting) choose(Number(sentence.dataset.sentence))
    }
    const element = article.current
    element?.addEventListener('click', listen)
    return () => element?.removeEventListener('click', listen)
  }, [choose])
  useEffect(() => {
    const sentence = article.current?.querySelector(`[data-sentence="${chosen}"]`)
    sentence?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  const drawPiece = (piece: Piece) => {
    const { text: said, claim, n, start, isLast } = piece
    const found = claim === undefined ? undefined : claims[claim]
    if (claim === undefined || found === undefined) return <span key={start}>{said}</span>
    const number = claim + 1
    const isChosen = number === chosen
    const { tone, shape } = looks[found.verdict]
    const className = [styles.sentence, isChosen && styles.chosen].filter(Boolean).join(' ')
    return (
      <span key={start} className={className} data-sentence={number}>
        {n === undefined ? (
          said
        ) : (
          <button
            type="button"
            className={styles.number}
            aria-label={texts.answer.opens(n, texts.verdicts[found.verdict])}
            aria-pressed={isChosen && (source ?? found.citations[0]) === n}
            onClick={() => choose(number, n)}
          >
            {said}
          </button>
        )}
        {isLast && !holds(found.verdict) && (
          <button
            type="button"
            className={`${styles.mark} tone-${tone}`}
            aria-label={texts.answer.marks(texts.verdicts[found.verdict])}
            onClick={() => choose(number)}
          >
            {shape} {texts.verdicts[found.verdict]}
          </button>
        )}
      </span>
    )
  }
  return (
    <article ref={article} className={styles.text} aria-label={texts.answer.title}>
      {drawMarkdown(tree, text, (value, place) =>
        place === undefined ? value : cutPieces(text, place, placed).map(drawPiece),
      )}
    </article>
  )
}
