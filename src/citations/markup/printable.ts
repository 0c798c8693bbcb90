/**
 * The text without what could move a cursor, start an escape sequence or turn the order of what is shown around: control
 * characters other than line break and tab, and the controls of bidirectional text.
 */
export function printable(text: string): string {
  return text.replace(
    /[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c\u2028\u2029]|[^\P{Cc}\n\t]/gu,
    '',
  )
}
