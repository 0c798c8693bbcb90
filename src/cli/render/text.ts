import { relative } from 'node:path'
import { fromInertMarkdown } from '../../claims/verify/inert-markdown.ts'
import { showHidden } from '../../kernel/text/visible-text.ts'
import { isNarrow, splitGraphemes } from './graphemes.ts'

/** Strings addressed to the terminal, such as a window title or a picture. @see ECMA-48, 5.6 Control strings */
const controlStrings =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u0090\u0098\u009c-\u009f]*(?:\u0007|\u001b\\|\u009c)/g

/** @see ECMA-48, 5.4 Control sequences, and ECMA-35, 13.2 Escape sequences */
const escapeSequences =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b[ -/]*[0-~]/g

/**
 * Removes everything that could control a terminal: escape sequences, control characters other than line breaks and
 * tabs, and characters that change the writing direction. Titles, file names and answers are untrusted.
 */
export function printable(text: string): string {
  return withoutControls(text).replaceAll(/\p{Bidi_Control}/gu, '')
}

/** Removes escape sequences, and control characters other than line breaks and tabs. */
export function withoutControls(text: string): string {
  return (
    text
      .replaceAll(controlStrings, '')
      .replaceAll(escapeSequences, '')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
      .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
  )
}

/** {@link printable} text on one line. */
export function oneLine(text: string): string {
  return printable(text).replaceAll(/\s+/g, ' ').trim()
}

/** {@link showHidden} text on one line, for a person's decision. */
export function visibleOnOneLine(text: string): string {
  return showHidden(text).replaceAll(/\s+/g, ' ').trim()
}

/** Width in columns of a text without control characters. */
export function countColumns(text: string): number {
  if (isNarrow(text)) return text.length
  let columns = 0
  for (const { segment } of splitGraphemes(text)) columns += columnsOfGrapheme(segment)
  return columns
}

/** The text, cut with `…` if wider than `columns`. */
export function cut(text: string, columns: number): string {
  if (countColumns(text) <= columns) return text
  let kept = ''
  let used = 0
  for (const { segment } of splitGraphemes(text)) {
    used += columnsOfGrapheme(segment)
    if (used > columns - 1) break
    kept += segment
  }
  return columns < 1 ? '' : `${kept.trimEnd()}…`
}

/** The text, cut with `…` at its beginning if wider than `columns`: the end of a path says more. */
export function cutStart(text: string, columns: number): string {
  if (countColumns(text) <= columns) return text
  let kept = ''
  let used = 0
  for (const { segment } of [...splitGraphemes(text)].reverse()) {
    used += columnsOfGrapheme(segment)
    if (used > columns - 1) break
    kept = segment + kept
  }
  return columns < 1 ? '' : `…${kept}`
}

/** The text padded with spaces on the right to `columns`. */
export function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - countColumns(text)))
}

/** Wraps a text between words in lines of at most `columns`; lines after the first begin with `indent`. */
export function wrap(text: string, columns: number, indent = ''): readonly string[] {
  const lead = /^ */.exec(text)?.[0] ?? ''
  const lines: string[] = []
  let line = lead
  let [used, isBlank] = [lead.length, true]
  const words = text.slice(lead.length).split(' ')
  for (const word of words.flatMap((long) => pieces(long, columns - indent.length))) {
    const width = countColumns(word)
    const space = isBlank ? '' : ' '
    if (!isBlank && used + 1 + width > columns) {
      lines.push(line)
      line = indent + word
      used = indent.length + width
      isBlank = word.trim() === ''
    } else {
      line += space + word
      used += space.length + width
      isBlank &&= word.trim() === ''
    }
  }
  return [...lines, line]
}

/** A word split into parts that fit on a line. */
function pieces(word: string, columns: number): readonly string[] {
  if (countColumns(word) <= columns) return [word]
  const parts = ['']
  let used = 0
  for (const { segment } of splitGraphemes(word)) {
    const width = columnsOfGrapheme(segment)
    used += width
    if (used > columns) {
      parts.push(segment)
      used = width
    } else parts[parts.length - 1] += segment
  }
  return parts
}

/** @see https://www.unicode.org/reports/tr11/ (wide and fullwidth characters) */
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u
const inEmoji = /\p{Emoji_Presentation}|\ufe0f/u
const invisible = /^[\p{Mn}\p{Me}\p{Cf}]+$/u

function columnsOfGrapheme(grapheme: string): number {
  if (isNarrow(grapheme)) return grapheme.length
  if (wide.test(grapheme) || isEmoji(grapheme)) return 2
  return invisible.test(grapheme) ? 0 : 1
}

function isEmoji(grapheme: string): boolean {
  // The list of all emoji takes longer to load than most commands, and hardly any text contains one.
  return inEmoji.test(grapheme) && /^\p{RGI_Emoji}$/v.test(grapheme)
}

/** Inert Markdown for display: on a terminal as it was written; elsewhere, where it may be rendered, it stays inert. */
export function asShown(
  markdown: string,
  { columns }: { readonly columns: number | undefined },
): string {
  return columns === undefined ? markdown : fromInertMarkdown(markdown)
}

/** A path for display: relative to the folder if inside it. An address is unchanged. */
export function shortPath(path: string, folder: string): string {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(path)) return oneLine(path)
  const fromHere = relative(folder, path)
  return oneLine(fromHere === '' || fromHere.startsWith('..') ? path : fromHere)
}
