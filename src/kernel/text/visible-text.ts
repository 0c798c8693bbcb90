/**
 * Characters that a person does not see for what they are: controls, marks of the writing direction, what is drawn as nothing
 * (zero-width, tags, variation selectors, fillers), other spaces than U+0020, separators of lines and paragraphs, half characters.
 * @see https://www.unicode.org/reports/tr36/ (visual spoofing) and https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point
 */
const hidden =
  /[[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Zs}\p{DI}\p{NChar}\u2800\ufff9-\ufffc\u{13441}\u{13442}\u{16fe4}\u{1d159}]--[\n\t\x20]]/v

let emojiPattern: RegExp | undefined

/**
 * An emoji may be several characters, some of them invisible by themselves: it is seen as a whole. Created when a text first needs
 * it: the list of all emoji takes some 50 ms to compile.
 */
function emojiOrHidden(): RegExp {
  emojiPattern ??= new RegExp(`\\p{RGI_Emoji}|(${hidden.source})`, 'gv')
  return emojiPattern
}

/**
 * A text as a person has to see it who decides by it: what {@link findHidden} finds is shown as marks such as `<U+202E>`. Line ends
 * and tabs stay. The marks are plain text, so a text that was marked stays as it is.
 */
export function showHidden(text: string): string {
  return replaceHidden(text.replaceAll('\r\n', '\n'), mark)
}

/** {@link showHidden} text on one line: line ends and tabs are marks, too. For names, and for rules. */
export function showHiddenOnOneLine(text: string): string {
  return showHidden(text.replaceAll('\r', mark)).replaceAll(/[\n\t]/g, mark)
}

/** The first character of a command that nobody sees, such as `U+202E`; `undefined` for none. Line ends and tabs are seen. */
export function findHidden(command: string): string | undefined {
  if (!hidden.test(command)) return undefined
  for (const [, character] of command.matchAll(emojiOrHidden()))
    if (character !== undefined) return codePoint(character)
  return undefined
}

/** {@link findHidden} of a name, in which line ends and tabs are hidden, too. */
export function findHiddenInName(name: string): string | undefined {
  const [end] = /[\n\t]/.exec(name) ?? []
  return end === undefined ? findHidden(name) : codePoint(end)
}

/** A text with something else in the place of each character that nobody sees; line ends and tabs stay. */
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
