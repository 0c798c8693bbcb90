/** A text as one word of a POSIX shell, in quotes where it needs them. */
export function posixWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

/**
 * A text as one word of a command line that a person may paste into the shell at hand; `undefined` for what some shell there would
 * not take as it stands: expansions (`$`, back-quotes, `!`), backslashes, both kinds of quotes, and characters that nobody sees or
 * that end a line.
 */
export function wordToPaste(text: string, platform: NodeJS.Platform): string | undefined {
  // PowerShell, which is everywhere, takes curly quotes for quotes.
  if (/[$`!\\\p{C}\p{Zl}\p{Zp}\u2018-\u201f]/u.test(text)) return undefined
  if (platform === 'win32')
    return /^[\p{L}\p{N} _@+=:,.;?'/*-]+$/u.test(text) ? `"${text}"` : undefined
  if (/^[\w./][\w@%+=:,./-]*$/.test(text)) return text
  if (!text.includes('"')) return `"${text}"`
  return text.includes("'") ? undefined : `'${text}'`
}
