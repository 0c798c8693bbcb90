/**
 * Characters that a reader of lines or a terminal would take for more than text: control characters, those that end a line
 * somewhere (U+0085, U+2028, U+2029) or change the writing direction, and halves of surrogate pairs.
 */
const controlCharacters = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/gu

/** The text with such characters as `\uXXXX`, so that it stays one line and can neither forge one nor steer a terminal. */
export function escapeControlCharacters(text: string): string {
  return text.replaceAll(controlCharacters, escaped)
}

/** A value as JSON on one line, safe for readers that end lines elsewhere than at `\n`. Reads back as the same value. */
export function jsonLine(value: object): string {
  return escapeControlCharacters(JSON.stringify(value))
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
