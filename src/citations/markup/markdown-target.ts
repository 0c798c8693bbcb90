import { bareAddress } from './addresses.ts'

/** An address as it stands in `[words](…)` so that exactly it is read again. */
export function markdownTarget(url: string): string {
  const plain = withoutEntities(url)
  return isBalanced(plain) ? plain : `<${plain}>`
}

/** Whether every parenthesis has its counterpart, with no more inside each other than readers of Markdown allow. */
function isBalanced(url: string): boolean {
  let depth = 0
  for (let at = 0; at < url.length; at++) {
    const code = url.charCodeAt(at)
    if (code === 40 && ++depth > 32) return false
    if (code === 41 && --depth < 0) return false
  }
  return depth === 0
}

/** A text in which no `&` starts an entity of HTML, as in Markdown and in attributes it would. */
export function withoutEntities(text: string): string {
  return text.includes('&') ? text.replace(/&(?=#?\w+;)/g, '&amp;') : text
}

/** An address as it stands by itself: in angle brackets where punctuation at its end or in it would not be taken for its own. */
export function bareTarget(url: string): string {
  const written = withoutEntities(url)
  const { url: read, end } = bareAddress(written, 0, written.length)
  return read === url && end === written.length ? written : `<${written}>`
}
