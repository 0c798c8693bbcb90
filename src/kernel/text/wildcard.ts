/** Whether a text is as a pattern says, in which `*` stands for any characters; in time in line with the lengths of both. */
export function matchesWildcard(pattern: string, text: string): boolean {
  return hasParts(text, pattern.split('*'))
}

/** Whether a text begins with the first part, ends with the last, and has the others between them in order; with one, is that. */
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
