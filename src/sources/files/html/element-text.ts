import type { Document } from '../../document.ts'
import { type DomElement, type DomNode, isElement, isText } from './dom.ts'
import { tableSentences } from './table-rows.ts'

/** The text and headings of a node; hidden content must have been removed. */
export function elementText(root: DomNode): ReturnType<TextWriter['finish']> {
  const writer = new TextWriter()
  writeChildren(writer, root, 0)
  return writer.finish()
}

/** The text of a node on one line. */
export function lineText(root: DomNode): string {
  return elementText(root).text.replace(/\s+/g, ' ').trim()
}

function writeChildren(writer: TextWriter, node: DomNode, listDepth: number): void {
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (isText(child)) writer.write(child.textContent ?? '')
    else if (isElement(child)) writeElement(writer, child, listDepth)
  }
}

function writeElement(writer: TextWriter, element: DomElement, listDepth: number): void {
  const name = element.localName
  const content = (): void => writeChildren(writer, element, listDepth)
  if (unwritten.has(name)) return
  if (/^h[1-6]$/.test(name)) writer.heading(Number(name[1]), content)
  else if (name === 'br') writer.breakLine()
  else if (name === 'pre') writer.writeLines(splitLines(element))
  else if (name === 'sup') writer.write(superscript(lineText(element)))
  else if (name === 'ul' || name === 'ol') writeList(writer, element, listDepth)
  else if (name === 'table' && writeTable(writer, element)) return
  else if (name === 'q') {
    writer.write('“')
    content()
    writer.write('”')
  } else if (inline.has(name) || name.includes('-')) content()
  else writeBlock(writer, name, content)
}

/** A term and its definition are adjacent lines; other blocks are paragraphs. */
function writeBlock(writer: TextWriter, name: string, content: () => void): void {
  if (name === 'dd') writer.endLine()
  else writer.endParagraph()
  content()
  if (name === 'dt' || name === 'dd') writer.endLine()
  else writer.endParagraph()
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** Elements without readable text: controls, and the content of the head. */
const unwritten = words(
  'head title script style noscript template svg canvas iframe object audio video select textarea button input datalist ' +
    'rt rp del',
)

/** Inline elements; any other starts and ends a paragraph. */
const inline = words(
  'a abbr acronym b bdi bdo big blink cite code data dfn em font i img ins kbd label map mark math meter nobr output ' +
    'picture progress ruby rb s samp slot small span strike strong sub time tt u var wbr',
)

function writeList(writer: TextWriter, list: DomElement, listDepth: number): void {
  const separate = (): void => (listDepth === 0 ? writer.endParagraph() : writer.endLine())
  let number = Number(list.getAttribute('start') ?? 1)
  separate()
  for (const child of list.childNodes) {
    if (isText(child)) writer.write(child.textContent ?? '')
    else if (!isElement(child)) continue
    else if (child.localName === 'li') {
      const marker = list.localName === 'ol' && Number.isInteger(number) ? `${number++}. ` : '- '
      writer.item(marker, listDepth, () => writeChildren(writer, child, listDepth + 1))
    } else writeElement(writer, child, listDepth + 1)
  }
  separate()
}

/** Writes the rows of a data table; `false` for a layout table, which is written as paragraphs. */
function writeTable(writer: TextWriter, table: DomElement): boolean {
  const sentences = tableSentences(table, lineText)
  if (sentences === undefined) return false
  writer.endParagraph()
  for (const caption of table.children) {
    if (caption.localName !== 'caption') continue
    writer.write(lineText(caption))
    writer.endParagraph()
  }
  writer.writeLines(sentences)
  return true
}

/** Writes superscript digits as such, so that 10 to the 6th does not become 106, nor a note's mark part of a number. */
function superscript(text: string): string {
  if (!/^[-−+]?\d+$/.test(text)) return text
  const signed = text.replace(/^[-−]/, '⁻').replace('+', '⁺')
  return signed.replace(/\d/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)] as string)
}

/** The text of a node with its own line breaks. */
function splitLines(node: DomNode): string {
  const parts: string[] = []
  for (const child of node.childNodes) {
    if (isText(child)) parts.push(child.textContent ?? '')
    else if (isElement(child) && child.localName === 'br') parts.push('\n')
    else if (isElement(child) && !unwritten.has(child.localName)) parts.push(splitLines(child))
  }
  return parts.join('')
}

type Section = Document['sections'][number]

/** Builds a text from the pieces of a page: white space as in a browser, blank lines between paragraphs. */
class TextWriter {
  readonly #parts: string[] = []
  readonly #sections: Section[] = []
  #length = 0
  #lineBreaks = 0
  #needsSpace = false
  #indent = ''
  #marker = ''
  #heading: { readonly level: number; start: number | undefined } | undefined

  /** Adds words; white space is collapsed, and dropped at the start and end of lines. */
  write(text: string): void {
    const words = cleanLine(text)
    if (/^\s/.test(words)) this.#needsSpace = true
    const trimmed = words.trim()
    if (trimmed === '') return
    this.#put(trimmed.replace(/[ \t\n\r\f\v]+/g, ' '))
    this.#needsSpace = /\s$/.test(words)
  }

  /** Adds preformatted text as separate paragraphs. */
  writeLines(text: string): void {
    this.endParagraph()
    const lines = cleanLine(text)
      .replace(/^\s*\n/, '')
      .trimEnd()
    if (lines !== '') this.#put(lines)
    this.endParagraph()
  }

  /** Starts a new line; in a heading, adds a space. */
  endLine(): void {
    if (this.#heading?.start !== undefined) this.#needsSpace = true
    else this.#lineBreaks = Math.max(this.#lineBreaks, 1)
  }

  /** Starts a new paragraph. */
  endParagraph(): void {
    if (this.#heading?.start !== undefined) this.#needsSpace = true
    else this.#lineBreaks = 2
  }

  /** Adds a line break; two in a row make a blank line. */
  breakLine(): void {
    if (this.#lineBreaks > 0) this.endParagraph()
    else this.endLine()
  }

  /** Writes a list item that starts with `marker`. */
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

/** Removes zero-width characters and unifies spaces. */
function cleanLine(text: string): string {
  return text.replace(/[\u00a0\u202f]/g, ' ').replace(unseen, '')
}

/** Controls, soft hyphens, zero-width spaces and joiners, and tag characters, which can encode invisible text. */
const unseen = /(?!\s)\p{Cc}|[\u00ad\u200b\u2060\ufeff]|[\u{e0000}-\u{e007f}]/gu
