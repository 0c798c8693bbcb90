import type { Document } from '../../document.ts'

type Section = Document['sections'][number]

/** Builds a text from the pieces of a page: white space as a browser lays it out, blank lines between paragraphs. */
export class TextWriter {
  readonly #parts: string[] = []
  readonly #sections: Section[] = []
  #length = 0
  #lineBreaks = 0
  #needsSpace = false
  #indent = ''
  #marker = ''
  #heading: { readonly level: number; start: number | undefined } | undefined

  /** Adds words; white space around and in them counts as one space, and is none at a line's start or end. */
  write(text: string): void {
    const words = cleaned(text)
    if (/^\s/.test(words)) this.#needsSpace = true
    const trimmed = words.trim()
    if (trimmed === '') return
    this.#put(trimmed.replace(/[ \t\n\r\f\v]+/g, ' '))
    this.#needsSpace = /\s$/.test(words)
  }

  /** Adds text with its white space, as paragraphs of its own. */
  writeLines(text: string): void {
    this.endParagraph()
    const lines = cleaned(text)
      .replace(/^\s*\n/, '')
      .trimEnd()
    if (lines !== '') this.#put(lines)
    this.endParagraph()
  }

  /** What comes next starts on a new line; in a heading, after a space. */
  endLine(): void {
    if (this.#heading?.start !== undefined) this.#needsSpace = true
    else this.#lineBreaks = Math.max(this.#lineBreaks, 1)
  }

  /** What comes next starts after a blank line. */
  endParagraph(): void {
    if (this.#heading?.start !== undefined) this.#needsSpace = true
    else this.#lineBreaks = 2
  }

  /** One more break: the second in a row makes a blank line. */
  breakLine(): void {
    if (this.#lineBreaks > 0) this.endParagraph()
    else this.endLine()
  }

  /** Writes a list's item: its first line begins with `marker`. */
  item(marker: string, depth: number, content: () => void): void {
    const outer = this.#indent
    this.endLine()
    this.#indent = '  '.repeat(depth)
    this.#marker = marker
    content()
    this.#marker = ''
    this.#indent = outer
    this.endLine()
  }

  /** Writes a heading, which starts a section. */
  heading(level: number, content: () => void): void {
    if (this.#heading !== undefined) {
      content()
      return
    }
    this.endParagraph()
    const heading = { level, start: undefined }
    this.#heading = heading
    content()
    this.#closeHeading(heading)
    this.endParagraph()
  }

  /** The text and its headings. */
  finish(): { readonly text: string; readonly sections: readonly Section[] } {
    return { text: this.#parts.join(''), sections: this.#sections }
  }

  #closeHeading({ level, start }: { level: number; start: number | undefined }): void {
    this.#heading = undefined
    if (start === undefined) return
    const title = this.#parts
      .slice(start)
      .join('')
      .trim()
      .replace(/^- |^\d+\. /, '')
    const offset = this.#length - this.#parts.slice(start).join('').trimStart().length
    this.#sections.push({ title, level, start: offset })
  }

  #put(words: string): void {
    const isFirst = this.#length === 0
    const isNewLine = isFirst || this.#lineBreaks > 0
    if (this.#heading !== undefined) this.#heading.start ??= this.#parts.length
    if (!isFirst && this.#lineBreaks > 0) this.#add('\n'.repeat(this.#lineBreaks))
    else if (!isFirst && this.#needsSpace) this.#add(' ')
    if (isNewLine) this.#add(this.#indent + this.#marker)
    this.#marker = ''
    this.#lineBreaks = 0
    this.#needsSpace = false
    this.#add(words)
  }

  #add(part: string): void {
    this.#parts.push(part)
    this.#length += part.length
  }
}

/** Text without what has no width, and with one kind of space. */
function cleaned(text: string): string {
  return text.replace(/[\u00a0\u202f]/g, ' ').replace(UNSEEN, '')
}

/** Controls, soft hyphens, zero-width spaces and joins, and the tag characters that spell what nobody sees. */
const UNSEEN = /(?!\s)\p{Cc}|[\u00ad\u200b\u2060\ufeff]|[\u{e0000}-\u{e007f}]/gu
