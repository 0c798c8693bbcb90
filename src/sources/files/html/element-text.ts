import { type DomElement, type DomNode, isElement, isText } from './dom.ts'
import { tableSentences } from './table-rows.ts'
import { TextWriter } from './text-writer.ts'

/** The text in a node with its headings; what is hidden must have been taken out. */
export function elementText(root: DomNode): ReturnType<TextWriter['finish']> {
  const writer = new TextWriter()
  writeChildren(writer, root, 0)
  return writer.finish()
}

/** The text in a node in one line. */
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
  if (UNWRITTEN.has(name)) return
  if (/^h[1-6]$/.test(name)) writer.heading(Number(name[1]), content)
  else if (name === 'br') writer.breakLine()
  else if (name === 'pre') writer.writeLines(linesOf(element))
  else if (name === 'sup') writer.write(raised(lineText(element)))
  else if (name === 'ul' || name === 'ol') writeList(writer, element, listDepth)
  else if (name === 'table' && writeTable(writer, element)) return
  else if (name === 'q') {
    writer.write('“')
    content()
    writer.write('”')
  } else if (INLINE.has(name) || name.includes('-')) content()
  else writeBlock(writer, name, content)
}

/** A term and what it means stand on lines that follow each other; other blocks are paragraphs. */
function writeBlock(writer: TextWriter, name: string, content: () => void): void {
  if (name === 'dd') writer.endLine()
  else writer.endParagraph()
  content()
  if (name === 'dt' || name === 'dd') writer.endLine()
  else writer.endParagraph()
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** Elements without text to read: controls, and what a document's head holds. */
const UNWRITTEN = words(
  'head title script style noscript template svg canvas iframe object audio video select textarea button input datalist ' +
    'rt rp del',
)

/** Elements that stand in a line; any other starts and ends a paragraph. */
const INLINE = words(
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

/** Writes the rows of a table that holds data; a table that only lays out a page is left to be written as paragraphs. */
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

/** Raised digits as superscripts, so that 10 to the 6th is not read as 106 nor a note's mark as part of a number. */
function raised(text: string): string {
  if (!/^[-−+]?\d+$/.test(text)) return text
  const signed = text.replace(/^[-−]/, '⁻').replace('+', '⁺')
  return signed.replace(/\d/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)] as string)
}

/** The text in a node with its own line breaks. */
function linesOf(node: DomNode): string {
  const parts: string[] = []
  for (const child of node.childNodes) {
    if (isText(child)) parts.push(child.textContent ?? '')
    else if (isElement(child) && child.localName === 'br') parts.push('\n')
    else if (isElement(child) && !UNWRITTEN.has(child.localName)) parts.push(linesOf(child))
  }
  return parts.join('')
}
