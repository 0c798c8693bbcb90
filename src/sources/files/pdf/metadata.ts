import type { CslItem } from '../../../citations/source.ts'
import type { Hash } from '../../../kernel/json.ts'
import { findAuthorsBelow } from './authors.ts'
import type { PdfLine } from './lines.ts'

/** A PDF's own metadata. */
export interface PdfInfo {
  readonly title?: string
  readonly author?: string
  readonly doi?: string
}

type Name = NonNullable<CslItem['author']>[number]

/** In the margin of arXiv's first pages: the only date in a PDF that certainly belongs to the text. */
const arxivStamp =
  /arXiv:(\d{4}\.\d{4,5}(?:v\d+)?|[a-z-]+(?:\.[A-Z]{2})?\/\d{7}(?:v\d+)?)\s+\[[\w.-]+\]\s+(\d{1,2}) ([A-Z][a-z]{2}) (\d{4})/
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const doiPattern = /\b10\.\d{4,9}\/[^\s"<>{}|\\^]+/g

/**
 * Bibliographic data the first page leaves no doubt about: authors named in the metadata and shown on the page, or below
 * its title; a DOI if it is the only one on the page; arXiv's number and date. A PDF's own dates are those of the file,
 * and not used.
 */
export function toCsl(
  id: Hash,
  title: string,
  info: PdfInfo,
  firstPage: readonly PdfLine[],
): CslItem {
  const firstPageText = firstPage.map((line) => line.text).join('\n')
  const arxiv = arxivStamp.exec(firstPageText)
  const author = parseAuthors(info.author, firstPageText) ?? findAuthorsBelow(title, firstPage)
  const doi = findDoi(info.doi, firstPageText)
  return {
    id,
    type: arxiv === null ? 'document' : 'article',
    title,
    ...(author === undefined ? {} : { author }),
    ...(arxiv === null ? {} : arxivFields(arxiv)),
    ...(doi === undefined ? {} : { DOI: doi }),
  }
}

function arxivFields([, number, day, month = '', year]: RegExpExecArray): Partial<CslItem> {
  const monthNumber = months.indexOf(month) + 1
  const date = monthNumber === 0 ? [Number(year)] : [Number(year), monthNumber, Number(day)]
  return { issued: { 'date-parts': [date] }, URL: `https://arxiv.org/abs/${number}` }
}

function findDoi(given: string | undefined, page: string): string | undefined {
  const clean = (doi: string) => doi.replace(/[.,;:)\]]+$/, '')
  const stated = given?.match(doiPattern)?.[0]
  if (stated !== undefined) return clean(stated)
  if (/^references$/im.test(page)) return undefined
  const shown = new Set((page.match(doiPattern) ?? []).map(clean))
  return shown.size === 1 ? [...shown][0] : undefined
}

/** The authors, if each is a full name whose family name is on the page; else `undefined`. */
function parseAuthors(given: string | undefined, page: string): Name[] | undefined {
  const text = given?.replace(/\([^)]*\)/g, '').trim() ?? ''
  if (text === '') return undefined
  const separator = text.includes(';') ? /\s*;\s*/ : /\s*,\s*(?:and\s+)?|\s+and\s+/
  const names = text
    .split(separator)
    .filter((name) => name.trim() !== '')
    .map(parseName)
  const folded = fold(page)
  const areShown = names.every((name) => name !== undefined && folded.includes(fold(name.family)))
  if (!areShown) return undefined
  const [first, ...rest] = names.filter((name) => name !== undefined)
  if (first === undefined || (rest.length === 0 && !isOwnLine(first.family, folded)))
    return undefined
  return [first, ...rest]
}

/** Metadata often names only one of several authors: a single one must be on a line without other names. */
function isOwnLine(family: string, foldedPage: string): boolean {
  const lines = foldedPage.split('\n').filter((line) => line.includes(fold(family)))
  return lines.some((line) => line.length <= 60 && !/,|&|\band\b/.test(line))
}

function parseName(written: string): { family: string; given: string } | undefined {
  const name = written.replace(/\s+/g, ' ').trim()
  if (!/^[\p{L}\p{M}'’., -]{4,80}$/u.test(name)) return undefined
  if (name.includes(',')) {
    const [family = '', given = ''] = name.split(/\s*,\s*/)
    return family === '' || given === '' ? undefined : { family, given }
  }
  const words = name.split(' ')
  const particle = words.findIndex((word, index) => index > 0 && /^\p{Ll}/u.test(word))
  const cut = particle > 0 && particle < words.length - 1 ? particle : words.length - 1
  if (cut < 1) return undefined
  return { family: words.slice(cut).join(' '), given: words.slice(0, cut).join(' ') }
}

function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
