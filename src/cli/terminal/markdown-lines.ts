import type { Paint } from '../render/paint.ts'
import { breakLine, drawable, type Span, wrapSpans } from './paint-lines.ts'

/**
 * Renders one line of Markdown in rows of at most `columns`: headings, lists, quotations, fences and emphasis. A line
 * is drawn without those after it, so that an answer can be drawn while it is written.
 * @param fence the fence around the line; empty outside of one
 */
export function markdownRows(
  line: string,
  fence: string,
  columns: number,
  paint: Paint,
): readonly string[] {
  const text = drawable(line).trimEnd()
  if (fence !== '') {
    if (fenceAfter(text, fence) === '') return []
    return breakLine(text, columns - 4).map((row) => `    ${paint.cyan(row)}`)
  }
  if (fenceAfter(text, '') === '') return plainRows(text, columns, paint)
  const language = text.replace(/^\s*[`~]+/, '').trim()
  return language === '' ? [] : [`    ${paint.dim(fitted(language, columns - 4))}`]
}

/** The fence around the next line; empty outside of one. @see https://spec.commonmark.org/0.31.2/#fenced-code-blocks */
export function fenceAfter(line: string, fence: string): string {
  const [, found = '', language = ''] = /^ {0,3}(`{3,}|~{3,})\s*([^`]*)$/.exec(line.trimEnd()) ?? []
  if (fence === '') return found
  return found.startsWith(fence) && language.trim() === '' ? '' : fence
}

function fitted(text: string, columns: number): string {
  return breakLine(text, columns)[0] ?? ''
}

function plainRows(text: string, columns: number, paint: Paint): readonly string[] {
  const heading = /^ {0,3}#{1,6}\s+(.*)$/.exec(text)
  // Closing `#` signs of a heading; found from the end, since patterns would try each space.
  if (heading !== null) {
    const [, all = ''] = heading
    const title = all.replace(/(?<![#])#+$/, '')
    const shown = /\s$/.test(title) ? title.trimEnd() : all
    return wrapSpans([{ text: shown, paint: paint.bold }], columns)
  }
  if (/^ {0,3}(?:-\s*){3,}$|^ {0,3}(?:\*\s*){3,}$|^ {0,3}(?:_\s*){3,}$/.test(text))
    return [paint.dim('─'.repeat(Math.min(columns, 40)))]
  const quote = /^ {0,3}>\s?(.*)$/.exec(text)
  if (quote !== null) {
    const inside = wrapSpans(inlineSpans(quote[1] ?? '', paint), columns - 2)
    return inside.map((row) => `${paint.dim('│')} ${row}`)
  }
  const item = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/.exec(text)
  if (item !== null) return itemRows(item, columns, paint)
  if (/^\s*\|.*\|$/.test(text)) return breakLine(text, columns)
  const [lead = ''] = /^\s*/.exec(text) ?? []
  const indent = lead.slice(0, Math.floor(columns / 2))
  return wrapSpans(inlineSpans(text.trim(), paint), columns, { first: indent, indent })
}

function itemRows(
  [, lead = '', sign = '', rest = '']: RegExpExecArray,
  columns: number,
  paint: Paint,
): readonly string[] {
  const before = lead.slice(0, Math.floor(columns / 2))
  const shown = /\d/.test(sign) ? sign : '•'
  const box = /^\[([ xX])\]\s+(.*)$/.exec(rest)
  const text = box === null ? rest : `${box[1] === ' ' ? '☐' : '☑'} ${box[2]}`
  const first = `${before}${shown} `
  return wrapSpans(inlineSpans(text, paint), columns, { first, indent: ' '.repeat(first.length) })
}

/** Code, bold text and links of a line; other markup stays as it is. */
function inlineSpans(text: string, paint: Paint): readonly Span[] {
  const spans: Span[] = []
  let at = 0
  for (const found of text.matchAll(inline)) {
    const { code, strong, label, target } = found.groups ?? {}
    if (found.index > at) spans.push({ text: text.slice(at, found.index) })
    at = found.index + found[0].length
    if (code !== undefined) spans.push({ text: code, paint: paint.cyan })
    else if (strong !== undefined) spans.push({ text: strong, paint: paint.bold })
    else spans.push({ text: label === target ? `${target}` : `${label} (${target})` })
  }
  if (at < text.length) spans.push({ text: text.slice(at) })
  return spans
}

const inline =
  /(?<!`)(?<ticks>`+)(?<code>[^`]+)\k<ticks>|\*\*(?<strong>[^*\s](?:[^*]*[^*\s])?)\*\*|\[(?<label>[^\][]+)\]\((?<target>[^()\s]+)\)/g
