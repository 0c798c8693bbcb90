import { printable } from '../../citations/markup/printable.ts'
import { toInertMarkdown } from '../../claims/verify/inert-markdown.ts'

/** Any text as Markdown that shows it: on one line, without a mark that would do anything. */
export function markdownText(text: string): string {
  const inert = oneLine(text)
    .replace(/[\\`*_[\]<>|~#!]/g, escaped)
    .replace(entity, '&amp;')
  return withoutAddresses(inert)
    .replace(/^(\d{1,9})(?=[.)](?:\s|$))/, '$1\\')
    .replace(/^(?=[-+=])/, '\\')
}

/** The line of a reference, whose addresses and identifiers must stay what they are. */
export function markdownReference(line: string): string {
  return oneLine(line)
    .replace(/[\\`*[\]<>|~!]/g, escaped)
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(entity, '&amp;')
}

/**
 * The words of a source in quotation marks, in a form that a check of the report finds again in the source: what would be a
 * citation, a link or code there is set apart by a space, and reference marks of the source's own (`[12]`) are left out.
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

/** A Markdown answer under a heading of the second rank, with nothing in it that loads, runs or leads astray. */
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

/** What readers of Markdown make links of, and the check of a report citations, with a space in it. */
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
