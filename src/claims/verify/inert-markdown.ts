import { certainCode, undecidedFrom } from './certain-code.ts'

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

/** What may begin something that loads, or the rest of which is not there yet. */
const risky = /\\*(?:<(?:[a-z/!?]|$)|!(?:\[|$))|\\+$/i

/**
 * A Markdown text while it is written, as pieces that are together what {@link inertMarkdown} makes of the whole: what may or may
 * not stand in code is held back until that is decided.
 */
export class InertStream {
  private text = ''
  /** Up to where the text was given, and how long that became. */
  private given = { to: 0, length: 0 }
  private lookedAt = 0

  /** Takes a piece of the text. Gives what can be shown by now. */
  push(piece: string): string {
    this.text += piece
    const plain = this.plain()
    const { length } = this.text
    // Whatever is decided is so at the end of a line; a long text is looked at when it has grown by a part of itself.
    const isDue = /[\r\n]/.test(piece) && length - this.lookedAt >= length / 64
    if (this.given.to === length || !isDue) return plain
    this.lookedAt = length
    const decidedTo = undecidedFrom(this.text)
    if (decidedTo <= this.given.to) return plain
    const shown = inertMarkdown(this.text.slice(0, decidedTo)).slice(this.given.length)
    this.given = { to: decidedTo, length: this.given.length + shown.length }
    return plain + shown + this.plain()
  }

  /** Gives what was held back, as the end of the text, and begins anew. */
  end(): string {
    const rest = inertMarkdown(this.text).slice(this.given.length)
    this.text = ''
    this.given = { to: 0, length: 0 }
    this.lookedAt = 0
    return rest
  }

  /** Gives the text up to where it is risky, which is the same in code and out of it. */
  private plain(): string {
    const { to, length } = this.given
    const open = this.text.slice(to)
    const found = open.search(risky)
    const piece = found < 0 ? open : open.slice(0, found)
    this.given = { to: to + piece.length, length: length + piece.length }
    return piece
  }
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
