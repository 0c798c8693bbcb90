import { maxTextLength } from './budget.ts'
import { syntaxError } from './template-error.ts'

/**
 * A piece of a template: plain text, `{{ … }}` or `{% … %}`. Comments are removed and white space is trimmed as `-`
 * asks.
 */
export interface Piece {
  readonly kind: 'text' | 'output' | 'statement'
  /** The text itself, or what is between the marks. */
  readonly text: string
  /** Start of the piece in the source, in UTF-16 units. */
  readonly offset: number
}

interface Tag extends Piece {
  readonly kind: 'output' | 'statement'
  readonly trimsBefore: boolean
  readonly trimsAfter: boolean
  readonly end: number
}

const closingMarks = { '{{': '}}', '{%': '%}', '{#': '#}' } as const

/** Whether a text contains anything that a template would evaluate. */
export function hasTags(text: string): boolean {
  return text.includes('{{') || text.includes('{%') || text.includes('{#')
}

/**
 * Splits a template into pieces. As in Jinja, one line feed at the very end is dropped and `{% raw %}` keeps its
 * content.
 *
 * @throws {@link ScholiumError} `invalid_agent_file` for an unclosed tag
 */
export function splitPieces(source: string): readonly Piece[] {
  if (source.length > maxTextLength) throw syntaxError('The template is too long', 0)
  const text = source.endsWith('\n') ? source.slice(0, -1) : source
  const pieces: Piece[] = []
  let position = 0
  let trimsNext = false
  const addText = (end: number, trimsEnd: boolean, start = position): void => {
    let plain = text.slice(start, end)
    if (trimsNext) plain = plain.trimStart()
    if (trimsEnd) plain = plain.trimEnd()
    if (plain !== '') pieces.push({ kind: 'text', text: plain, offset: start })
  }
  while (position < text.length) {
    const start = nextMark(text, position)
    if (start === undefined) break
    const tag = text[start + 1] === '#' ? readComment(text, start) : readTag(text, start)
    addText(start, tag.trimsBefore)
    trimsNext = tag.trimsAfter
    position = tag.end
    if (tag.kind === 'statement' && tag.text.trim() === 'raw') {
      const end = findEndOfRaw(text, position, start)
      addText(end.start, end.trimsBefore)
      trimsNext = end.trimsAfter
      position = end.end
    } else if (tag.kind !== 'comment') {
      pieces.push({ kind: tag.kind, text: tag.text, offset: start })
    }
  }
  addText(text.length, false)
  return pieces
}

function nextMark(text: string, from: number): number | undefined {
  for (let at = text.indexOf('{', from); at !== -1; at = text.indexOf('{', at + 1)) {
    const next = text[at + 1]
    if (next === '{' || next === '%' || next === '#') return at
  }
  return undefined
}

function readComment(
  text: string,
  start: number,
): Omit<Tag, 'kind'> & { readonly kind: 'comment' } {
  const end = text.indexOf('#}', start + 2)
  if (end === -1) throw syntaxError('The comment `{#` is not closed with `#}`', start)
  return {
    kind: 'comment',
    text: '',
    offset: start,
    trimsBefore: text[start + 2] === '-',
    trimsAfter: text[end - 1] === '-' && end > start + 2,
    end: end + 2,
  }
}

function readTag(text: string, start: number): Tag {
  const opening = text.slice(start, start + 2) as '{{' | '{%'
  const closing = closingMarks[opening]
  const end = findClosing(text, start + 2, closing)
  if (end === undefined) {
    throw syntaxError(
      `\`${opening}\` is not closed with \`${closing}\``,
      start,
      'Close it, or put `{% raw %}…{% endraw %}` around text that is not a template.',
    )
  }
  const trimsBefore = text[start + 2] === '-'
  const trimsAfter = text[end - 1] === '-' && end > start + 2
  return {
    kind: opening === '{{' ? 'output' : 'statement',
    text: text.slice(start + (trimsBefore ? 3 : 2), end - (trimsAfter ? 1 : 0)),
    offset: start,
    trimsBefore,
    trimsAfter,
    end: end + 2,
  }
}

/** The first closing mark outside of quotes and, for `}}`, outside of an object's braces. */
function findClosing(text: string, from: number, closing: string): number | undefined {
  let quote: string | undefined
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const character = text[at] as string
    if (quote !== undefined) {
      if (character === '\\') at++
      else if (character === quote) quote = undefined
    } else if (depth === 0 && text.startsWith(closing, at)) {
      return at
    } else if (character === '"' || character === "'") {
      quote = character
    } else if (character === '{') {
      depth++
    } else if (character === '}') {
      depth--
    }
  }
  return undefined
}

function findEndOfRaw(text: string, from: number, start: number) {
  const pattern = /\{%(-?)\s*endraw\s*(-?)%\}/g
  pattern.lastIndex = from
  const found = pattern.exec(text)
  if (found === null) throw syntaxError('`{% raw %}` is not closed with `{% endraw %}`', start)
  return {
    start: found.index,
    end: found.index + found[0].length,
    trimsBefore: found[1] === '-',
    trimsAfter: found[2] === '-',
  }
}
