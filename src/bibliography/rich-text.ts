/** Output formats of references. */
export type BibliographyFormat = 'text' | 'html' | 'markdown'

interface Tag {
  readonly name: string
  readonly isClosing: boolean
  /** The tag as written; one of the few that are allowed. */
  readonly source: string
}

type Piece = Tag | string

const tags =
  /<(\/?)(i|b|sup|sub|span|div)(?: (?:class="(?:csl|no)-?[a-z-]+"|style="(?:font-(?:variant|style|weight)|text-decoration): ?[a-z-]+;?"))?>/g

const entities: Readonly<Record<string, string>> = {
  '&#38;': '&',
  '&#60;': '<',
  '&#62;': '>',
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
}

/**
 * Converts citeproc's HTML to the requested format. Only rich-text tags are kept; everything else is escaped as text, so nothing
 * in a record becomes markup.
 */
export function renderRichText(html: string, format: BibliographyFormat): string {
  const pieces = dropEntryTag(splitPieces(html))
  if (format === 'html') return piecesToHtml(joinColumns(pieces))
  const inline = format === 'text' ? piecesToText(pieces) : piecesToMarkdown(pieces)
  return inline.replace(/\s+/g, (space) => (space.includes('\u00a0') ? '\u00a0' : ' ')).trim()
}

/** Prepares text for {@link renderRichText} so that CSL-JSON's own rich text (`<i>`, `<sup>` …) is kept. */
export function toRichText(text: string): string {
  return splitPieces(text)
    .map((piece) => {
      if (typeof piece === 'string') return escapeHtml(piece)
      return piece.name === 'div' ? escapeHtml(piece.source) : piece.source
    })
    .join('')
}

function splitPieces(html: string): readonly Piece[] {
  const pieces: Piece[] = []
  let end = 0
  for (const match of html.matchAll(tags)) {
    pieces.push(decodeEntities(html.slice(end, match.index)))
    pieces.push({ name: match[2] ?? '', isClosing: match[1] === '/', source: match[0] })
    end = match.index + match[0].length
  }
  pieces.push(decodeEntities(html.slice(end)))
  return pieces.filter((piece) => piece !== '')
}

function decodeEntities(html: string): string {
  return html.replace(/&(?:#38|#60|#62|amp|lt|gt|quot);/g, (entity) => entities[entity] ?? entity)
}

function dropEntryTag(pieces: readonly Piece[]): readonly Piece[] {
  const first = pieces.findIndex((piece) => typeof piece !== 'string' || piece.trim() !== '')
  const piece = pieces[first]
  if (piece === undefined || typeof piece === 'string' || !piece.source.includes('csl-entry')) {
    return pieces
  }
  const last = pieces.findLastIndex((other) => typeof other !== 'string' && other.name === 'div')
  return pieces.slice(first + 1, last)
}

/** Puts the two columns of a numbered entry on one line; without a style sheet, they would be printed below each other. */
function joinColumns(pieces: readonly Piece[]): readonly Piece[] {
  const isColumn: boolean[] = []
  return pieces.flatMap((piece) => {
    if (typeof piece === 'string' || piece.name !== 'div') return piece
    if (!piece.isClosing) isColumn.push(/"csl-(?:left-margin|right-inline)"/.test(piece.source))
    const isOfColumn = piece.isClosing ? isColumn.pop() : isColumn.at(-1)
    if (isOfColumn !== true) return piece
    const span = { ...piece, name: 'span', source: piece.source.replace('div', 'span') }
    return piece.isClosing ? [span, ' '] : span
  })
}

/** Closes tags in the reverse of the order in which they were opened; drops unmatched closing tags. */
function piecesToHtml(pieces: readonly Piece[]): string {
  const open: string[] = []
  const out: string[] = []
  for (const piece of pieces) {
    if (typeof piece === 'string') out.push(escapeHtml(piece))
    else if (!piece.isClosing) {
      open.push(piece.name)
      out.push(piece.source)
    } else if (open.includes(piece.name)) {
      while (open.length > 0) {
        const name = open.pop() ?? ''
        out.push(`</${name}>`)
        if (name === piece.name) break
      }
    }
  }
  return [...out, ...open.reverse().map((name) => `</${name}>`)].join('').trim()
}

function escapeHtml(text: string): string {
  return text.replace(
    /[&<>"]/g,
    (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign,
  )
}

function piecesToText(pieces: readonly Piece[]): string {
  return shiftDigits(pieces)
    .map((piece) => (typeof piece === 'string' ? piece : blockSpace(piece)))
    .join('')
}

function piecesToMarkdown(pieces: readonly Piece[]): string {
  const marks: Readonly<Record<string, string>> = { i: '*', b: '**' }
  const text = shiftDigits(pieces)
    .map((piece) =>
      typeof piece === 'string' ? escapeMarkdown(piece) : (marks[piece.name] ?? blockSpace(piece)),
    )
    .join('')
    .trim()
  return text.replace(/^(?:[#>+-]|\d+(?=[.)]\s))/, (start) =>
    /\d/.test(start) ? `${start}\\` : `\\${start}`,
  )
}

/** Turns URLs into links and escapes what Markdown would read as markup. */
function escapeMarkdown(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>]*[^\s<>.,;:!?)\]"'’”])/)
    .map((part, index) =>
      index % 2 === 1 ? `<${part}>` : part.replace(/[\\*_[\]<>`~|$&]/g, (sign) => `\\${sign}`),
    )
    .join('')
}

/** Separates the two columns of a numbered entry. */
function blockSpace(tag: Tag): string {
  return tag.name === 'div' ? ' ' : ''
}

const plain = '0123456789+-−=()n'
const raised = '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ'
const lowered = '₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₙ'

/** Writes superscript and subscript digits as Unicode characters: 10⁶ is not 106. */
function shiftDigits(pieces: readonly Piece[]): readonly Piece[] {
  return pieces.map((piece, index) => {
    const before = pieces[index - 1]
    if (typeof piece !== 'string' || before === undefined || typeof before === 'string')
      return piece
    if (before.isClosing || !/^su[pb]$/.test(before.name)) return piece
    const signs = [...piece]
    if (!signs.every((sign) => plain.includes(sign))) return piece
    const forms = before.name === 'sup' ? raised : lowered
    return signs.map((sign) => forms[plain.indexOf(sign)] ?? sign).join('')
  })
}
