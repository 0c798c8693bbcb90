import type { CslDate, CslItem, CslName } from '../citations/source.ts'
import { citationKeys } from './citation-keys.ts'
import { findIdentifiers } from './identifiers.ts'
import { isOtherAuthors } from './other-authors.ts'

/**
 * Writes works as a BibTeX file in UTF-8, in order, for both BibTeX and BibLaTeX (three types exist in BibLaTeX only; BibTeX
 * treats them as `misc`). Keys are unique and reproducible.
 * @see https://tug.org/texmf-dist/doc/bibtex/base/btxdoc.pdf
 */
export function toBibtex(items: readonly CslItem[]): string {
  const keys = citationKeys(items)
  return items.map((item, index) => writeEntry(item, keys[index] ?? '')).join('\n')
}

const types: Readonly<Record<string, string>> = {
  'article-journal': 'article',
  'article-magazine': 'article',
  'article-newspaper': 'article',
  review: 'article',
  'review-book': 'article',
  book: 'book',
  collection: 'book',
  chapter: 'incollection',
  entry: 'incollection',
  'entry-dictionary': 'incollection',
  'entry-encyclopedia': 'incollection',
  'paper-conference': 'inproceedings',
  report: 'techreport',
  standard: 'techreport',
  manuscript: 'unpublished',
  webpage: 'online',
  post: 'online',
  'post-weblog': 'online',
  dataset: 'dataset',
  software: 'software',
}

function chooseType({ type, genre }: CslItem): string {
  if (type === 'thesis') return /master|diplom/i.test(genre ?? '') ? 'mastersthesis' : 'phdthesis'
  return Object.hasOwn(types, type) ? (types[type] ?? 'misc') : 'misc'
}

/** A field's name, and its value as written, with braces. */
type Field = readonly [name: string, value: string | undefined]

function writeEntry(item: CslItem, key: string): string {
  const type = chooseType(item)
  const fields: readonly Field[] = [
    ['title', item.title === undefined ? undefined : `{${toTexTitle(item.title)}}`],
    ['author', names(item.author)],
    ['editor', names(item.editor)],
    ['translator', names(item.translator)],
    ...writeDateFields(item.issued),
    ...writePlaceFields(item, type),
    ...writeIdentifierFields(item),
    ['note', text(item.note)],
    ['abstract', text(item.abstract)],
    ['keywords', text(item.keyword)],
    ['language', text(item.language)],
  ]
  const lines = fields.flatMap(([name, value]) =>
    value === undefined ? [] : `  ${name} = ${value},\n`,
  )
  return `@${type}{${key},\n${lines.join('')}}\n`
}

/** The fields for where a work was published. */
function writePlaceFields(item: CslItem, type: string): readonly Field[] {
  const container = ['article', 'misc', 'online'].includes(type) ? 'journal' : 'booktitle'
  const publisher = /thesis/.test(type)
    ? 'school'
    : type === 'techreport'
      ? 'institution'
      : 'publisher'
  const isArticle = type === 'article' || type === 'inproceedings'
  // The archive number has its own field.
  const own = /^arxiv:/i.test(String(item.number ?? '')) ? undefined : item.number
  const number = isArticle ? item.issue : (item['collection-number'] ?? own)
  return [
    [container, text(item['container-title'])],
    ['volume', text(item.volume)],
    ['number', text(number)],
    ['eid', type === 'article' ? text(own) : undefined],
    ['pages', text(item.page)?.replace(/[-–—]+(?:\{\}-)?/g, '--')],
    ['chapter', text(item['chapter-number'])],
    ['edition', text(item.edition)],
    ['series', text(item['collection-title'])],
    [publisher, text(item.publisher)],
    ['address', text(item['publisher-place'])],
    ['type', isImplied(item) ? undefined : text(item.genre)],
    ['version', text(item.version)],
  ]
}

