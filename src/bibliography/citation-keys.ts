import type { CslItem } from '../citations/source.ts'

/**
 * A BibTeX key for each work, in order: its own `citation-key` if valid, otherwise first author, year and title
 * (`muller2020study`). Keys are unique even if case is ignored. Works that would share a key get a letter by the order of their
 * ids, so the result does not depend on the order of the works.
 */
export function citationKeys(items: readonly CslItem[]): readonly string[] {
  const wanted = items.map(makeKey)
  const order = items
    .map((item, index) => ({ id: item.id, index, isOwn: item['citation-key'] === wanted[index] }))
    .sort((one, other) => Number(other.isOwn) - Number(one.isOwn) || compare(one.id, other.id))
  const taken = new Set<string>()
  const keys: string[] = []
  for (const { index } of order) {
    const base = wanted[index] ?? ''
    let key = base
    for (let n = 0; taken.has(key.toLowerCase()); n += 1) key = `${base}${toLetters(n)}`
    taken.add(key.toLowerCase())
    keys[index] = key
  }
  return keys
}

/** Characters that are safe in a key everywhere: no TeX characters, commas, quotes or spaces. */
const safeKey = /^[A-Za-z0-9][A-Za-z0-9:.+/_-]{0,79}$/

const skippedWords = new Set([
  'a',
  'an',
  'the',
  'on',
  'of',
  'in',
  'and',
  'for',
  'to',
  'der',
  'die',
  'das',
  'le',
  'la',
  'les',
])

function makeKey(item: CslItem): string {
  const own = item['citation-key']
  if (own !== undefined && safeKey.test(own)) return own
  const name = item.author?.[0] ?? item.editor?.[0]
  const author = toLatin(name?.family ?? name?.literal?.split(' ').at(-1) ?? '')
  const year = item.issued?.['date-parts']?.[0]?.[0] ?? ''
  const words = (item.title ?? '')
    .replace(/<\/?[a-z][^<>]*>/g, '')
    .split(/[\s:,.–—/-]+/)
    .map(toLatin)
  const word = words.find((one) => /^[a-z]/.test(one) && !skippedWords.has(one)) ?? ''
  const key = `${author}${year}${word}`.slice(0, 60)
  return /^[a-z]/.test(key) ? key : `ref${key}`
}

function toLatin(word: string): string {
  return word
    .normalize('NFKD')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[^a-z0-9]/g, '')
}

/** a … z, aa, ab … */
function toLetters(n: number): string {
  const last = String.fromCharCode(97 + (n % 26))
  return n < 26 ? last : toLetters(Math.floor(n / 26) - 1) + last
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
