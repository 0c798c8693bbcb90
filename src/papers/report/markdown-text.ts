import { printable } from '../../citations/markup/printable.ts'
import { toInertMarkdown } from '../../claims/verify/inert-markdown.ts'

/** Any text as inert Markdown on one line. */
export function markdownText(text: string): string {
  const inert = oneLine(text)
    .replace(/[\\`*_[\]<>|~#!]/g, escaped)
    .replace(entity, '&amp;')
  return withoutAddresses(inert)
    .replace(/^(\d{1,9})(?=[.)](?:\s|$))/, '$1\\')
    .replace(/^(?=[-+=])/, '\\')
}

/** A reference line, whose addresses and identifiers must stay unchanged. */
export function markdownReference(line: string): string {
  return oneLine(line)
    .replace(/[\\`*[\]<>|~!]/g, escaped)
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(entity, '&amp;')
}

/**
 * A quotation in a form that `scholium verify` finds again in the source: what would be a citation, link or code is
 * broken up by a space, and the source's own reference marks (`[12]`) are left out.
 */
export function markdownQuote(quote: string): string {
  const inner = oneLine(quote)
    .replace(/\s*\[\d{1,4}(?:\s?[,;–—-]\s?\d{1,4}){0,31}\]/g, '')
    .replace(/(?<![\s([{—–-]|^)"/g, '’')
    .replace(/[“„«"]/g, '‘')
    .replace(/[”»`]/g, '’')
    .replace(/\\(?=[!-/:-@[-`{-~])/g, '\\\\')
    .replace(/<(?=[a-z/!?])/gi, '&lt;')
    .replace(entity, '&amp;')
    .replace(/\[(?=[\^@!])/g, '[ ')
    .replace(/(?<=\])(?=[([:])|(?<=!)(?=\[)/g, ' ')
    .replace(/【/g, '〔')
  return `“${withoutAddresses(inner).trim()}”`
}

/** A Markdown answer under a second-level heading, without anything that loads, runs or misleads. */
export function markdownAnswer(answer: string): string {
  return toInertMarkdown(printable(answer).trim())
    .replace(/^(\s{0,3})#{1,6}(?=\s)/gm, '$1###')
    .replace(/\]\((?!\s*<?(?:https?:\/\/|#))/gi, '] (')
    .replace(/^(\s{0,3}(?:[-*+>]\s{1,3})?\[[^\]\n]*\]):(?=\s*\S)/gm, '$1 :')
}

const entity = /&(?=#?\w{1,32};)/g

function escaped(sign: string): string {
  return sign === '<' ? '&lt;' : `\\${sign}`
}

/** Breaks up what Markdown turns into links and what `scholium verify` takes for citations, with a space. */
function withoutAddresses(text: string): string {
  return text
    .replace(/\b(https?|ftp):(?=\/)/gi, '$1: ')
    .replace(/\bwww\.(?=\S)/gi, 'www. ')
    .replace(/\barxiv:/gi, (all) => `${all.slice(0, -1)} :`)
    .replace(/\b(10\.\d{4,9})\//g, '$1 /')
}

function oneLine(text: string): string {
  return printable(text.toWellFormed()).replace(/\s+/g, ' ').trim()
}
