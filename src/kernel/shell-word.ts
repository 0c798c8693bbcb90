/** A text as one word of a POSIX shell, in quotes where it needs them. */
export function posixWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

/**
 * A text as one word of a command line that a person may paste into the shell at hand; `undefined` for what some shell there would
 * not take as it stands: expansions (`$`, back-quotes, `!`), backslashes, and characters that nobody sees or that end a line.
 */
export function wordToPaste(
  text: string,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  if (/[$`!\\\p{C}\p{Zl}\p{Zp}]/u.test(text)) return undefined
  if (platform !== 'win32') return posixWord(text)
  // Of these `cmd` and PowerShell make the same.
  return /^[\p{L}\p{N} _@+=:,./*-]+$/u.test(text) ? `"${text}"` : undefined
}
