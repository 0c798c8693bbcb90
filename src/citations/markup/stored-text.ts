import { type Blocks, readBlocks } from './blocks.ts'
import { scanSpan } from './scan.ts'
import type { Token } from './token.ts'

/** A citation in a stored text: a mark, a link with a mark, or an attribute. */
export interface StoredMark {
  readonly kind: 'mark' | 'link' | 'attribute'
  readonly n: number
  /** The text of a link. */
  readonly words: string
  /** The name of an attribute's tag, in lower case. */
  readonly tag: string
  /** Its offset in the stored text. */
  readonly start: number
  readonly end: number
}

/** How to render a stored text. */
export interface StoredStyle {
  /** `before` is the text between this mark and the previous one, as rendered. */
  mark(mark: StoredMark, before: string): string
  /** Renders the text between citations; unchanged by default. */
  text?(text: string): string
  /** Renders an image with its address; unchanged by default. */
  image?(words: string, written: string): string
}

/** Renders a stored text: replaces its local marks from 1 to `count`; marks beyond are unchanged. */
export function writeStored(text: string, count: number, style: StoredStyle): string {
  const labels = {
    isMark: (n: number) => n >= 1 && n <= count,
    isNumber: () => false,
    isName: () => false,
  }
  const between = style.text ?? ((part: string) => part)
  const parts: string[] = []
  const tokens: Token[] = []
  let from = 0
  for (const span of readStoredBlocks(text).spans) {
    if (span.kind === 'code') continue
    tokens.length = 0
    scanSpan(text, span, labels, tokens)
    for (const token of tokens) {
      const isImage = token.kind === 'image' && style.image !== undefined
      const mark = isImage ? undefined : readStoredMark(token)
      if (!isImage && mark === undefined) continue
      const before = between(text.slice(from, token.start))
      const written = text.slice(token.start, token.end)
      const image = style.image?.(token.words ?? '', written) ?? written
      parts.push(before, mark === undefined ? image : style.mark(mark, before))
      from = token.end
    }
  }
  parts.push(between(text.slice(from)))
  return parts.join('')
}

/** The blocks of a stored text, which contains no definitions. */
export function readStoredBlocks(text: string): Blocks {
  return readBlocks(text, false)
}

function readStoredMark(token: Token): StoredMark | undefined {
  const { kind, start, end, keys, words = '', tag = '' } = token
  if ((kind !== 'mark' && kind !== 'link' && kind !== 'attribute') || keys === undefined)
    return undefined
  return { kind, n: Number(keys[0]), words, tag, start, end }
}

/**
 * Renders a stored text for a model: each local number n becomes `numbers[n - 1]`; marks beyond are unchanged. Images lose
 * their addresses, so that addresses remain only in code.
 */
export function renderForModel(text: string, numbers: readonly number[]): string {
  return writeStored(text, numbers.length, {
    mark: ({ kind, n, words }) => {
      const number = numbers[n - 1]
      if (kind === 'attribute') return `idx="${number}"`
      return kind === 'link' ? `[${words}][!CITE_${number}!]` : `[!CITE_${number}!]`
    },
    image: (words) => `![${words}]()`,
  })
}
