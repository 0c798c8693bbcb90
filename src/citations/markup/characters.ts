/** Whether `index` is at white space or at the end of the text. */
export function isSpaceAt(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return Number.isNaN(code) || code === 32 || (code >= 9 && code <= 13)
}

/** Whether a backslash makes the character of this code literal, as in Markdown: ASCII punctuation. */
export function isEscapable(code: number): boolean {
  return (
    (code >= 33 && code <= 47) ||
    (code >= 58 && code <= 64) ||
    (code >= 91 && code <= 96) ||
    (code >= 123 && code <= 126)
  )
}

/**
 * Whether a bracket at `index` is an array index (`arr[1]`) because a letter, digit or underscore comes directly before
 * it. Scripts without spaces between words are an exception.
 */
export function isAttached(text: string, index: number): boolean {
  const code = text.charCodeAt(index - 1)
  if (index === 0 || Number.isNaN(code)) return false
  if (code < 128) return isWord(code)
  const low = code >= 0xdc00 && code <= 0xdfff && index > 1
  const character = text.slice(index - (low ? 2 : 1), index)
  return /[\p{L}\p{N}]/u.test(character) && !unspacedScript.test(character)
}

/** Whether a code is a private-use character, which no address contains; they mark places of text that is not prose. */
export function isPrivateUse(code: number): boolean {
  return code >= 0xe000 && code <= 0xf8ff
}

/** Whether a code is an ASCII letter or digit, or an underscore. */
export function isWord(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95
  )
}

const unspacedScript =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** Undoes Markdown's backslashes and entities in an address or title. */
export function unescapeMarkdown(text: string): string {
  if (!/[\\&]/.test(text)) return text
  return text
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/&colon;|&#0*58;|&#x0*3a;/gi, ':')
    .replace(/&sol;|&#0*47;|&#x0*2f;/gi, '/')
    .replaceAll('&amp;', '&')
}
