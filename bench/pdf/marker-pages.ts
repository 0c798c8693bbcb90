/** A page layout that Chromium prints: what is drawn first differs from one to the next. */
export interface MarkerLayout {
  readonly name: string
  readonly html: string
  /** How many markers there are: `qz0000q` and on, in the order in which people read them. */
  readonly markers: number
}

const WORDS =
  'the measure of words in a column tells how often readers turn from its end to where another begins and whether a line of text belongs to what stands left or right of it'.split(
    ' ',
  )

/** The nth marker: a word that no text has otherwise. */
export function marker(index: number): string {
  return `qz${String(index).padStart(4, '0')}q`
}

/** Ways in which pages of two columns are made; in each, numbered words stand among others in reading order. */
export function markerLayouts(): readonly MarkerLayout[] {
  const columns = (name: string, css: string, options: Parts = {}) =>
    inColumns(name, `columns:2;${css}`, options)
  return [
    columns('columns, justified', 'column-gap:24pt;text-align:justify'),
    columns('columns, narrow gutter, small type', 'column-gap:12pt;font-size:8pt'),
    columns('columns, ragged, wide gutter', 'column-gap:40pt;font-size:11pt'),
    columns('title and abstract across, headings, footnote', 'column-gap:20pt;text-align:justify', {
      hasFront: true,
      hasHeadings: true,
    }),
    columns('figure with caption and table in the columns', 'column-gap:20pt', {
      hasFront: true,
      hasFigures: true,
    }),
    columns(
      'hyphenated, sans serif',
      'column-gap:18pt;text-align:justify;hyphens:auto;font-family:sans-serif',
    ),
    inRows('drawn row by row', { perPage: 52, sizePoints: 9.5 }),
    inRows('drawn row by row, justified', { perPage: 52, sizePoints: 9.5, isJustified: true }),
    inRows('drawn row by row, title and abstract across', {
      perPage: 48,
      sizePoints: 9.5,
      hasFront: true,
    }),
    inRows('drawn row by row, columns off by half a line', {
      perPage: 48,
      sizePoints: 10,
      shift: 0.5,
    }),
    inRows('right column drawn first', { perPage: 48, sizePoints: 10, order: 'right first' }),
    inRows('drawn from the bottom up', { perPage: 48, sizePoints: 10, order: 'upwards' }),
  ]
}

interface Parts {
  readonly hasFront?: boolean
  readonly hasHeadings?: boolean
  readonly hasFigures?: boolean
}

/** Paragraphs that flow through two columns by the browser's own layout. */
function inColumns(
  name: string,
  css: string,
  { hasFront, hasHeadings, hasFigures }: Parts,
): MarkerLayout {
  const text = markedText()
  const front = hasFront ? frontOf(text) : ''
  const parts = Array.from({ length: 36 }, (_, index) => {
    const heading = hasHeadings && index % 6 === 0 ? `<h2>${1 + index / 6} Section of it</h2>` : ''
    const paragraph = `<p>${text.take(60 + ((index * 37) % 50))}</p>`
    return heading + paragraph + (hasFigures && index % 9 === 4 ? figureOf(text) : '')
  })
  const body = `${front}<main style="${css}">${parts.join('')}</main>`
  return { name, html: pageOf(body), markers: text.count() }
}

interface Rows {
  /** Rows of a page. */
  readonly perPage: number
  readonly sizePoints: number
  readonly hasFront?: boolean
  readonly isJustified?: boolean
  /** How far the right column's lines stand below the left one's, in lines. */
  readonly shift?: number
  readonly order?: 'right first' | 'upwards'
}

/** Lines that stand at fixed places in two columns, written in another order than they are read. */
function inRows(
  name: string,
  { perPage, sizePoints, hasFront, isJustified, shift = 0, order }: Rows,
): MarkerLayout {
  const text = markedText()
  const pages = Array.from({ length: 4 }, (_, page) => {
    const front = hasFront && page === 0 ? frontOf(text) : ''
    const rows = front === '' ? perPage : perPage - 16
    const top = front === '' ? 0 : 16
    const lines = [0, 1].flatMap((column) =>
      Array.from({ length: rows }, (_, row) => ({ column, row, words: text.fill(LINE_CHARS) })),
    )
    const drawn =
      order === 'right first'
        ? lines.toSorted((one, other) => other.column - one.column)
        : order === 'upwards'
          ? lines.toReversed()
          : lines.toSorted((one, other) => one.row - other.row || one.column - other.column)
    const placed = drawn.map(({ column, row, words }) => {
      const y = (top + row + column * shift) * sizePoints * 1.25
      return `<div class="line${isJustified ? ' justified' : ''}" style="left:${column * 252}pt;top:${y}pt;width:236pt;font-size:${sizePoints}pt">${words}</div>`
    })
    return `<section>${front}${placed.join('')}</section>`
  })
  return { name, html: pageOf(pages.join('')), markers: text.count() }
}

/** How many characters of 10 points stand in a line that is 236 points wide. */
const LINE_CHARS = 42

interface MarkedText {
  /** As many words as fit into a line. */
  fill(characters: number): string
  /** So many words, each third of them a marker. */
  take(words: number): string
  count(): number
}

function markedText(): MarkedText {
  let markers = 0
  let words = 0
  const next = (): string => {
    words++
    return words % 3 === 0 ? marker(markers++) : (WORDS[(words * 7) % WORDS.length] as string)
  }
  return {
    take: (count) => `${Array.from({ length: count }, next).join(' ')}.`,
    fill(characters) {
      let line = next()
      while (line.length < characters - 6) line += ` ${next()}`
      return line
    },
    count: () => markers,
  }
}

function frontOf(text: MarkedText): string {
  return `<header><h1>A Title in Large Type</h1><p class="by">Ada Lovelace and Mary Anning</p><p>${text.take(70)}</p></header>`
}

function figureOf(text: MarkedText): string {
  const cells = Array.from(
    { length: 4 },
    (_, row) => `<tr><td>Row ${row}</td><td>0.${row}1</td><td>12.${row}</td></tr>`,
  )
  return `<figure><div class="picture"></div><figcaption>Figure 1: ${text.take(18)}</figcaption></figure><table>${cells.join('')}</table>`
}

function pageOf(body: string): string {
  const css = `@page{size:letter;margin:54pt}body{margin:0;font:10pt/1.25 serif}h1{font-size:17pt;text-align:center;margin:0 0 8pt}
.by{text-align:center}h2{font-size:12pt;margin:8pt 0 4pt}p{margin:0 0 4pt;text-indent:10pt}header{margin-bottom:12pt}
.picture{height:80pt;border:1pt solid}figure{margin:6pt 0}figcaption{font-size:9pt}table{font-size:8pt;width:100%}
section{position:relative;height:670pt;overflow:hidden;break-after:page}.line{position:absolute;white-space:nowrap}.justified{text-align-last:justify}`
  return `<!doctype html><html lang="en"><meta charset="utf-8"><style>${css}</style><body>${body}</body></html>`
}

/** Which part of neighbouring markers stand next to each other in a text, 0 to 1. */
export function orderScore(text: string, markers: number): number {
  const found = [...text.matchAll(/qz(\d{4})q/g)].map(([, digits]) => Number(digits))
  const pairs = found.filter((number, index) => found[index + 1] === number + 1).length
  return pairs / Math.max(1, markers - 1)
}
