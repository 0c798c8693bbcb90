/** Quotes a text as one word of a POSIX shell, if necessary. */
export function posixWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

/**
 * A text as one word of a command line to paste into the local shell; `undefined` if some shell on that platform would not take
 * it literally: expansions (`$`, backquotes, `!`), backslashes, both kinds of quotes, and invisible or line-ending characters.
 */
export function wordToPaste(text: string, platform: NodeJS.Platform): string | undefined {
  // PowerShell, which runs everywhere, treats curly quotes as quotes.
  if (/[$`!\\\p{C}\p{Zl}\p{Zp}\u2018-\u201f]/u.test(text)) return undefined
  if (platform === 'win32')
    return /^[\p{L}\p{N} _@+=:,.;?'/*-]+$/u.test(text) ? `"${text}"` : undefined
  if (/^[\w./][\w@%+=:,./-]*$/.test(text)) return text
  if (!text.includes('"')) return `"${text}"`
  return text.includes("'") ? undefined : `'${text}'`
}
