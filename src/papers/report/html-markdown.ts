import { type Html, html } from './html.ts'

/** A run of citation marks in a text, with the links that it becomes. */
export interface LinkedRun {
  readonly start: number
  readonly end: number
  readonly markup: Html
}

/** Makes markup of a stretch of text that begins at `start`. */
type Inline = (text: string, start: number) => Html

const item = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+/
const heading = /^\s{0,3}#{1,6}\s+/

/** The paragraphs, headings and lists of a Markdown text; all else in it is text. */
export function markdownBlocks(markdown: string, inline: Inline): readonly Html[] {
  const blocks: Html[] = []
  let items: Html[] = []
  const closeList = (): void => {
    if (items.length > 0) blocks.push(html`<ul>${items}</ul>\n`)
    items = []
  }
  for (const { text, start } of blocksIn(markdown)) {
    const [mark = ''] = item.exec(text) ?? []
    const [hashes = ''] = heading.exec(text) ?? []
    const inner = inline(text.slice((mark || hashes).length), start + (mark || hashes).length)
    if (mark !== '') {
      items.push(html`<li dir="auto">${inner}</li>`)
      continue
    }
    closeList()
    blocks.push(hashes === '' ? html`<p dir="auto">${inner}</p>\n` : html`<h3>${inner}</h3>\n`)
  }
  closeList()
  return blocks
}

/** Lines that belong together, with their offsets: up to an empty line, a heading or an item. */
function blocksIn(markdown: string): readonly { readonly text: string; readonly start: number }[] {
  const blocks: { text: string; start: number }[] = []
  let start = 0
  let isOpen = false
  for (const line of markdown.split('\n')) {
    const isHeading = heading.test(line)
    const last = blocks.at(-1)
    if (line.trim() === '') isOpen = false
    else if (isOpen && last !== undefined && !isHeading && !item.test(line))
      last.text = markdown.slice(last.start, start + line.length)
    else {
      blocks.push({ text: line, start })
      isOpen = !isHeading
    }
    start += line.length + 1
  }
  return blocks
}

/** Text with its citations as links, and with what is strong, stressed or code as that. */
export function inlineMarkdown(text: string, start: number, links: readonly LinkedRun[]): Html {
  const parts: Html[] = []
  let from = 0
  for (const { 0: whole, index, groups } of text.matchAll(weights)) {
    parts.push(linked(text.slice(from, index), start + from, links))
    const name = Object.keys(groups ?? {}).find((one) => groups?.[one] !== undefined) ?? ''
    const inner = groups?.[name] ?? ''
    const innerStart = start + index + whole.indexOf(inner)
    const content = linked(inner, innerStart, name === 'code' ? [] : links)
    if (name === 'strong') parts.push(html`<strong>${content}</strong>`)
    else parts.push(name === 'code' ? html`<code>${content}</code>` : html`<em>${content}</em>`)
    from = index + whole.length
  }
  return html`${parts}${linked(text.slice(from), start + from, links)}`
}

const weights =
  /`(?<code>[^`\n]+)`|\*\*(?<strong>[^*\n]+)\*\*|(?<![\p{L}\p{N}*])\*(?<em>[^*\s][^*\n]*)\*(?![\p{L}\p{N}*])/gu

function linked(text: string, start: number, links: readonly LinkedRun[]): Html {
  const end = start + text.length
  const parts: Html[] = []
  let from = start
  for (const run of links.filter((one) => one.start >= start && one.end <= end)) {
    parts.push(html`${plain(text.slice(from - start, run.start - start))}`, run.markup)
    from = run.end
  }
  return html`${parts}${plain(text.slice(from - start))}`
}

/** What a backslash or an entity of Markdown hides. */
function plain(text: string): string {
  return text.replaceAll('&lt;', '<').replace(/\\([!-/:-@[-`{-~])/g, '$1')
}
