import { canonicalUrl } from '../citations/markup/canonical-url.ts'
import type { CslItem } from '../citations/source.ts'

/** An arXiv id: `2301.00001` or, before April 2007, `quant-ph/0201082`; with its version (from 1) if given. */
export interface ArxivId {
  readonly id: string
  readonly version?: number
}

/** A work's identifiers in normalized form. */
export interface Identifiers {
  /** Lower case, without URL: `10.1000/xyz`. */
  readonly doi?: string
  readonly arxiv?: ArxivId
  /** Digits only; not a PMC number. */
  readonly pmid?: string
  /** `PMC` and digits. */
  readonly pmcid?: string
  /** 13 digits each; ISBN-10 is converted, and numbers with a wrong check digit are left out. */
  readonly isbns: readonly string[]
  /** Normalized by {@link canonicalUrl}; http and https only. */
  readonly url?: string
}

/**
 * Finds a work's identifiers wherever its record has them: identifier fields, URLs, number, archive or note.
 * @see https://info.arxiv.org/help/arxiv_identifier.html
 * @see https://www.doi.org/doi-handbook/HTML/case-sensitivity-in-doi-names.html
 */
export function findIdentifiers(item: CslItem): Identifiers {
  const url = item.URL === undefined ? undefined : canonicalUrl(item.URL.trim())
  const doi = parseDoi(item.DOI) ?? parseDoi(url?.replace(/[?#].*|\/$/, ''))
  const arxiv = findArxivId(item, url, doi)
  const pmid = findPmid(item, url)
  const pmcid = findPmcid(item, url)
  return {
    ...(doi === undefined ? {} : { doi }),
    ...(arxiv === undefined ? {} : { arxiv }),
    ...(pmid === undefined ? {} : { pmid }),
    ...(pmcid === undefined ? {} : { pmcid }),
    isbns: findIsbns(item.ISBN),
    ...(url === undefined ? {} : { url }),
  }
}

/** The lower-case DOI in a DOI, `doi:…` or a doi.org URL; `undefined` for anything else. */
export function parseDoi(written: string | undefined): string | undefined {
  const text = written?.trim().replace(/^(?:https?:\/\/(?:dx\.|www\.)?doi\.org\/|doi:\s*)/i, '')
  if (text === undefined || !/^10\.\d{4,9}(?:\.\d+)*\/\S+$/.test(text)) return undefined
  const plain = /%[0-9a-f]{2}/i.test(text) ? decodePercent(text) : text
  return plain.replace(/[.,;:]+$/, '').toLowerCase()
}

const arxivNumber = '\\d{4}\\.\\d{4,5}|[a-z]+(?:-[a-z]+)*(?:\\.[a-z]{2})?\\/\\d{7}'
const arxivAlone = new RegExp(`^(${arxivNumber})(?:v([1-9]\\d?))?$`, 'i')
const arxivNamed = new RegExp(`\\barxiv:\\s*(${arxivNumber})(?:v([1-9]\\d?))?(?![\\d/])`, 'i')
const arxivAddress = new RegExp(
  `^https?://(?:[a-z]+\\.)*arxiv\\.org/(?:abs|pdf|html|format|ps)/(${arxivNumber})(?:v([1-9]\\d?))?(?:\\.pdf)?\\/?(?:[?#]|$)`,
  'i',
)
const arxivDoi = new RegExp(`^10\\.48550/arxiv\\.(${arxivNumber})(?:v([1-9]\\d?))?$`, 'i')

function findArxivId(
  item: CslItem,
  url: string | undefined,
  doi: string | undefined,
): ArxivId | undefined {
  const isArchived = [item.archive, item.publisher, item['container-title']].some(
    (name) => name !== undefined && /^arxiv(?:\.org)?$/i.test(name),
  )
  const alone = isArchived ? [item.archive_location, String(item.number ?? '')] : []
  const found =
    firstMatch(arxivNamed, [
      String(item.number ?? ''),
      item['container-title'],
      item.archive_location,
    ]) ??
    firstMatch(arxivAlone, alone) ??
    firstMatch(arxivAddress, [url]) ??
    firstMatch(arxivDoi, [doi]) ??
    firstMatch(arxivNamed, [item.note, item.publisher])
  const [, id, version] = found ?? []
  if (id === undefined) return undefined
  // The subject class is optional: math.GT/0309136 is math/0309136. Archive names are lower case.
  const plain = id.toLowerCase().replace(/\.[a-z]{2}\//, '/')
  return version === undefined ? { id: plain } : { id: plain, version: Number(version) }
}

function firstMatch(
  form: RegExp,
  texts: readonly (string | undefined)[],
): RegExpMatchArray | undefined {
  for (const text of texts) {
    const match = text?.trim().match(form)
    if (match) return match
  }
  return undefined
}

const pubmedAddress =
  /^https?:\/\/(?:pubmed\.ncbi\.nlm\.nih\.gov|www\.ncbi\.nlm\.nih\.gov\/pubmed)\/(\d{1,9})\b/i
const pmcAddress =
  /^https?:\/\/(?:pmc\.ncbi\.nlm\.nih\.gov|(?:www\.)?ncbi\.nlm\.nih\.gov\/pmc|europepmc\.org)\/articles?\/(?:pmc\/)?(pmc\d+)\b/i

function findPmid(item: CslItem, url: string | undefined): string | undefined {
  const own = item.PMID?.trim().match(/^(?:pmid:?\s*)?(\d{1,9})$/i)
  const noted = item.note?.match(/\bPMID:?\s*(\d{1,9})\b/i)
  return (own ?? url?.match(pubmedAddress) ?? noted)?.[1]
}

/** Some records have a PMC number in the PMID field. */
function findPmcid(item: CslItem, url: string | undefined): string | undefined {
  const own = item.PMCID?.trim().match(/^(?:pmcid:?\s*)?(?:pmc)?(\d+)(?:\.\d+)?$/i)
  const misplaced = item.PMID?.trim().match(/^pmc(\d+)$/i)
  const digits = (own ?? misplaced)?.[1]
  if (digits !== undefined) return `PMC${digits}`
  const named = url?.match(pmcAddress) ?? item.note?.match(/\b(PMC\d{3,})\b/)
  return named?.[1]?.toUpperCase()
}

function findIsbns(written: string | undefined): readonly string[] {
  const numbers = written?.match(/(?:97[89][- ]?)?(?:\d[- ]?){9}[\dX]/gi) ?? []
  return [...new Set(numbers.flatMap((number) => isbn13(number.replace(/[- ]/g, '')) ?? []))]
}

/** @see https://www.isbn-international.org/content/isbn-users-manual/29 */
function isbn13(isbn: string): string | undefined {
  const isLong = isbn.length === 13
  if (isLong) return isbn === withCheckDigit(isbn.slice(0, 12)) ? isbn : undefined
  const sum = [...isbn.toUpperCase()].reduce(
    (total, sign, index) => total + (sign === 'X' ? 10 : Number(sign)) * (10 - index),
    0,
  )
  return sum % 11 === 0 ? withCheckDigit(`978${isbn.slice(0, 9)}`) : undefined
}

function withCheckDigit(twelve: string): string {
  const sum = [...twelve].reduce(
    (total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3),
    0,
  )
  return `${twelve}${(10 - (sum % 10)) % 10}`
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // Not percent-encoded after all: a DOI may contain a percent sign.
    return text
  }
}

interface NumberedWork {
  readonly arxiv?: ArxivId | undefined
  readonly doi?: string | undefined
}

/** A work's public identifier: `arxiv:2301.00001`, otherwise `doi:10.1000/xyz`. */
export function workId({ arxiv, doi }: NumberedWork): string | undefined {
  if (arxiv !== undefined) return `arxiv:${arxiv.id}`
  return doi === undefined ? undefined : `doi:${doi}`
}

/** The id of a paper as shown to people: a file that names its work is shown by that work's id. */
export function displayId({ id, csl }: { readonly id: string; readonly csl: CslItem }): string {
  return (id.startsWith('file:') ? workId(findIdentifiers(csl)) : undefined) ?? id
}
