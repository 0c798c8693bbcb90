/** Whether a text matches a pattern in which `*` stands for any characters; in linear time. */
export function matchesWildcard(pattern: string, text: string): boolean {
  return hasParts(text, pattern.split('*'))
}

/**
 * Whether a text begins with the first part, ends with the last, and contains the others between them in order; a single part
 * must be the whole text.
 */
export function hasParts(text: string, [first = '', ...others]: readonly string[]): boolean {
  const last = others.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first)) return false
  let from = first.length
  for (const part of others) {
    const at = text.indexOf(part, from)
    if (at === -1) return false
    from = at + part.length
  }
  return text.length - last.length >= from && text.endsWith(last)
}
