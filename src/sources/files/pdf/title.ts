import type { Line } from './lines.ts'

const MAX_TITLE_CHARS = 300
/** Titles that programs write when nobody gave one, and names of files. */
const JUNK_TITLE =
  /^(?:microsoft (?:word|powerpoint|excel)\b|powerpoint presentation|presentation ?\d*$|untitled|document ?\d*$|slide ?\d+$|title$|no title|print|about:blank|https?:)|\.(?:docx?|pptx?|xlsx?|tex|dvi|ps|eps|pdf|indd|qxd|fm|rtf|txt|html?|md|odt|pages)$/i

/**
 * The document's title: the metadata's when it is a sane one whose words stand on the first page (without what
 * it adds to the largest text there: the journal), else that largest text, else the metadata's when it is sane at
 * all; `undefined` when neither gives one.
 */
export function titleOf(
  metadataTitle: string | undefined,
  firstPage: readonly Line[],
): string | undefined {
  const given = metadataTitle?.replace(/\s+/g, ' ').trim() ?? ''
  const shown = largestText(firstPage)
  if (!isSaneTitle(given)) return shown
  if (shown === undefined) return given
  const isLonger = given.length > shown.length && lettersIn(given).startsWith(lettersIn(shown))
  return !isLonger && standsOnPage(given, firstPage) ? given : shown
}

function isSaneTitle(title: string): boolean {
  const words = title.match(/\p{L}{2,}/gu) ?? []
  return (
    words.length >= 2 &&
    /\s/.test(title) &&
    title.length <= MAX_TITLE_CHARS &&
    !JUNK_TITLE.test(title)
  )
}

function standsOnPage(title: string, page: readonly Line[]): boolean {
  const said = new Set(wordsIn(page.map((line) => line.text).join(' ')))
  const words = wordsIn(title)
  return words.length > 0 && words.filter((word) => said.has(word)).length >= 0.7 * words.length
}

function lettersIn(text: string): string {
  return wordsIn(text).join('')
}

function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\d]+/gu) ?? []
}

/** The largest run of lines of one size with at least two words, when it is larger than other text and stands in the page's upper part. */
function largestText(page: readonly Line[]): string | undefined {
  const upright = page.filter((line) => !line.tilted && /\p{L}{2}/u.test(line.text))
  const heights = upright.map((line) => line.y)
  const middle = (Math.max(...heights) + Math.min(...heights)) / 2
  const sizes = [...new Set(upright.map((line) => Math.round(line.size * 2) / 2))]
  sizes.sort((one, other) => other - one)
  const smallest = sizes.at(-1) ?? 0
  for (const size of sizes) {
    const title = firstBlock(upright, size)
    if (title === undefined || title.y < middle) continue
    if (size > smallest && isTitleLike(title.text)) return title.text
  }
  return undefined
}

function isTitleLike(text: string): boolean {
  const words = text.match(/\p{L}{2,}/gu) ?? []
  const isLabel =
    /^(?:research article|original (?:article|paper|research)|review(?: article)?|open access|abstract)$/i
  return words.length >= 2 && text.length <= MAX_TITLE_CHARS && !isLabel.test(text)
}

/** The first lines of one size that follow each other. */
function firstBlock(lines: readonly Line[], size: number): { text: string; y: number } | undefined {
  const isOfSize = (line: Line) => Math.abs(line.size - size) <= 0.5
  const first = lines.findIndex(isOfSize)
  const head = lines[first]
  if (head === undefined) return undefined
  let text = head.text
  for (const [index, line] of lines.slice(first + 1).entries()) {
    const before = lines[first + index] as Line
    if (!isOfSize(line) || before.y - line.y > 2.2 * size) break
    text += ` ${line.text}`
  }
  return { text: text.replace(/(\p{L})- (?=\p{Ll})/gu, '$1').replace(/[\s*∗†]+$/, ''), y: head.y }
}
