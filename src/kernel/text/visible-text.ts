/**
 * Characters that are invisible or misleading: controls, writing direction marks, characters drawn as nothing (zero-width, tags,
 * variation selectors, fillers), spaces other than U+0020, line and paragraph separators, and lone surrogates.
 * @see https://www.unicode.org/reports/tr36/ (visual spoofing) and
 * https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point
 */
const hidden =
  /[[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Zs}\p{DI}\p{NChar}\u2800\ufff9-\ufffc\u{13441}\u{13442}\u{16fe4}\u{1d159}]--[\n\t\x20]]/v

let emojiPattern: RegExp | undefined

/**
 * An emoji may consist of several characters, some of them invisible by themselves, but is visible as a whole. Created on first
 * use: the list of all emoji takes about 50 ms to compile.
 */
function emojiOrHidden(): RegExp {
  emojiPattern ??= new RegExp(`\\p{RGI_Emoji}|(${hidden.source})`, 'gv')
  return emojiPattern
}

/**
 * A text for a person who has to judge it, with hidden characters (see {@link findHidden}) shown as marks such as `<U+202E>`.
 * Line ends and tabs are kept. The marks are plain text, so applying this twice changes nothing.
 */
export function showHidden(text: string): string {
  return replaceHidden(text.replaceAll('\r\n', '\n'), mark)
}

/** Like {@link showHidden}, but line ends and tabs become marks too. For names and rules. */
export function showHiddenOnOneLine(text: string): string {
  return showHidden(text.replaceAll('\r', mark)).replaceAll(/[\n\t]/g, mark)
}

/** The first hidden character in a command, such as `U+202E`; `undefined` if there is none. Line ends and tabs are not hidden. */
export function findHidden(command: string): string | undefined {
  if (!hidden.test(command)) return undefined
  for (const [, character] of command.matchAll(emojiOrHidden()))
    if (character !== undefined) return codePoint(character)
  return undefined
}

/** Like {@link findHidden}, for names, in which line ends and tabs count as hidden too. */
export function findHiddenInName(name: string): string | undefined {
  const [end] = /[\n\t]/.exec(name) ?? []
  return end === undefined ? findHidden(name) : codePoint(end)
}

/** Replaces each hidden character; line ends and tabs are kept. */
export function replaceHidden(text: string, replace: (character: string) => string): string {
  if (!hidden.test(text)) return text
  return text.replaceAll(emojiOrHidden(), (whole, character?: string) =>
    character === undefined ? whole : replace(character),
  )
}

function mark(character: string): string {
  return `<${codePoint(character)}>`
}

function codePoint(character: string): string {
  const digits = (character.codePointAt(0) as number).toString(16).toUpperCase()
  return `U+${digits.padStart(4, '0')}`
}
