/** A text of at most `maxChars` UTF-16 code units: a longer one ends with `…`. */
export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const kept = text.slice(0, maxChars - 1).replace(/[\ud800-\udbff]$/, '')
  return `${kept.trimEnd()}…`
}

/** A text with its beginning and end if it is longer than `maxChars` UTF-16 code units; between them a line says how much is missing. */
export function cutMiddle(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const half = Math.floor(maxChars / 2)
  const missing = text.length - 2 * half
  return `${text.slice(0, half)}\n… ${missing} characters left out …\n${text.slice(-half)}`.toWellFormed()
}