/** Whether the entry's type already implies the kind of thesis. */
function isImplied({ type, genre = '' }: CslItem): boolean {
  return (
    type === 'thesis' && /^(?:master's|doctoral|ph\.?d\.?) (?:thesis|dissertation)$/i.test(genre)
  )
}

function writeIdentifierFields(item: CslItem): readonly Field[] {
  const { arxiv, pmid, pmcid } = findIdentifiers(item)
  const version = arxiv?.version === undefined ? '' : `v${arxiv.version}`
  return [
    ['doi', verbatim(item.DOI)],
    ['eprint', arxiv === undefined ? undefined : `{${arxiv.id}${version}}`],
    ['archiveprefix', arxiv === undefined ? undefined : '{arXiv}'],
    ['primaryclass', arxiv === undefined ? undefined : text(item.archive_collection)],
    ['pmid', pmid === undefined ? undefined : `{${pmid}}`],
    ['pmcid', pmcid === undefined ? undefined : `{${pmcid}}`],
    ['isbn', text(item.ISBN)],
    ['issn', text(item.ISSN)],
    ['url', verbatim(item.URL)],
    ['urldate', isoDate(item.accessed)],
  ]
}

function text(value: string | number | undefined): string | undefined {
  return value === undefined ? undefined : `{${toTexText(String(value))}}`
}

/** URLs and similar values are not TeX, but unbalanced braces in them would break the entry. */
function verbatim(value: string | undefined): string | undefined {
  return value === undefined
    ? undefined
    : `{${value.replace(/[{}\\\s]/g, (sign) => encodeURIComponent(sign))}}`
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

function writeDateFields(date: CslDate | undefined): readonly Field[] {
  const [start, end] = date?.['date-parts'] ?? []
  const [year, month, day] = start ?? []
  if (year === undefined) return [['year', text(date?.literal)]]
  return [
    ['year', `{${year}}`],
    ['month', months[(month ?? 0) - 1]],
    ['day', day === undefined ? undefined : `{${day}}`],
    // BibTeX has no date ranges; BibLaTeX prefers this field to `year` and `month`.
    ['date', end === undefined ? undefined : isoDate(date)],
  ]
}

function isoDate(date: CslDate | undefined): string | undefined {
  const days = (date?.['date-parts'] ?? []).map(([year = 0, ...rest]) =>
    [String(year).padStart(4, '0'), ...rest.map((part) => String(part).padStart(2, '0'))].join('-'),
  )
  return days.length === 0 ? undefined : `{${days.join('/')}}`
}

function names(people: readonly CslName[] | undefined): string | undefined {
  return people === undefined || people.length === 0
    ? undefined
    : `{${people.map((name, at) => (isOtherAuthors(name, at, people) ? 'others' : writeName(name))).join(' and ')}}`
}

/** `von Last, Jr, First`, with braces around names that BibTeX would split. */
function writeName(name: CslName): string {
  const { family, given, suffix, literal } = name
  const particle = name['non-dropping-particle'] ?? name['dropping-particle']
  if (
    family === undefined ||
    (given === undefined && suffix === undefined && particle === undefined)
  ) {
    return `{${toTexText(literal ?? family ?? given ?? '')}}`
  }
  const last =
    particle === undefined
      ? protectNamePart(family)
      : `${toTexText(particle)} ${protectNamePart(family)}`
  const parts = suffix === undefined ? [last] : [last, protectNamePart(suffix)]
  return [...parts, given === undefined ? '{}' : protectNamePart(given)].join(', ')
}

/** Adds braces if a comma, "and", lower-case initial, loose hyphen or command would make BibTeX split the name. */
function protectNamePart(part: string): string {
  const tex = toTexText(part)
  const isApart = /\s(?:[Aa][Nn][Dd]\b|\p{Ll})|[\s-]-|-(?:\s|$)/u.test(part)
  const isPlain = /^\p{Lu}[^,=\\]*$/u.test(tex) && !isApart
  return isPlain ? tex : `{${tex}}`
}

/** Escapes TeX's special characters; all others are written as UTF-8. */
function toTexText(text: string): string {
  return text
    .split(/(<\/?(?:i|b|sup|sub)>|<span style="font-variant: ?small-caps;">|<\/span>)/)
    .map((part, index) => (index % 2 === 1 ? (commands[part] ?? smallCaps(part)) : escapeTex(part)))
    .join('')
}

/**
 * Like {@link toTexText}, with braces around words that contain capitals, since styles may lower-case titles but not names and
 * acronyms. The first word gets none unless it has further capitals.
 */
function toTexTitle(text: string): string {
  const isBalanced = (text.match(/<\w/g) ?? []).length === (text.match(/<\//g) ?? []).length
  return (isBalanced ? toTexText(text) : escapeTex(text)).replace(
    /(^|[\s(:“‘/-])([\p{L}\d]*\p{Lu}[\p{L}\d]*)(?![^\s]*\\)/gu,
    (whole, before: string, word: string, at: number) =>
      at === 0 && before === '' && word.slice(1) === word.slice(1).toLowerCase()
        ? whole
        : `${before}{${word}}`,
  )
}

const commands: Readonly<Record<string, string>> = {
  '<i>': '\\textit{',
  '<b>': '\\textbf{',
  '<sup>': '\\textsuperscript{',
  '<sub>': '\\textsubscript{',
  '</i>': '}',
  '</b>': '}',
  '</sup>': '}',
  '</sub>': '}',
  '</span>': '}',
}

function smallCaps(tag: string): string {
  return tag.startsWith('<span') ? '\\textsc{' : tag
}

const signs: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
}

/** Two hyphens, quotes or accents in a row would become one character. */
function escapeTex(text: string): string {
  return text
    .replace(/[\\{}$&%#_~^]/g, (sign) => signs[sign] ?? `\\${sign}`)
    .replace(/([-'`])(?=\1)/g, '$1{}')
}
