/**
 * Removes what could move a cursor, start an escape sequence or reverse the direction of text: control characters other
 * than line breaks and tabs, and bidirectional controls.
 */
export function printable(text: string): string {
  return text.replace(
    /[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c\u2028\u2029]|[^\P{Cc}\n\t]/gu,
    '',
  )
}
