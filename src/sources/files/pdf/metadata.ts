import type { CslItem } from '../../../citations/source.ts'
import type { Hash } from '../../../kernel/json.ts'
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

type AuthorName = NonNullable<CslItem['author']>[number]

/** The start of an abstract; no authors are below it. */
const abstractStart = /^(?:abstract|summary)\b/i
/** Words of addresses, affiliations and notes, which are not part of names. */
const noName =
  /\b(?:univ\w*|instit\w*|dep(?:t|artments?|artamento|artimento)|schools?|colleges?|facult\w*|facolt\w*|laborator\w*|labs?|cent(?:er|re|ro)s?|academ\w*|hospital|corporation|corp|company|inc|ltd|llc|gmbh|research|technolog\w*|sciences?|engineering|group|team|street|road|avenue|usa|uk|china|germany|france|italy|canada|japan|india|received|accepted|published|online|email|e-mail|http\w*|www|journal|proceedings|conference|volume|draft|version|preprint|abstract|introduction|google|microsoft|mozilla|adobe|intel|ibm|facebook|openai|deepmind|nvidia|amazon)\b/iu
/** Titles and memberships attached to names. */
const honour =
  /^(?:(?:member|fellow|student member|senior member|life fellow)(?:,? \w{3,4})?|ieee|acm|ph\.?d\.?|m\.?d\.?|jr\.?|sr\.?)$/i
const honourBefore = /^(?:dr|prof|mr|mrs|ms)\.?\s+/i
const nameParticle = /^(?:van|von|de|den|der|del|della|di|da|dos|du|la|le|el|al|bin|ter|ten|zu)$/i
const nameWord = /^(?:\p{Lu}\.|\p{Lu}[\p{L}\p{M}]*(?:['’-]\p{L}[\p{L}\p{M}]*)*\.?)$/u
const minNameWords = 2
const maxNameWords = 5
/** How many lines below the title may have names. */
const maxLines = 60

/**
 * The authors named on a paper's first page, between title and abstract; `undefined` if unclear: without an abstract, or
 * if the style of the names is used for other text too.
 */
export function findAuthorsBelow(
  title: string,
  firstPage: readonly PdfLine[],
): readonly AuthorName[] | undefined {
  const lines = findLinesBelow(title, firstPage) ?? []
  const start = lines.findIndex(({ text }) => splitNames(text) !== undefined)
  const first = lines[start]
  if (first === undefined) return undefined
  const isAlike = ({ font, size }: PdfLine) => font === first.font && size > first.size - 0.3
  if (lines.slice(0, start).some(isAlike)) return undefined
  const below = lines.slice(start)
  const end = below.findIndex(({ text }) => splitNames(text) === undefined)
  const after = below[end]
  // If addresses are set like names, only the lines right below the title are certain.
  const isMixed = after !== undefined && isAlike(after)
  if (isMixed && !isAddress(after.text)) return undefined
  const names = (isMixed ? below.slice(0, end) : below.filter(isAlike)).map(({ text }) =>
    splitNames(text),
  )
  if (names.some((found) => found === undefined)) return undefined
  const all = names.flatMap((found) => found ?? [])
  return isEachOnce(all) ? all : undefined
}

function isAddress(text: string): boolean {
  return noName.test(text) || /[@\d]/.test(text)
}

/** The upright lines between title and abstract, with cells of a row as separate lines. */
function findLinesBelow(title: string, page: readonly PdfLine[]): readonly PdfLine[] | undefined {
  const said = letters(title)
  const isTitle = ({ text, tilted }: PdfLine) =>
    !tilted && letters(text).length > 2 && said.includes(letters(text))
  const start = page.findIndex(isTitle)
  const abstract = page.findIndex(({ text }, index) => index > start && abstractStart.test(text))
  const [first, below] = [page[start], page[abstract]]
  if (first === undefined || below === undefined || below.y > first.y) return undefined
  const titleEnd = Math.min(
    ...page
      .slice(start, start + 6)
      .filter(isTitle)
      .map(({ y }) => y),
  )
  const lines = page.filter(({ y, tilted }) => !tilted && y < titleEnd && y > below.y)
  return lines.length <= maxLines ? lines : undefined
}

/** The names on a line that has nothing else; else `undefined`. */
function splitNames(line: string): readonly AuthorName[] | undefined {
  if (/[@:{}]|\d{3}/.test(line)) return undefined
  const parts = line
    .replace(/[^\p{L}\p{M}\s.,;&'’·•|-]+/gu, ' ')
    .replace(/(?<=\p{L})\.(?=\p{Lu})/gu, '. ')
    .split(/\s*[,;&·•|]\s*|\s+(?:and|AND|und|et|y)\s+/u)
    .map(stripMarks)
    .filter((part) => part !== '' && !honour.test(part))
  const names = parts.map(toName)
  return names.length > 0 && names.every((name) => name !== undefined) ? names : undefined
}

/** Part of a line without footnote marks and titles. */
function stripMarks(part: string): string {
  const name = part
    .trim()
    .replace(/^(?:and|AND)\s+/, '')
    .replace(honourBefore, '')
  const words = name.split(/\s+/)
  return words.filter((word) => !/^(?:\p{Ll}|[^\p{L}]+)$/u.test(word)).join(' ')
}

function toName(written: string): AuthorName | undefined {
  const words = written.split(' ').map((word) => (isShouted(written) ? toTitleCase(word) : word))
  const isName =
    words.length >= minNameWords &&
    words.length <= maxNameWords &&
    !noName.test(written) &&
    words.every((word) => nameWord.test(word) || nameParticle.test(word)) &&
    /\p{L}{2}/u.test(words.at(-1) ?? '')
  if (!isName) return undefined
  const particle = words.findIndex((word, index) => index > 0 && nameParticle.test(word))
  const cut = particle > 0 && particle < words.length - 1 ? particle : words.length - 1
  return { family: words.slice(cut).join(' '), given: words.slice(0, cut).join(' ') }
}

function isShouted(name: string): boolean {
  return name === name.toUpperCase() && /\p{Lu}{3}/u.test(name)
}

function toTitleCase(word: string): string {
  return word.replace(/\p{L}+/gu, (part) => part.charAt(0) + part.slice(1).toLowerCase())
}

function isEachOnce(names: readonly AuthorName[]): boolean {
  return new Set(names.map(({ family, given }) => `${given} ${family}`)).size === names.length
}

function letters(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\d]+/gu, '')
}
