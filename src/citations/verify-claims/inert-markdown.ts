import { certainCode } from './certain-code.ts'

/**
 * A Markdown text that loads and runs nothing by being shown: outside of code there is no HTML in it and no image. What could begin
 * a tag is seen as it was written (`&lt;`), an exclamation before a bracket too (`\![1]` is still a citation), and an address in
 * angles is the address. Code is what every reader takes for it; in other code the signs are seen as they are written here.
 * @see https://spec.commonmark.org/0.31.2/#raw-html
 */
export function inertMarkdown(text: string): string {
  if (!text.includes('![') && !text.includes('<')) return text
  return outsideOfCode(text, (part) =>
    part
      .replaceAll(addressInAngles, spaced)
      .replaceAll(tagStart, inertTag)
      .replaceAll(image, inertImage),
  )
}

/** What {@link inertMarkdown} was given, as it is shown where Markdown is no more than text: in a terminal, or to be compared. */
export function shownMarkdown(text: string): string {
  if (!text.includes('![') && !text.includes('&lt;')) return text
  return outsideOfCode(text, (part) => part.replaceAll('&lt;', '<').replaceAll('\\![', '!['))
}

function outsideOfCode(text: string, change: (part: string) => string): string {
  const parts: string[] = []
  let from = 0
  for (const { start, end } of certainCode(text)) {
    parts.push(change(text.slice(from, start)), text.slice(start, end))
    from = end
  }
  return [...parts, change(text.slice(from))].join('')
}

const tagStart = /(?<!\\)(\\*)<(?=[a-z/!?])/gi
const image = /(?<!\\)(\\*)!(?=\[)/g

/** A backslash before it would not escape in every reader, and before an entity escape that instead. */
function inertTag(_found: string, backslashes: string): string {
  return `${backslashes.slice(backslashes.length % 2)}&lt;`
}

function inertImage(found: string, backslashes: string): string {
  return backslashes.length % 2 === 1 ? found : `${backslashes}\\!`
}

const addressInAngles = /(?<=(^|[^\\]))<(https?:\/\/[^\s<>`|\\!*~[\]"']+)>(?=(\S{0,4}))/gi

/** The address alone, with spaces where it would run into what stands beside it. */
function spaced(_found: string, before: string, address: string, behind: string): string {
  const isEnd = /^[.,;:!?)*_"']*$/.test(behind)
  return `${/^[\s(*_"']?$/.test(before) ? '' : ' '}${address}${isEnd ? '' : ' '}`
}
