import { codeSpanEnd, lastRuns } from '../markup/scan.ts'
import { storedBlocks } from '../markup/stored-text.ts'
import { definitionsIn } from './foreign-addresses.ts'

/**
 * A Markdown text that loads nothing by being shown: images, and elements of HTML that load or run something, are seen as they were
 * written, by a backslash before them. Code stays as it is, and so do citations behind an exclamation (`Look![1]`), unless `1` is
 * defined in the text, since that would be an image.
 * @see https://spec.commonmark.org/0.31.2/#images
 */
export function inertMarkdown(text: string): string {
  if (!text.includes('![') && !text.includes('<')) return text
  const defined = definitionsIn(text)
  const parts: string[] = []
  let from = 0
  for (const span of storedBlocks(text).spans) {
    if (span.kind === 'code') continue
    for (const at of loadingIn(text, span.start, span.end, defined)) {
      parts.push(text.slice(from, at), '\\')
      from = at
    }
  }
  parts.push(text.slice(from))
  return parts.join('')
}

const loadingTag =
  /^<\/?(?:a(?:pplet|rea|udio)|base|bgsound|body|button|embed|form|frame|frameset|iframe|image|img|input|link|math|meta|object|picture|portal|script|source|style|svg|t(?:able|d|h|r|body|head|foot)|template|track|video)\b/i
/** Behind `![`: numbers and a bracket, behind which no address or label follows. */
const citation = /^\[([\d,;–\s-]+)\](?![([])/

/** Where in a paragraph something begins that would be loaded: the bracket of an image, the angle of a tag. */
function loadingIn(
  text: string,
  start: number,
  end: number,
  defined: ReadonlyMap<string, string>,
): readonly number[] {
  const found: number[] = []
  let runs: ReadonlyMap<number, number> | undefined
  for (let at = start; at < end; ) {
    const character = text.charAt(at)
    if (character === '\\') at += 2
    else if (character === '`') {
      runs ??= lastRuns(text, start, end)
      at = codeSpanEnd(text, at, end, runs)
    } else {
      if (character === '<' && loadingTag.test(text.slice(at, at + 20))) found.push(at)
      if (character === '!' && text.charAt(at + 1) === '[' && isImage(text, at + 1, defined))
        found.push(at + 1)
      at++
    }
  }
  return found
}

function isImage(text: string, bracket: number, defined: ReadonlyMap<string, string>): boolean {
  const [, label] = citation.exec(text.slice(bracket, bracket + 200)) ?? []
  return label === undefined || defined.has(label.trim().toLowerCase())
}
