/** An answer as it is scored: its text without citations and marks of emphasis, on one line. */
export function plainAnswer(markdown: string): string {
  return markdown
    .replaceAll(/\s*\[\d+(?:\s*[,–-]\s*\d+)*\]/g, '')
    .replaceAll(/\*\*|__|`/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
