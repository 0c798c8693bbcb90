import type { WorkSearch } from './found-work.ts'

/** A search in arXiv. */
export interface ArxivSearch extends WorkSearch {
  readonly abstract?: string
  /** Any of these: `cs.CL`, `math.*`. */
  readonly categories?: readonly string[]
  /** Whether one of the words of `query` is enough. Default `false`: all are wanted. */
  readonly isAnyWordEnough?: boolean
  /** Default `relevance`; the others have the newest first. */
  readonly sortBy?: 'relevance' | 'lastUpdatedDate' | 'submittedDate'
}

/**
 * A search in arXiv's own language: all words of a field are wanted, words in quotes as a phrase, a person's name as a whole.
 * Signs that mean something to it are left out. Empty where nothing is searched for.
 * @see https://info.arxiv.org/help/api/user-manual.html#query_details
 */
export function arxivQuery(search: ArxivSearch): string {
  const { fromYear, toYear, categories = [] } = search
  const queryTerms = termsOf('all', search.query)
  const parts = [
    ...(search.isAnyWordEnough === true ? anyOf(queryTerms) : queryTerms),
    ...termsOf('ti', search.title),
    ...termsOf('abs', search.abstract),
    ...phrase('au', search.author),
  ]
  const inCategories = categories
    .filter((category) => /^[a-z-]+(?:\.(?:[A-Za-z-]+|\*))?$/.test(category))
    .map((category) => `cat:${category}`)
  if (inCategories.length > 0) parts.push(`(${inCategories.join(' OR ')})`)
  if (parts.length > 0 && (fromYear !== undefined || toYear !== undefined)) {
    const [from, to] = [yearOf(fromYear, 1991), yearOf(toYear, 2999)]
    parts.push(`submittedDate:[${from}01010000 TO ${to}12312359]`)
  }
  return parts.join(' AND ')
}

function anyOf(terms: readonly string[]): readonly string[] {
  return terms.length < 2 ? terms : [`(${terms.join(' OR ')})`]
}

const MAX_TERMS = 20

function termsOf(field: string, written = ''): readonly string[] {
  const parts = written.slice(0, 500).match(/"[^"]+"|[^\s"]+/g) ?? []
  // Its operators are words in capitals; as words of a question they say nothing.
  const words = parts.filter((part) => !/^(?:AND|OR|ANDNOT|TO)$/.test(part))
  return words.slice(0, MAX_TERMS).flatMap((part) => phrase(field, part))
}

/** One word as it is, more words as a phrase; a hyphen splits a word as arXiv's index does. */
function phrase(field: string, written = ''): readonly string[] {
  const words = written.slice(0, 300).match(/[\p{L}\p{M}\p{N}]+(?:[.'’][\p{L}\p{N}]+)*/gu) ?? []
  if (words.length === 0) return []
  return [words.length === 1 ? `${field}:${words[0]}` : `${field}:"${words.join(' ')}"`]
}

function yearOf(year: number | undefined, otherwise: number): string {
  const known = year !== undefined && year >= 1000 && year <= 9999 ? Math.trunc(year) : otherwise
  return String(known)
}
