/**
 * Characters that could do more than print: control characters, characters that some readers treat as line ends (U+0085, U+2028,
 * U+2029), characters that change the writing direction, and lone surrogates.
 */
const controlCharacters = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/gu

/** Replaces these characters with `\uXXXX`, so that text stays on one line and cannot control a terminal. */
export function escapeControlCharacters(text: string): string {
  return text.replaceAll(controlCharacters, escaped)
}

/** A value as JSON on one line, safe for readers that recognise line ends other than `\n`. Parses back to the same value. */
export function jsonLine(value: object): string {
  return escapeControlCharacters(JSON.stringify(value))
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
