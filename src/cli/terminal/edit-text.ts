import { splitGraphemes } from '../render/graphemes.ts'

/** A text with a cursor: an offset in UTF-16 code units, never within a grapheme. */
export interface Edited {
  readonly text: string
  readonly cursor: number
}

/** The start of the grapheme before an offset. */
export function before(text: string, cursor: number): number {
  if (cursor <= 0) return 0
  const from = lineStart(text, cursor)
  if (from === cursor) return cursor - 1
  const near = Math.max(from, cursor - 4 * longestCharacter)
  let last = near
  for (const { index } of splitGraphemes(text.slice(near, cursor))) last = near + index
  return last
}

/** The offset after the grapheme at an offset. */
export function after(text: string, cursor: number): number {
  if (cursor >= text.length) return text.length
  const [first] = splitGraphemes(text.slice(cursor, cursor + longestCharacter))
  return cursor + (first?.segment.length ?? 1)
}

/** More code units than any grapheme that is drawn as one has. */
const longestCharacter = 64

/** The start of the line at an offset. */
export function lineStart(text: string, cursor: number): number {
  return text.lastIndexOf('\n', cursor - 1) + 1
}

/** The end of the line at an offset, before its line break. */
export function lineEnd(text: string, cursor: number): number {
  const end = text.indexOf('\n', cursor)
  return end < 0 ? text.length : end
}

/** The start of the word before an offset. */
export function wordBefore(text: string, cursor: number): number {
  const near = text.slice(Math.max(0, cursor - longestWord), cursor)
  const [found = ''] = /[\p{L}\p{N}\p{M}_]*[^\p{L}\p{N}\p{M}_]*$/u.exec(near) ?? []
  return cursor - found.length
}

/** Maximum distance to search for the end of a word. */
const longestWord = 500

/** The end of the word after an offset. */
export function wordAfter(text: string, cursor: number): number {
  const [found = ''] =
    /^[^\p{L}\p{N}\p{M}_]*[\p{L}\p{N}\p{M}_]*/u.exec(text.slice(cursor, cursor + longestWord)) ?? []
  return cursor + found.length
}

/** The text with `added` inserted at the cursor. */
export function inserted({ text, cursor }: Edited, added: string): Edited {
  return settled(text.slice(0, cursor) + added + text.slice(cursor), cursor + added.length)
}

/** The text without the range between two offsets. */
export function without({ text }: Edited, from: number, to: number): Edited {
  return settled(text.slice(0, from) + text.slice(to), from)
}

/**
 * The text with the cursor at an offset, or after the grapheme around it: inserted text may combine with its neighbour.
 */
export function settled(text: string, cursor: number): Edited {
  const from = lineStart(text, cursor)
  const near = Math.max(from, cursor - longestCharacter)
  for (const { index, segment } of splitGraphemes(text.slice(near, cursor + longestCharacter))) {
    const end = near + index + segment.length
    if (end >= cursor) return { text, cursor: near + index < cursor ? end : cursor }
  }
  return { text, cursor }
}
