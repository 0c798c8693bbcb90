import { type ReactNode, useMemo } from 'react'
import { drawMarkdown, parseMarkdown, type TextPlace } from '../answer/markdown.tsx'
import styles from './source.module.css'

/** A place in the text of a source that a sentence rests on, in UTF-16 code units of the whole text. */
export interface TextMark extends TextPlace {
  /** Whether it is the one that is shown. */
  readonly isChosen: boolean
}

interface MarkedTextProps {
  /** Part of a source's text as it was read. */
  readonly text: string
  /** Where the part begins in the whole text. */
  readonly start: number
  /** The kind of the source; of `markdown`, the signs are drawn and not shown. */
  readonly kind: string
  readonly marks: readonly TextMark[]
}

/** Part of a source with the passages that an answer rests on marked. No HTML of the text lives. */
export function MarkedText({ text, start, kind, marks }: MarkedTextProps): ReactNode {
  const own = marks.map((mark) => ({ ...mark, start: mark.start - start, end: mark.end - start }))
  const tree = useMemo(() => (kind === 'markdown' ? parseMarkdown(text) : undefined), [kind, text])
  if (tree !== undefined)
    return drawMarkdown(tree, text, (value, place, around) =>
      place === undefined ? drawUnsure(value, around, own) : drawPieces(text, place, own),
    )
  return paragraphsOf(text).map((place) => (
    <p key={place.start} className={styles.lines}>
      {drawPieces(text, place, own)}
    </p>
  ))
}

function paragraphsOf(text: string): readonly TextPlace[] {
  const ends = [...text.matchAll(/\n\s*\n/g)].map(({ 0: gap, index }) => [index, gap.length])
  const places: TextPlace[] = []
  let start = 0
  for (const [end = 0, gap = 0] of [...ends, [text.length, 0]]) {
    if (end > start) places.push({ start, end })
    start = end + gap
  }
  return places
}

/** Draws a text of which only the surroundings are known: marked if most of them are. */
function drawUnsure(value: string, around: TextPlace, marks: readonly TextMark[]): ReactNode {
  const shared = (mark: TextMark) =>
    Math.min(mark.end, around.end) - Math.max(mark.start, around.start)
  const halfChars = (mark: TextMark) =>
    Math.min(mark.end - mark.start, around.end - around.start) / 2
  const found = marks.filter((mark) => shared(mark) > halfChars(mark))
  return drawMark(value, found)
}

function drawPieces(text: string, { start, end }: TextPlace, marks: readonly TextMark[]) {
  const inside = marks.filter((mark) => mark.start < end && mark.end > start)
  const cuts = inside.flatMap((mark) => [Math.max(mark.start, start), Math.min(mark.end, end)])
  const places = [...new Set([start, ...cuts, end])].sort((one, other) => one - other)
  return places.slice(0, -1).map((from, index) => {
    const to = places[index + 1] ?? end
    const found = inside.filter((mark) => mark.start <= from && mark.end >= to)
    return <span key={from}>{drawMark(text.slice(from, to), found)}</span>
  })
}

function drawMark(text: string, marks: readonly TextMark[]): ReactNode {
  if (marks.length === 0) return text
  if (marks.some(({ isChosen }) => isChosen)) return <mark data-chosen="">{text}</mark>
  return <mark className={styles.other}>{text}</mark>
}
