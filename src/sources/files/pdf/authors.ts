import type { CslItem } from '../../../citations/source.ts'
import type { PdfLine } from './lines.ts'

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
