import { splitGraphemes } from '../render/graphemes.ts'

/** A text with a cursor: an offset in UTF-16 code units, never within a character as a person sees it. */
export interface Edited {
  readonly text: string
  readonly cursor: number
}

/** The offset of the beginning of the character before an offset. */
export function before(text: string, cursor: number): number {
  if (cursor <= 0) return 0
  const from = lineStart(text, cursor)
  if (from === cursor) return cursor - 1
  const near = Math.max(from, cursor - 4 * longestCharacter)
  let last = near
  for (const { index } of splitGraphemes(text.slice(near, cursor))) last = near + index
  return last
}

/** The offset behind the character at an offset. */
export function after(text: string, cursor: number): number {
  if (cursor >= text.length) return text.length
  const [first] = splitGraphemes(text.slice(cursor, cursor + longestCharacter))
  return cursor + (first?.segment.length ?? 1)
}

/** More code units than any character that is drawn as one has. */
const longestCharacter = 64

/** The offset at which the line of an offset begins. */
export function lineStart(text: string, cursor: number): number {
  return text.lastIndexOf('\n', cursor - 1) + 1
}

/** The offset at which the line of an offset ends, its line end left out. */
export function lineEnd(text: string, cursor: number): number {
  const end = text.indexOf('\n', cursor)
  return end < 0 ? text.length : end
}

/** The offset at which the word before an offset begins. */
export function wordBefore(text: string, cursor: number): number {
  const near = text.slice(Math.max(0, cursor - longestWord), cursor)
  const [found = ''] = /[\p{L}\p{N}\p{M}_]*[^\p{L}\p{N}\p{M}_]*$/u.exec(near) ?? []
  return cursor - found.length
}

/** A word is looked for so far: where there is none, that is as good as one. */
const longestWord = 500

/** The offset at which the word after an offset ends. */
export function wordAfter(text: string, cursor: number): number {
  const [found = ''] =
    /^[^\p{L}\p{N}\p{M}_]*[\p{L}\p{N}\p{M}_]*/u.exec(text.slice(cursor, cursor + longestWord)) ?? []
  return cursor + found.length
}

/** The text with `added` at the cursor. */
export function inserted({ text, cursor }: Edited, added: string): Edited {
  return settled(text.slice(0, cursor) + added + text.slice(cursor), cursor + added.length)
}

/** The text without what stands between two offsets. */
export function without({ text }: Edited, from: number, to: number): Edited {
  return settled(text.slice(0, from) + text.slice(to), from)
}

/** The text with the cursor at an offset, or behind the character in which that lies: what is put in may join its neighbour. */
export function settled(text: string, cursor: number): Edited {
  const from = lineStart(text, cursor)
  const near = Math.max(from, cursor - longestCharacter)
  for (const { index, segment } of splitGraphemes(text.slice(near, cursor + longestCharacter))) {
    const end = near + index + segment.length
    if (end >= cursor) return { text, cursor: near + index < cursor ? end : cursor }
  }
  return { text, cursor }
}
