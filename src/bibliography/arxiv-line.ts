import type { CslItem, CslName } from '../citations/source.ts'
import { type ArxivId, identifiersOf } from './identifiers.ts'
import { isOthers } from './other-authors.ts'

/** `Authors. (Year). Title. arXiv:ID. URL`, all authors as they sign; what is not known is left out, a year is then `n.d.` */
export function arxivLine(item: CslItem): string {
  const { arxiv } = identifiersOf(item)
  const year = item.issued?.['date-parts']?.[0]?.[0] ?? 'n.d.'
  const id = arxiv === undefined ? undefined : versioned(arxiv)
  const doi = item.DOI === undefined ? undefined : `https://doi.org/${item.DOI}`
  const url = item.URL ?? (id === undefined ? doi : `https://arxiv.org/abs/${id}`)
  const authors = authorsOf(item.author ?? [])
  return [
    authors === '' ? undefined : ended(authors),
    `(${year}).`,
    item.title === undefined ? undefined : ended(item.title),
    id === undefined ? undefined : `arXiv:${id}.`,
    url,
  ]
    .filter((part) => part !== undefined)
    .join(' ')
}

function authorsOf(authors: readonly CslName[]): string {
  const names = authors.map(nameOf)
  const last = names.pop() ?? ''
  if (authors.some(isOthers)) return `${names.join(', ')}${names.length > 1 ? ',' : ''} et al.`
  if (names.length === 0) return last
  return names.length === 1 ? `${names[0]} & ${last}` : `${names.join(', ')}, & ${last}`
}

function nameOf(name: CslName): string {
  if (name.literal !== undefined) return name.literal
  const particles = [name['dropping-particle'], name['non-dropping-particle']]
  return [name.given, ...particles, name.family, name.suffix]
    .filter((part) => part !== undefined)
    .join(' ')
}

function ended(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`
}

function versioned({ id, version }: ArxivId): string {
  return version === undefined ? id : `${id}v${version}`
}
