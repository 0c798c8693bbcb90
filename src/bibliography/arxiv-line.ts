import type { CslItem, CslName } from '../citations/source.ts'
import { type ArxivId, findIdentifiers } from './identifiers.ts'
import { isOtherAuthors } from './other-authors.ts'

/** `Authors. (Year). Title. arXiv:ID. URL`, with all authors. Unknown parts are left out; an unknown year is `n.d.` */
export function formatArxivLine(item: CslItem): string {
  const { arxiv } = findIdentifiers(item)
  const year = item.issued?.['date-parts']?.[0]?.[0] ?? 'n.d.'
  const id = arxiv === undefined ? undefined : formatVersion(arxiv)
  const doi = item.DOI === undefined ? undefined : `https://doi.org/${item.DOI}`
  const url = item.URL ?? (id === undefined ? doi : `https://arxiv.org/abs/${id}`)
  const authors = formatAuthors(item.author ?? [])
  return [
    authors === '' ? undefined : endSentence(authors),
    `(${year}).`,
    item.title === undefined ? undefined : endSentence(item.title),
    id === undefined ? undefined : `arXiv:${id}.`,
    url,
  ]
    .filter((part) => part !== undefined)
    .join(' ')
}

function formatAuthors(authors: readonly CslName[]): string {
  const names = authors.map(formatName)
  const last = names.pop() ?? ''
  if (authors.some(isOtherAuthors))
    return `${names.join(', ')}${names.length > 1 ? ',' : ''} et al.`
  if (names.length === 0) return last
  return names.length === 1 ? `${names[0]} & ${last}` : `${names.join(', ')}, & ${last}`
}

function formatName(name: CslName): string {
  if (name.literal !== undefined) return name.literal
  const particles = [name['dropping-particle'], name['non-dropping-particle']]
  return [name.given, ...particles, name.family, name.suffix]
    .filter((part) => part !== undefined)
    .join(' ')
}

function endSentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`
}

function formatVersion({ id, version }: ArxivId): string {
  return version === undefined ? id : `${id}v${version}`
}
